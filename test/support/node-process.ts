// A node of a cluster as a process of its own, driven over IPC; killed with -9 by the tests that start it.
import 'reflect-metadata';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ActivityJson } from '@waymark/core';
import { WorkflowModule } from '@waymark/nestjs';
import {
  AlterationPlans,
  BulkAction,
  BulkPlans,
  IBookmarkResumer,
  IEventPublisher,
  IWorkflowDefinitionPublisher,
  IWorkflowRuntime,
  IWorkflowStarter,
  WorkflowEvent,
  WorkflowPersistence,
} from '@waymark/runtime';
import { ShiftedClock } from '@waymark/testing';
import { TypeOrmPersistence } from '@waymark/typeorm';

export interface NodeSettings {
  readonly url: string;
  readonly tablePrefix: string;
  /** How far its clock is ahead of the real time, in milliseconds. */
  readonly aheadMs?: number;
  /** How much longer each of its commits takes, in milliseconds: so that a test finds it during its work. */
  readonly commitMs?: number;
  /** As of the runtime's options. */
  readonly maxDeliveryAttempts?: number | undefined;
}

/** What a node can be asked to do. */
export type NodeCommand =
  | { readonly do: 'deploy'; readonly definitionId: string; readonly root: ActivityJson; readonly options?: object }
  | { readonly do: 'run'; readonly definition: string }
  | { readonly do: 'startMany'; readonly definition: string; readonly times: number }
  | { readonly do: 'publishMany'; readonly event: string; readonly times: number }
  | { readonly do: 'fetch'; readonly path: string; readonly times: number }
  | { readonly do: 'count'; readonly definitionId: string }
  | { readonly do: 'cancel'; readonly instanceId: string }
  | { readonly do: 'resume'; readonly bookmarkId: string; readonly times: number }
  | { readonly do: 'publish'; readonly event: string }
  | { readonly do: 'versions'; readonly definitionId: string }
  | { readonly do: 'state'; readonly instanceId: string }
  /** A plan for all instances of a definition. Returns its id. */
  | { readonly do: 'bulk'; readonly action: 'cancel' | 'delete'; readonly definitionId: string }
  | { readonly do: 'schedule'; readonly activityId: string; readonly definitionId: string }
  /** How many of its commits have begun, with `commitMs`. */
  | { readonly do: 'begunCommits' }
  /** How far a plan is: one for bulk work, or one of alterations with how many of its jobs have which status. */
  | { readonly do: 'plan'; readonly planId: string }
  /** Of all instances of a definition: how often each of these activities has an event of that name in their journals. */
  | { readonly do: 'audit'; readonly definitionId: string; readonly eventName: string; readonly activityId: string }
  /** Its state, once it does not wait any more. */
  | { readonly do: 'end'; readonly instanceId: string };

const settings = JSON.parse(process.env.NODE_SETTINGS!) as NodeSettings;
const clock = new ShiftedClock();
await clock.advance(settings.aheadMs ?? 0);
const persistence = TypeOrmPersistence.fromUrl(settings.url, { tablePrefix: settings.tablePrefix });
const { commitMs, maxDeliveryAttempts } = settings;
let begunCommits = 0;
if (commitMs !== undefined) {
  const commit = persistence.commit.bind(persistence);
  persistence.commit = async (burst) => {
    begunCommits++;
    await pause(commitMs);
    return commit(burst);
  };
}
const app = await NestFactory.create<NestFastifyApplication>(
  WorkflowModule.forRoot({
    persistence,
    clock,
    writeLine: () => undefined,
    pollIntervalMs: 100,
    ...(maxDeliveryAttempts !== undefined && { maxDeliveryAttempts }),
  }),
  new FastifyAdapter(),
  { logger: ['error'] },
);
await app.listen(0, '127.0.0.1');
const url = await app.getUrl();

async function stateOf(workflowInstanceId: string) {
  const { instances, journal, bookmarks } = app.get(WorkflowPersistence);
  const subStatus = (await instances.load(workflowInstanceId))?.subStatus;
  const log = await journal.readLog(workflowInstanceId);
  return {
    subStatus,
    waiting: (await bookmarks.findMany({ workflowInstanceId })).length,
    completed: log.filter((e) => e.eventName === 'Completed').map((e) => e.activityId),
  };
}

async function alterationPlan(planId: string) {
  const plans = app.get(AlterationPlans);
  // Read first: when it has ended, all of its jobs have.
  const status = (await plans.findPlan(planId))?.status;
  const jobs: Record<string, number> = {};
  for await (const some of plans.jobs(planId)) for (const job of some) jobs[job.status] = (jobs[job.status] ?? 0) + 1;
  return { status, jobs };
}

