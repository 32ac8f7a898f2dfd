import { EventEmitter2 } from '@nestjs/event-emitter';
import { IEventPublisher, IWorkflowRuntime, type WorkflowExecuted, WorkflowEvent } from '@waymark/runtime';
import { argument, serveParent } from '../processes/serve-parent.js';
import { APPROVAL, approvalWorkflow, DECIDED } from '../workflows/approval.js';
import { now } from '../workflows/cross-node-calls.js';
import { openApplication, publish } from './application.js';
import { openPersistence, type StoreChoice } from './persistence.js';

/** One node of several that share a database. */
const app = await openApplication({ persistence: openPersistence(argument<StoreChoice>()) });
const runtime = app.get(IWorkflowRuntime);
const publisher = app.get(IEventPublisher);

/** When instances finished on this node, for the first and the last to ask. */
const finished = new Map<string, PromiseWithResolvers>();
app.get(EventEmitter2, { strict: false }).on(WorkflowEvent.WorkflowFinished, ({ state }: WorkflowExecuted) => {
  finishOf(state.correlationId!).resolve(now());
});

interface PromiseWithResolvers {
  readonly promise: Promise<number>;
  readonly resolve: (value: number) => void;
}

function finishOf(correlationId: string): PromiseWithResolvers {
  let entry = finished.get(correlationId);
  if (!entry) {
    let resolve!: (value: number) => void;
    entry = { promise: new Promise((settle) => (resolve = settle)), resolve };
    finished.set(correlationId, entry);
  }
  return entry;
}

serveParent(
  {
    publish: async () => void (await publish(app, approvalWorkflow)),
    /** Answers when it waits, or has gone on already. */
    start: async (correlationId: string): Promise<number> => {
      const client = await runtime.createClient();
      await client.createAndRunInstance({ definition: APPROVAL, correlationId });
      return now();
    },
    /** Answers when it was sent off. */
    send: async (correlationId: string): Promise<number> => {
      const sentAt = now();
      await publisher.publish(DECIDED, { correlationId, payload: { approved: true } });
      return sentAt;
    },
    dispatch: async (correlationId: string): Promise<number> => {
      const sentAt = now();
      await publisher.dispatch(DECIDED, { correlationId, payload: { approved: true } });
      return sentAt;
    },
    finish: (correlationId: string): Promise<number> => finishOf(correlationId).promise,
  },
  () => app.close(),
);
