import { expect, it } from '@jest/globals';
import { resolveApiOptions } from './api-options.js';

it.each(['root:hunter2@flows.example.com', 'https://root:hun/ter2@flows.example.com', 'ftp://root:hunter2@flows'])(
  'publicUrl %s is refused, without its password',
  (publicUrl) => {
    const refused = () => resolveApiOptions({ publicUrl });
    expect(refused).toThrow(expect.objectContaining({ code: 'WM1090', option: 'publicUrl' }));
    expect(refused).toThrow('…@flows');
    expect(refused).not.toThrow(/hunter2|ter2@/);
  },
);
