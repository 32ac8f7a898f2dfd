import { EventEmitter2 } from '@nestjs/event-emitter';
import { activity, parallel, parallelForEach, type WorkflowDefinitionBuilder } from '@waymark/core';
import { Workflow, type WorkflowBuilder } from '@waymark/nestjs';
import { Event, IEventPublisher, IWorkflowRuntime, type WorkflowExecuted, WorkflowEvent } from '@waymark/runtime';
import { Delay } from '@waymark/scheduling';
import { forEachAtOnce } from '../../measure/at-once.js';
import { argument } from '../../processes/serve-parent.js';
import { type NodeArgument, openNode, serveNode } from './node.js';

/** How many branches its instances have. */
const { count } = argument<NodeArgument & { more: { count: number } }>().more;

/** Stimuli that come at the same time. */
const AT_ONCE = 1000;

const items = Array.from({ length: count }, (_, i) => i);
const eventName = (i: number): string => `go-${i}`;
/** All of them are due when the burst that creates them is stored. */
const TIME_SPAN = '00:00:00.0010000';

@Workflow({ id: 'bench-delays' })
class Delays implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    w.root(parallelForEach(items, activity(Delay, { timeSpan: TIME_SPAN })));
  }
}

@Workflow({ id: 'bench-stimuli' })
class Stimuli implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    w.root(parallelForEach(items, (item) => activity(Event, { eventName: (scope) => eventName(item.get(scope)) })));
  }
}

@Workflow({ id: 'bench-parallel' })
class InParallel implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    w.root(parallel(items.map(() => activity(Delay, { timeSpan: TIME_SPAN }))));
  }
}

const node = await openNode({}, { providers: [Delays, Stimuli, InParallel] });
const events = node.app.get(IEventPublisher);

const finished = new Map<string, () => void>();
node.app
  .get(EventEmitter2, { strict: false })
  .on(WorkflowEvent.WorkflowFinished, ({ workflowInstanceId }: WorkflowExecuted) => {
    finished.get(workflowInstanceId)?.();
    finished.delete(workflowInstanceId);
  });

/** How long it takes from the start until all branches wait, and from then until the last has ended. */
async function runOne(definition: string, goOn?: (instanceId: string) => Promise<unknown>) {
  const client = await node.app.get(IWorkflowRuntime).createClient();
  const id = client.workflowInstanceId;
  const done = new Promise<void>((resolve) => finished.set(id, resolve));
  const begin = performance.now();
  await client.createAndRunInstance({ definition });
  const startMillis = performance.now() - begin;
  await goOn?.(id);
  await done;
  const millis = performance.now() - begin - startMillis;
  const loaded = await node.persistence.instances.load(id);
  if (loaded?.subStatus !== 'Finished') throw new Error(`${definition} is ${loaded?.subStatus}.`);
  await node.persistence.instances.delete([id]);
  return { startMillis, millis };
}

/** What the cheapest of some resumes costs, each of one branch in a burst of its own, while all others continue waiting. */
async function resumeOneByOne(warmUps: number, resumes: number): Promise<{ cpuMillis: number; millis: number }> {
  const client = await node.app.get(IWorkflowRuntime).createClient();
  await client.createAndRunInstance({ definition: 'bench-stimuli' });
  const { bookmarks } = await client.exportState();
  const least = { cpuMillis: Infinity, millis: Infinity };
  for (const [index, { id: bookmarkId }] of bookmarks.slice(0, warmUps + resumes).entries()) {
    const [begin, cpuBegin] = [performance.now(), process.cpuUsage()];
    await client.runInstance({ bookmarkId });
    const { user, system } = process.cpuUsage(cpuBegin);
    const millis = performance.now() - begin;
    // As requests come, one turn of the event loop each: in memory all resumes were one turn, for which others had to wait.
    await new Promise((resolve) => setImmediate(resolve));
    if (index < warmUps) continue;
    least.cpuMillis = Math.min(least.cpuMillis, (user + system) / 1000);
    least.millis = Math.min(least.millis, millis);
  }
  await node.persistence.instances.delete([client.workflowInstanceId]);
  return least;
}

serveNode(node, {
  oneByOne: ({ warmUps, resumes }: { warmUps: number; resumes: number }) => resumeOneByOne(warmUps, resumes),
  delays: () => runOne('bench-delays'),
  parallel: () => runOne('bench-parallel'),
  /** As many clients would. */
  stimuli: () =>
    runOne('bench-stimuli', (workflowInstanceId) =>
      forEachAtOnce(count, AT_ONCE, (i) => events.publish(eventName(i), { workflowInstanceId, payload: i })),
    ),
  /** Through the outbox. */
  dispatched: () =>
    runOne('bench-stimuli', (workflowInstanceId) =>
      forEachAtOnce(count, AT_ONCE, (i) => events.dispatch(eventName(i), { workflowInstanceId, payload: i })),
    ),
});
