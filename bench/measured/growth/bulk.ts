import { WorkflowApiModule } from '@waymark/api';
import { IWorkflowRuntime } from '@waymark/runtime';
import { createIdGenerator, type OutboxMessage, SystemClock } from '@waymark/runtime/adapter';
import { forEachAtOnce } from '../../measure/at-once.js';
import { WAITING } from '../../workflows/waiting.js';
import { seedWaiting } from '../seed-waiting.js';
import { openNode, serveNode } from './node.js';

const AT_ONCE = 64;

/** A node with the management API, and instances and dead letters to be managed by it. */
const node = await openNode({}, { imports: [WorkflowApiModule.forRoot({ allowAnonymous: true })] });
const { app, persistence } = node;

async function settledOutbox(): Promise<void> {
  for (;;) {
    const { waiting } = await persistence.outbox.count();
    if (waiting === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

serveNode(node, {
  wait: async (count: number): Promise<void> => {
    const client = await app.get(IWorkflowRuntime).createClient();
    const { workflowInstanceId } = await client.createAndRunInstance({ definition: WAITING });
    await seedWaiting(persistence, workflowInstanceId, count - 1);
  },
  /** Messages that cost next to nothing when they are served. */
  toDeadLetter: async (count: number): Promise<void> => {
    const newId = createIdGenerator(new SystemClock());
    const messages = Array.from({ length: count }, (): OutboxMessage => ({
      id: newId(),
      workflowInstanceId: undefined,
      kind: 'cancel-children',
      payload: { parentInstanceId: newId() },
      createdAt: new Date(),
      // Not before it is a dead letter.
      availableAt: new Date(Date.now() + 3_600_000),
      attempts: 0,
    }));
    for (let from = 0; from < count; from += 500) await persistence.outbox.add(messages.slice(from, from + 500));
    await forEachAtOnce(count, AT_ONCE, (number) =>
      persistence.outbox.moveToDeadLetters(messages[number]!.id, 'on purpose'),
    );
  },
  settledOutbox,
});
