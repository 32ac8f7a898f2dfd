import { expect } from '@jest/globals';
import { isWaymarkError } from '@waymark/core';
import { bookmarkHash } from '@waymark/core/adapter';
import {
  IBookmarkQueue,
  IBookmarkResumer,
  IEventPublisher,
  ITaskReporter,
  IUserTaskService,
  IWorkflowDefinitionPublisher,
  IWorkflowDispatcher,
  IWorkflowRuntime,
  type TaskPerson,
  type UserTaskRecord,
  AlterationPlans,
  BulkPlans,
} from '@waymark/runtime';
import { EVENT_STIMULUS, sha256 } from '@waymark/runtime/adapter';
import { line, literal, sequence, startedBy, waitFor } from '../support/runtime-node.js';
import type { Place, Scenario, Step } from './fault-world.js';

const HOUR_MS = 3_600_000;

const child = (type: string, definitionId: string, more = {}) => ({
  type,
  id: 'Child',
  workflowDefinitionId: literal(definitionId),
  waitForCompletion: literal(true, 'Boolean'),
  ...more,
});
const delay = { type: 'Elsa.Delay', id: 'Delay', timeSpan: literal('01:00:00', 'TimeSpan') };

/** Starts the workflow with this name, at most once for each number. */
export const start =
  (name: string, number = 1, triggerActivityId?: string): Step =>
  async ({ node, key }) => {
    const client = await node.get(IWorkflowRuntime).createClient();
    const keys = { requestKey: `${key}-${name}-${number}`, correlationId: key };
    const request = { definition: `${key}-${name}`, triggerActivityId, ...keys };
    await unlessDone(client.createAndRunInstance(request), 'WM7007');
  };

/** Starts it without a key, and does not ask again when there is no answer. */
const startOnce = (name: string): Step => {
  const asked = new Set<string>();
  return async ({ node, key }) => {
    if (asked.has(key)) return;
    asked.add(key);
    const client = await node.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition: `${key}-${name}`, correlationId: key }).catch(() => undefined);
  };
};

const published = new Set<string>();
const answered = new Set<string>();

/** Publishes an event, and does not do it again when there is no answer. */
const publishOnce =
  (event: string): Step =>
  async ({ node, key }) => {
    if (published.has(key)) return;
    published.add(key);
    const publishing = node.get(IEventPublisher).publish(`${key}-${event}`);
    await publishing.then(() => answered.add(key)).catch(() => undefined);
  };

/** Sends an event, which counts once. */
export const send =
  (event: string): Step =>
  ({ node, key }) => {
    const activityTypeName = EVENT_STIMULUS;
    const stimulusHash = bookmarkHash(sha256, activityTypeName, { eventName: `${key}-${event}` });
    return node.get(IBookmarkQueue).enqueue({ activityTypeName, stimulusHash, idempotencyKey: `${key}-${event}` });
  };

/** Gives the variable of all instances another value. Which plan it is says the id: a repeated one is refused. */
const alter =
  (name: string): Step =>
  ({ node, key }) =>
    node.get(AlterationPlans).submit({
      id: `${key}-plan`,
      alterations: [{ type: 'ModifyVariable', variableId: 'v', value: 2 }],
      filter: { definitionIds: [`${key}-${name}`] },
    });

/** Cancels all instances. Which plan it is says the id, as with alterations. */
const cancelAll =
  (name: string): Step =>
  ({ node, key }) => {
    const filters = [{ definitionIds: [`${key}-${name}`] }];
    return node.get(BulkPlans).submit({ action: 'CancelInstances', filters }, { id: `${key}-bulk` });
  };

export const settle: Step = ({ node }) => node.settled();
export const pass =
  (ms: number): Step =>
  ({ clock }) =>
    clock.advance(ms);

/** A client that repeats a request learns when it had come through: that is an answer, not a failure. */
async function unlessDone(work: Promise<unknown>, ...codes: string[]): Promise<void> {
  await work.catch((error: unknown) => {
    if (!codes.some((code) => isWaymarkError(error, code))) throw error;
  });
}

export async function instancesOf({ store, key }: Place, name: string): Promise<string[]> {
  return store.instances.findIds({ definitionIds: [`${key}-${name}`] });
}

