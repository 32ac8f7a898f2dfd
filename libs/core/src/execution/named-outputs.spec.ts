import { expect, it } from '@jest/globals';
import type { ActivityNode } from '../graph/activity-node.js';
import { outputsByAccessor } from './named-outputs.js';

let reads = 0;
const activity = (id: string, name: string | undefined, ...outputs: string[]) => ({
  id,
  name,
  get registration() {
    reads++;
    return { descriptor: { outputs: outputs.map((output) => ({ name: output })) } };
  },
});

it('outputs are found by the names of their accessors, the first one of a name, and looked for once', () => {
  const container = {
    children: [
      activity('send1', 'Send mail', 'Result', 'status code'),
      activity('silent', undefined),
      activity('send_mail', undefined, 'Result'),
      activity('x', 'SendMail', 'Result'),
    ],
  } as unknown as ActivityNode;
  for (let i = 0; i < 2; i++)
    expect([...outputsByAccessor(container)]).toEqual([
      ['ResultFromSendMail', { activityName: 'Send mail', outputName: 'Result' }],
      ['StatusCodeFromSendMail', { activityName: 'Send mail', outputName: 'status code' }],
    ]);
  expect(reads).toBe(4);
});
