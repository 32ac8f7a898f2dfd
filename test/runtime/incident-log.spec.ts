import { afterEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { IEventPublisher, IWorkflowRuntime, MemoryPersistence } from '@waymark/runtime';
import { literal, sequence, startNode, waitFor } from '../support/runtime-node.js';

const fault = (id: string, message: string) => ({
  type: 'Elsa.Fault',
  id,
  code: literal('E1'),
  category: literal('Test'),
  faultType: literal('Business'),
  message: literal(message),
});

afterEach(() => void jest.restoreAllMocks());

it('an incident is logged once, with the instance, the activity and the reason', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const lines = () => warn.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('incident'));
  const node = await startNode(new MemoryPersistence());
  const options = { incidentStrategyType: 'ContinueWithIncidentsStrategy' };
  await node.deploy(
    'breaks',
    { type: 'Elsa.Parallel', id: 'P', activities: [fault('F', 'out of coal'), sequence('S', waitFor('E', 'go'))] },
    { options },
  );
  const client = await node.get(IWorkflowRuntime).createClient();
  await client.createAndRunInstance({ definition: 'breaks' });
  const first = lines();
  await node.get(IEventPublisher).publish('go');
  await node.settled();
  await node.close();
  expect(first).toEqual([
    expect.stringMatching(new RegExp(`"${client.workflowInstanceId}".*"breaks".*F.*out of coal`)),
  ]);
  expect(lines()).toHaveLength(1);
});