/** The workflow has that many instances, each ended like that, with these activities completed once and in this order. */
export async function expectInstances(at: Place, name: string, count: number, subStatus: string, completed: string[]) {
  const ids = await instancesOf(at, name);
  expect(ids).toHaveLength(count);
  for (const id of ids) {
    expect((await at.store.instances.load(id))?.subStatus).toBe(subStatus);
    const log = await at.store.journal.readLog(id);
    expect(log.filter((e) => e.eventName === 'Completed').map((e) => e.activityId)).toEqual(completed);
    expect(await at.store.bookmarks.findMany({ workflowInstanceId: id })).toHaveLength(
      subStatus === 'Suspended' ? 1 : 0,
    );
  }
}

/** No message and no stimulus is left, neither waiting nor a dead letter. */
async function expectNothingLeft({ store }: Place): Promise<void> {
  expect(await store.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
  const { items } = await store.queue.findDeadLetters({});
  // Or every play after this one would fail as well.
  await store.queue.deleteDeadLetters(items.map(({ id }) => id));
  expect(items.map((letter) => letter.reason)).toEqual([]);
}

export function scenario(name: string, parts: Omit<Scenario, 'name'>): Scenario {
  const check = async (at: Place): Promise<void> => {
    await parts.check(at);
    await expectNothingLeft(at);
  };
  return { ...parts, name, check };
}

const ANN: TaskPerson = { user: 'ann', groups: ['clerks'] };
const ASK = {
  type: 'Waymark.UserTask',
  id: 'Ask',
  taskName: literal('check'),
  candidateGroups: literal(['clerks'], 'List<String>'),
  escalateAfter: literal('01:00:00', 'TimeSpan'),
  escalateToUsers: literal(['eve'], 'List<String>'),
};

async function taskOf(at: Place): Promise<UserTaskRecord | undefined> {
  const workflowInstanceIds = await instancesOf(at, 'w');
  return (await at.store.userTasks.findMany({ workflowInstanceIds }, 'Oldest', { limit: 1 })).items[0];
}

export const ENDED = ['S', 'Workflow1'];

export const scenarios: readonly Scenario[] = [
  scenario('a start with a request key', {
    deploy: ({ node, key }) => node.deploy(`${key}-w`, sequence('S', line('A', 'a'), line('B', 'b'))),
    steps: [start('w')],
    check: (at) => expectInstances(at, 'w', 1, 'Finished', ['A', 'B', ...ENDED]),
  }),

  scenario('a start by a trigger, with a request key, stored after each activity', {
    deploy: ({ node, key }) => {
      const options = { commitStrategyName: 'ActivityExecuted' };
      return node.deploy(`${key}-w`, sequence('S', waitFor('E', `${key}-go`, startedBy), line('B', 'b')), { options });
    },
    steps: [start('w', 1, 'E')],
    check: (at) => expectInstances(at, 'w', 1, 'Finished', ['E', 'B', ...ENDED]),
  }),

  scenario('a plan of alterations, over two instances', {
    deploy: ({ node, key }) =>
      node.deploy(`${key}-w`, sequence('S', waitFor('E', `${key}-go`), line('B', 'b')), {
        variables: [
          { id: 'v', name: 'V', typeName: 'Int32', value: 1, storageDriverTypeName: 'WorkflowInstanceStorageDriver' },
        ],
      }),
    steps: [start('w', 1), start('w', 2), alter('w'), settle],
    check: async (at) => {
      await expectInstances(at, 'w', 2, 'Suspended', []);
      const found = await at.store.alterations.find(`${at.key}-plan`);
      expect(found?.plan.status).toBe('Completed');
      const jobs = found!.jobs.map(({ status, log }) => [status, log?.map(({ eventName }) => eventName)]);
      const done = ['Completed', ['Alteration ModifyVariable succeeded']];
      expect(jobs).toEqual([done, done]);
      for (const { workflowInstanceId } of found!.jobs) {
        const log = await at.store.journal.readLog(workflowInstanceId);
        expect(log.filter((e) => e.eventName === 'Altered').map((e) => e.message)).toEqual(['ModifyVariable v']);
      }
    },
  }),

  scenario('a bulk plan, over two instances', {
    deploy: ({ node, key }) => node.deploy(`${key}-w`, sequence('S', waitFor('E', `${key}-go`), line('B', 'b'))),
    steps: [start('w', 1), start('w', 2), cancelAll('w'), settle],
    check: async (at) => {
      await expectInstances(at, 'w', 2, 'Cancelled', []);
      const plan = await at.store.bulkPlans.find(`${at.key}-bulk`);
      expect(plan).toMatchObject({ status: 'Completed', selected: 2, visited: 2, failed: 0 });
      for (const id of await instancesOf(at, 'w')) {
        const log = await at.store.journal.readLog(id);
        expect(log.filter((e) => e.eventName === 'Canceled' && e.activityId === 'E')).toHaveLength(1);
      }
    },
  }),

  scenario('a resume by bookmark id', {
    deploy: ({ node, key }) => node.deploy(`${key}-w`, sequence('S', waitFor('E', `${key}-go`), line('B', 'b'))),
    steps: [
      start('w'),
      async (at) => {
        const [instanceId] = await instancesOf(at, 'w');
        const [bookmark] = await at.store.bookmarks.findMany({ workflowInstanceId: instanceId! });
        if (bookmark) await unlessDone(at.node.get(IBookmarkResumer).resumeById(bookmark.id), 'WM3004');
      },
    ],
    check: (at) => expectInstances(at, 'w', 1, 'Finished', ['E', 'B', ...ENDED]),
  }),

  scenario('an event before its bookmark, which counts once', {
    deploy: ({ node, key }) =>
      node.deploy(`${key}-w`, sequence('S', waitFor('E', `${key}-go`), line('B', 'b'), waitFor('F', `${key}-go`))),
    steps: [send('go'), start('w'), settle],
    check: (at) => expectInstances(at, 'w', 1, 'Suspended', ['E', 'B']),
  }),

  scenario('an event after its bookmark', {
    deploy: ({ node, key }) =>
      node.deploy(`${key}-w`, sequence('S', waitFor('E', `${key}-go`), line('B', 'b'), waitFor('F', `${key}-go`))),
    steps: [start('w'), send('go'), settle],
    check: (at) => expectInstances(at, 'w', 1, 'Suspended', ['E', 'B']),
  }),

  scenario('an event from a workflow for several that wait, and wait again', {
    deploy: async ({ node, key }) => {
      await node.deploy(
        `${key}-w`,
        sequence('S', waitFor('E', `${key}-go`), line('B', 'b'), waitFor('F', `${key}-go`)),
      );
      const event = { type: 'Elsa.PublishEvent', id: 'P', eventName: literal(`${key}-go`) };
      await node.deploy(`${key}-p`, sequence('S', event));
    },
    steps: [start('w', 1), start('w', 2), start('w', 3), start('p'), settle],
    check: (at) => expectInstances(at, 'w', 3, 'Suspended', ['E', 'B']),
  }),

  scenario('an event, sent once, for more than a call resumes', {
    deploy: ({ node, key }) =>
      node.deploy(`${key}-w`, sequence('S', waitFor('E', `${key}-go`), line('B', 'b'), waitFor('F', `${key}-go`))),
    steps: [start('w', 1), start('w', 2), start('w', 3), publishOnce('go'), settle],
    check: async (at) => {
      const [first] = await instancesOf(at, 'w');
      const log = await at.store.journal.readLog(first!);
      const isResumed = log.some(({ eventName, activityId }) => eventName === 'Completed' && activityId === 'E');
      // Nothing is stored when the node died before: then all of them wait, and the sender knows of no answer.
      expect(isResumed || !answered.has(at.key)).toBe(true);
      await expectInstances(at, 'w', 3, 'Suspended', isResumed ? ['E', 'B'] : []);
    },
  }),

  scenario('a dispatch', {
    deploy: ({ node, key }) => node.deploy(`${key}-w`, sequence('S', line('A', 'a'))),
    steps: [
      ({ node, key }) =>
        node.get(IWorkflowDispatcher).dispatch({ definition: `${key}-w`, workflowInstanceId: `${key}-instance` }),
      settle,
    ],
    check: (at) => expectInstances(at, 'w', 1, 'Finished', ['A', ...ENDED]),
  }),

  ...['Elsa.ExecuteWorkflow', 'Elsa.DispatchWorkflow'].map((type) =>
    scenario(`${type} of a child that waits`, {
      deploy: async ({ node, key }) => {
        await node.deploy(`${key}-kid`, sequence('S', waitFor('E', `${key}-grow`), line('K', 'kid')));
        await node.deploy(`${key}-w`, sequence('S', child(type, `${key}-kid`), line('P', 'parent')));
      },
      steps: [start('w'), settle, send('grow'), settle],
      check: async (at) => {
        await expectInstances(at, 'kid', 1, 'Finished', ['E', 'K', ...ENDED]);
        await expectInstances(at, 'w', 1, 'Finished', ['Child', 'P', ...ENDED]);
      },
    }),
  ),

  scenario('children that run at once, for a client that does not come back', {
    deploy: async ({ node, key }) => {
      await node.deploy(`${key}-grandkid`, sequence('S', line('G', 'grandkid')));
      await node.deploy(
        `${key}-kid`,
        sequence('S', child('Elsa.ExecuteWorkflow', `${key}-grandkid`), line('K', 'kid')),
      );
      await node.deploy(`${key}-w`, sequence('S', child('Elsa.ExecuteWorkflow', `${key}-kid`), line('P', 'parent')));
    },
    steps: [startOnce('w'), settle],
    check: async (at) => {
      // Whoever has been started has somebody who started it, and both come to their end.
      if ((await instancesOf(at, 'w')).length === 0) {
        expect([await instancesOf(at, 'kid'), await instancesOf(at, 'grandkid')]).toEqual([[], []]);
        return;
      }
      await expectInstances(at, 'w', 1, 'Finished', ['Child', 'P', ...ENDED]);
      await expectInstances(at, 'kid', 1, 'Finished', ['Child', 'K', ...ENDED]);
      await expectInstances(at, 'grandkid', 1, 'Finished', ['G', ...ENDED]);
    },
  }),

  scenario('children in bulk', {
    deploy: async ({ node, key }) => {
      await node.deploy(`${key}-kid`, sequence('S', line('K', 'kid')));
      const items = { items: literal([1, 2, 3], 'Object') };
      await node.deploy(
        `${key}-w`,
        sequence('S', child('Elsa.BulkDispatchWorkflows', `${key}-kid`, items), line('P', 'parent')),
      );
    },
    steps: [start('w'), settle],
    check: async (at) => {
      await expectInstances(at, 'kid', 3, 'Finished', ['K', ...ENDED]);
      await expectInstances(at, 'w', 1, 'Finished', ['Child', 'P', ...ENDED]);
    },
  }),

  scenario('a task', {
    deploy: ({ node, key }) =>
      node.deploy(
        `${key}-w`,
        sequence('S', { type: 'Elsa.RunTask', id: 'T', taskName: literal('pack') }, line('B', 'b')),
      ),
    steps: [
      start('w'),
      settle,
      async (at) => {
        const [instanceId] = await instancesOf(at, 'w');
        const [bookmark] = await at.store.bookmarks.findMany({ workflowInstanceId: instanceId! });
        const taskId = (bookmark?.payload as { taskId: string } | undefined)?.taskId;
        if (taskId !== undefined) await at.node.get(ITaskReporter).reportCompletion(taskId, 'packed');
      },
      settle,
    ],
    check: (at) => expectInstances(at, 'w', 1, 'Finished', ['T', 'B', ...ENDED]),
  }),

  scenario('a cancellation that reaches a child', {
    deploy: async ({ node, key }) => {
      await node.deploy(`${key}-kid`, sequence('S', waitFor('E', `${key}-never`)));
      await node.deploy(`${key}-w`, sequence('S', child('Elsa.DispatchWorkflow', `${key}-kid`)));
    },
    steps: [
      start('w'),
      settle,
      async (at) => {
        const [instanceId] = await instancesOf(at, 'w');
        await (await at.node.get(IWorkflowRuntime).createClient(instanceId)).cancel();
      },
      settle,
    ],
    check: async (at) => {
      await expectInstances(at, 'w', 1, 'Cancelled', []);
      // A child that was not started yet never is.
      const kids = await instancesOf(at, 'kid');
      if (kids.length > 0) await expectInstances(at, 'kid', 1, 'Cancelled', []);
    },
  }),

  scenario('a delay', {
    deploy: ({ node, key }) => node.deploy(`${key}-w`, sequence('S', delay, line('B', 'b'))),
    steps: [start('w'), pass(HOUR_MS), settle],
    check: async (at) => {
      await at.clock.advance(HOUR_MS);
      await at.node.settled();
      await expectInstances(at, 'w', 1, 'Finished', ['Delay', 'B', ...ENDED]);
    },
  }),

  scenario('a task for people, escalated, claimed and completed', {
    deploy: ({ node, key }) => node.deploy(`${key}-w`, sequence('S', ASK, line('B', 'b'))),
    steps: [
      start('w'),
      pass(HOUR_MS),
      settle,
      async (at) => at.node.get(IUserTaskService).claim(ANN, (await taskOf(at))!.id),
      async (at) => unlessDone(at.node.get(IUserTaskService).complete(ANN, (await taskOf(at))!.id), 'WM2072'),
      settle,
    ],
    check: async (at) => {
      await at.clock.advance(HOUR_MS);
      await at.node.settled();
      await expectInstances(at, 'w', 1, 'Finished', ['Ask', 'B', ...ENDED]);
      const task = await taskOf(at);
      expect(task).toMatchObject({ status: 'Completed', completedBy: 'ann' });
      const { events } = await at.store.userTasks.findEvents(task!.id, { limit: 10 });
      // The timer of a node that died may have been due when the task had ended already.
      const kinds = events
        .map(({ kind }) => kind)
        .filter((kind, index, all) => kind !== 'Escalated' || all.indexOf(kind) !== index);
      expect(kinds).toEqual(['Created', 'Claimed', 'Completed']);
    },
  }),

  scenario('a timer that starts a workflow', {
    deploy: async ({ node, clock, key }) => {
      const dateTime = literal(new Date(clock.now() + HOUR_MS).toISOString(), 'DateTimeOffset');
      const startAt = { type: 'Elsa.StartAt', id: 'At', dateTime, ...startedBy };
      await node.deploy(`${key}-w`, sequence('S', startAt, line('B', 'b')));
    },
    steps: [pass(HOUR_MS), settle],
    check: async (at) => {
      await at.clock.advance(HOUR_MS);
      await at.node.settled();
      await expectInstances(at, 'w', 1, 'Finished', ['At', 'B', ...ENDED]);
    },
  }),

  scenario('a publication', {
    deploy: ({ node, key }) =>
      node.deploy(`${key}-w`, sequence('S', waitFor('E', `${key}-old`, startedBy), line('Old', 'old'))),
    steps: [
      ({ node, key }) => {
        const root = sequence('S', waitFor('E', `${key}-new`, startedBy), line('New', 'new'));
        return node.get(IWorkflowDefinitionPublisher).saveAndPublish({ definitionId: `${key}-w`, root });
      },
    ],
    check: async ({ store, key }) => {
      const { items } = await store.definitions.findMany({ definitionId: `${key}-w` });
      const published = items.filter((d) => d.isPublished);
      expect(published).toHaveLength(1);
      const triggers = await store.triggers.findMany({ workflowDefinitionIds: [`${key}-w`] });
      expect(
        triggers.map((t) => [t.workflowDefinitionVersionId, (t.payload as { eventName: string }).eventName]),
      ).toEqual([[published[0]!.id, `${key}-new`]]);
    },
  }),

  scenario('a deletion', {
    deploy: ({ node, key }) => node.deploy(`${key}-w`, sequence('S', waitFor('E', `${key}-never`))),
    steps: [
      start('w'),
      async (at) => {
        const [instanceId] = await instancesOf(at, 'w');
        if (instanceId !== undefined) await (await at.node.get(IWorkflowRuntime).createClient(instanceId)).delete();
      },
    ],
    check: async (at) => {
      expect(await instancesOf(at, 'w')).toEqual([]);
      expect(await at.store.bookmarks.findMany({ correlationId: at.key })).toEqual([]);
    },
  }),
];