async function audit(definitionId: string, eventName: string, activityId: string) {
  const { instances, journal } = app.get(WorkflowPersistence);
  const times: Record<number, number> = {};
  const subStatuses: Record<string, number> = {};
  for (const id of await instances.findIds({ definitionIds: [definitionId] })) {
    const log = await journal.readLog(id);
    const count = log.filter((entry) => entry.eventName === eventName && entry.activityId === activityId).length;
    times[count] = (times[count] ?? 0) + 1;
    const { subStatus = '' } = (await instances.load(id)) ?? {};
    subStatuses[subStatus] = (subStatuses[subStatus] ?? 0) + 1;
  }
  return { times, subStatuses };
}

async function serve(command: NodeCommand): Promise<unknown> {
  switch (command.do) {
    case 'deploy': {
      const { definitionId, root, options = {} } = command;
      const result = await app
        .get(IWorkflowDefinitionPublisher)
        .saveAndPublish({ definitionId, name: definitionId, root, options });
      return result.problems;
    }
    case 'run':
      return (await app.get(IWorkflowRuntime).createClient()).createAndRunInstance({ definition: command.definition });
    case 'resume': {
      const resumer = app.get(IBookmarkResumer);
      const attempts = Array.from({ length: command.times }, () => resumer.resumeById(command.bookmarkId));
      const results = await Promise.allSettled(attempts);
      return results.map((r) =>
        r.status === 'fulfilled' ? 'won' : ((r.reason as { code?: string }).code ?? String(r.reason)),
      );
    }
    case 'startMany': {
      const starter = app.get(IWorkflowStarter);
      const { definition } = command;
      const answers = await Promise.all(Array.from({ length: command.times }, () => starter.start({ definition })));
      return answers.filter((a) => !a.cannotStart).length;
    }
    case 'publishMany': {
      const publisher = app.get(IEventPublisher);
      const answers = await Promise.all(Array.from({ length: command.times }, () => publisher.publish(command.event)));
      return answers.map(({ started }) => started.length);
    }
    case 'fetch': {
      const answers = Array.from({ length: command.times }, async () => {
        const response = await fetch(`${url}/workflows/${command.path}`);
        return `${response.status} ${await response.text()}`;
      });
      return Promise.all(answers);
    }
    case 'count':
      return app.get(WorkflowPersistence).instances.count({ definitionIds: [command.definitionId] });
    case 'cancel':
      return (await app.get(IWorkflowRuntime).createClient(command.instanceId)).cancel();
    case 'publish':
      return (await app.get(IEventPublisher).publish(command.event)).resumed.length;
    case 'versions': {
      const { items } = await app
        .get(WorkflowPersistence)
        .instances.findMany({ definitionIds: [command.definitionId], statuses: ['Finished'] });
      const counts: Record<string, number> = {};
      for (const { version } of items) counts[version] = (counts[version] ?? 0) + 1;
      return counts;
    }
    case 'bulk': {
      const action = command.action === 'cancel' ? BulkAction.CancelInstances : BulkAction.DeleteInstances;
      return app.get(BulkPlans).submit({ action, filters: [{ definitionIds: [command.definitionId] }] });
    }
    case 'schedule': {
      const { activityId, definitionId } = command;
      const alterations = [{ type: 'ScheduleActivity', activityId } as const];
      return app.get(AlterationPlans).submit({ alterations, filter: { definitionIds: [definitionId] } });
    }
    case 'begunCommits':
      return begunCommits;
    case 'plan':
      return (await app.get(BulkPlans).find(command.planId)) ?? alterationPlan(command.planId);
    case 'audit':
      return audit(command.definitionId, command.eventName, command.activityId);
    case 'state':
      return stateOf(command.instanceId);
    case 'end':
      for (;;) {
        // Listened for first: it may end while its state is read.
        const next = once(app.get(EventEmitter2), WorkflowEvent.WorkflowStateCommitted);
        const state = await stateOf(command.instanceId);
        if (state.subStatus !== 'Suspended') return state;
        await next;
      }
  }
}

process.on('message', ({ id, command }: { id: number; command: NodeCommand }) => {
  serve(command).then(
    (answer) => process.send!({ id, answer }),
    (error: unknown) => process.send!({ id, error: String((error as Error)?.stack ?? error) }),
  );
});
process.send!({ ready: true });
