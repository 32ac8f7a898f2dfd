import { expect, it } from '@jest/globals';
import { resolveHttpOptions } from './http-options.js';

it('refuses options with unknown names', () => {
  expect(() => resolveHttpOptions({ basepth: '/jobs' } as never)).toThrow(
    "Option 'http' of WorkflowModule has no option 'basepth'. Did you mean 'basePath'?",
  );
});
