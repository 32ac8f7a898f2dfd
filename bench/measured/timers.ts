import { EventEmitter2 } from '@nestjs/event-emitter';
import { Activity, ActivityBase, type ActivityExecutionContext } from '@waymark/core';
import { serialize } from '@waymark/core/adapter';
import {
  IBookmarkResumer,
  IWorkflowDefinitionPublisher,
  IWorkflowRuntime,
  IWorkflowScheduler,
  type WorkflowExecuted,
  WorkflowEvent,
  type StoredBookmark,
} from '@waymark/runtime';
import { createIdGenerator, type LoadedInstance, SystemClock } from '@waymark/runtime/adapter';
import { forEachAtOnce } from '../measure/at-once.js';
import { now } from '../workflows/cross-node-calls.js';
import {
  type CronKind,
  DELAYED,
  delayedWorkflow,
  everySecondId,
  everySecondWorkflow,
  NOTE,
  type PublishCrons,
  type SeedTimers,
  startedWorkflow,
  type TimerEnd,
} from '../workflows/timers-calls.js';
import type { StateSample } from '../workflows/suspend-resume-calls.js';
import { openNode, serveNode } from './growth/node.js';
import { publish } from './application.js';

/** Commits at the same time: enough to keep a pool of 10 busy. */
const WRITERS = 64;

/** By instance, for which time a cron has started it. */
const startedFor = new Map<string, number>();

@Activity({ type: NOTE })
class Note extends ActivityBase {
  execute(ctx: ActivityExecutionContext): unknown {
    startedFor.set(ctx.workflow.id, (ctx.workflow.input.ScheduledAt as Date).getTime());
    return ctx.complete();
  }
}

const node = await openNode({}, { providers: [Note] });
const { app, persistence } = node;
const newId = createIdGenerator(new SystemClock());

let ends: TimerEnd[] = [];
app
  .get(EventEmitter2, { strict: false })
  .on(WorkflowEvent.WorkflowFinished, ({ workflowInstanceId: id, state }: WorkflowExecuted) => {
    const dueAt = startedFor.get(id) ?? state.createdAt.getTime();
    startedFor.delete(id);
    ends.push({ id, definitionId: state.definitionId, dueAt, at: now() });
  });

/** The states that the ceiling has to read and to write. */
async function states(): Promise<StateSample> {
  await publish(app, delayedWorkflow);
  const client = await app.get(IWorkflowRuntime).createClient();
  await client.createAndRunInstance({ definition: DELAYED });
  const id = client.workflowInstanceId;
  const waiting = serialize(await client.exportState());
  const [bookmark] = await persistence.bookmarks.findMany({ workflowInstanceId: id });
  await app.get(IBookmarkResumer).resumeById(bookmark!.id);
  const finished = serialize(await client.exportState());
  await client.delete();
  return { waiting, finished };
}

/** One that waits, to be copied. */
async function sample(): Promise<{ instance: LoadedInstance; bookmark: StoredBookmark }> {
  await publish(app, delayedWorkflow);
  const client = await app.get(IWorkflowRuntime).createClient();
  await client.createAndRunInstance({ definition: DELAYED });
  const id = client.workflowInstanceId;
  const instance = await persistence.instances.load(id);
  const [bookmark] = await persistence.bookmarks.findMany({ workflowInstanceId: id });
  await client.delete();
  return { instance: instance!, bookmark: bookmark! };
}

/** Instances that wait, each with a due time of its own, which its row repeats as the time of its creation. */
async function seed({ count, firstAt, overMillis }: SeedTimers): Promise<void> {
  const { instance, bookmark } = await sample();
  const { revision: _revision, ...record } = instance;
  await forEachAtOnce(count, WRITERS, async (n) => {
    const id = newId();
    const dueAt = new Date(firstAt + Math.floor((n * overMillis) / count));
    const row = { ...bookmark, id: newId(), workflowInstanceId: id, dueAt };
    const bookmarks = record.state.bookmarks.map((each) => ({ ...each, id: row.id, dueAt }));
    await persistence.commit({
      instance: { ...record, id, createdAt: dueAt, state: { ...record.state, id, createdAt: dueAt, bookmarks } },
      expectedRevision: undefined,
      addedBookmarks: [row],
      removedBookmarkIds: [],
      consumedBookmarkIds: [],
      journal: { log: [], records: [] },
      outbox: [],
      consumedMessageIds: [],
      queue: [],
      consumedQueueItemIds: [],
    });
  });
}

const PAGE = 10_000;

/** Bursts beyond the first that instances have written, on any node. Stored without a journal, each has one burst. */
async function doubledBursts(): Promise<number> {
  const written = new Set<string>();
  let doubled = 0;
  for (let after = 0; ;) {
    const writes = await persistence.journal.findWrites(after, PAGE);
    for (const { workflowInstanceId } of writes) {
      if (written.has(workflowInstanceId)) doubled++;
      written.add(workflowInstanceId);
    }
    if (writes.length < PAGE) return doubled;
    after = writes.at(-1)!.number;
  }
}

async function begin(n: number, kind: CronKind): Promise<void> {
  if (kind !== 'own crons') return void (await publish(app, everySecondWorkflow(n, kind === 'guarded crons')));
  const definition = everySecondId(n);
  await publish(app, startedWorkflow(n));
  await app.get(IWorkflowScheduler).scheduleCron(definition, '* * * * * *', { definition }, { misfire: 'all' });
}

serveNode(node, {
  states,
  seed,
  doubledBursts,
  publishCrons: ({ count, kind }: PublishCrons) => forEachAtOnce(count, 4, (n) => begin(n, kind)),
  retractCrons: ({ count, kind }: PublishCrons) =>
    forEachAtOnce(count, 4, async (n) => {
      if (kind === 'own crons') await app.get(IWorkflowScheduler).unschedule(everySecondId(n));
      else await app.get(IWorkflowDefinitionPublisher).retract(everySecondId(n));
    }),
  ends: () => {
    const taken = ends;
    ends = [];
    return taken;
  },
});
