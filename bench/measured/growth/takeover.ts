import { EventEmitter2 } from '@nestjs/event-emitter';
import { activity, type WorkflowDefinitionBuilder } from '@waymark/core';
import { Workflow, type WorkflowBuilder } from '@waymark/nestjs';
import { IWorkflowRuntime, type WorkflowExecuted, WorkflowEvent } from '@waymark/runtime';
import { Delay } from '@waymark/scheduling';
import { forEachAtOnce } from '../../measure/at-once.js';
import { openNode, serveNode } from './node.js';

const DELAYS = 'bench-takeover';
const AT_ONCE = 32;

@Workflow({ id: DELAYS })
class Delayed implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    w.root(activity(Delay, { timeSpan: (scope) => String(scope.getInput('timeSpan')) }));
  }
}

const node = await openNode({}, { providers: [Delayed] });
const runtime = node.app.get(IWorkflowRuntime);

/** Of instances that ended on this node: when. */
const ends: { id: string; definitionId: string; at: number }[] = [];
node.app
  .get(EventEmitter2, { strict: false })
  .on(WorkflowEvent.WorkflowFinished, ({ workflowInstanceId, state }: WorkflowExecuted) =>
    ends.push({ id: workflowInstanceId, definitionId: state.definitionId, at: Date.now() }),
  );

export interface SeedDelays {
  readonly count: number;
  /** The first of them is due then, the last one so much later; both in milliseconds. */
  readonly firstAt: number;
  readonly overMillis: number;
}

serveNode(node, {
  /** When each instance is due, by id. */
  seed: async ({ count, firstAt, overMillis }: SeedDelays) => {
    const due: Record<string, number> = {};
    await forEachAtOnce(count, AT_ONCE, async (n) => {
      const dueAt = firstAt + (n * overMillis) / count;
      const seconds = (Math.max(0, dueAt - Date.now()) / 1000).toFixed(3).padStart(6, '0');
      const client = await runtime.createClient();
      const { bookmarks } = await client.createAndRunInstance({
        definition: DELAYS,
        input: { timeSpan: `00:00:${seconds}` },
      });
      due[client.workflowInstanceId] = bookmarks[0]?.dueAt?.getTime() ?? dueAt;
    });
    return due;
  },
  ends: () => ends.splice(0),
});
