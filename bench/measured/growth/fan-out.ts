import { IEventPublisher, IWorkflowRuntime } from '@waymark/runtime';
import { FAN_OUT, FAN_OUT_EVENT, type FanOutChoice } from '../../workflows/fan-out.js';
import { seedWaiting } from '../seed-waiting.js';
import { openNode, serveNode } from './node.js';

/** A node whose instances wait for one event, each with a state of so many bytes. */
const node = await openNode();
const { app, persistence } = node;
const { bytes } = node.argument.more as FanOutChoice;
const publisher = app.get(IEventPublisher);

serveNode(node, {
  /** All copies of one that the engine made. */
  seed: async (count: number): Promise<void> => {
    const client = await app.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition: FAN_OUT, input: { data: 'x'.repeat(bytes) } });
    if (count > 1) await seedWaiting(persistence, client.workflowInstanceId, count - 1);
  },
  /** How many had been resumed when the call returned. */
  publish: async (): Promise<number> => (await publisher.publish(FAN_OUT_EVENT)).resumed.length,
});
