import { type UserTaskEvent, type UserTaskRecord, type UserTaskOrder } from '@waymark/runtime';
import {
  type BurstCommit,
  taskList,
  type UserTaskChanges,
  type WorkflowInstanceRecord,
} from '@waymark/runtime/adapter';
import { aBookmark, aBurst, after, anInstance, finished, T0, uid } from '../builders.js';
import { type ContractContext, outcomes } from './contract-context.js';

/** `UserTaskStore`, and what commits do to tasks. */
export function userTasksContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  const anEvent = (task: UserTaskRecord, given: Partial<UserTaskEvent> = {}): UserTaskEvent => ({
    id: uid('event'),
    taskId: task.id,
    workflowInstanceId: task.workflowInstanceId,
    kind: 'Created',
    at: T0,
    ...given,
  });
  const changes = (given: Partial<UserTaskChanges>): UserTaskChanges => ({
    ...{ at: after(1000), opened: [], reopenedIds: [], completed: [], cancelledIds: [], events: [] },
    ...given,
  });
  const aTask = (instance: WorkflowInstanceRecord, given: Partial<UserTaskRecord> = {}): UserTaskRecord => ({
    id: uid('task'),
    workflowInstanceId: instance.id,
    workflowDefinitionId: instance.definitionId,
    activityId: 'Ask',
    activityInstanceId: uid('activity'),
    name: 'approve',
    title: 'Schválit žádost ✅',
    priority: 50,
    candidateUsers: [],
    candidateGroups: [],
    outcomes: ['Approve', 'Reject'],
    status: 'Open',
    createdAt: T0,
    updatedAt: T0,
    revision: 1,
    ...given,
  });
  /** An instance with these tasks, each at its bookmark. */
  async function opened(...given: Partial<UserTaskRecord>[]): Promise<{
    instance: WorkflowInstanceRecord;
    tasks: UserTaskRecord[];
  }> {
    const instance = anInstance();
    const tasks = given.map((each) => aTask(instance, each));
    await context.store.commit(
      aBurst(instance, {
        addedBookmarks: tasks.map(({ id }) => aBookmark(instance.id, { id })),
        userTasks: changes({ opened: tasks, events: tasks.map((task) => anEvent(task)) }),
      }),
    );
    return { instance, tasks };
  }
  const completing = (
    instance: WorkflowInstanceRecord,
    task: UserTaskRecord,
    by = 'ann',
    given: Partial<BurstCommit> = {},
  ): BurstCommit =>
    aBurst(instance, {
      expectedRevision: 1,
      removedBookmarkIds: [task.id],
      userTasks: changes({
        completed: [{ id: task.id, revision: task.revision, by, outcome: 'Approve', values: { note: 'ok' } }],
        events: [anEvent(task, { kind: 'Completed', by, outcome: 'Approve', at: after(1000) })],
      }),
      ...given,
    });
  const idsOf = async (lists: readonly string[], order: UserTaskOrder = 'Oldest') =>
    (await context.otherNode.userTasks.findMany({ lists }, order, { limit: 100 })).items.map(({ id }) => id);
  async function pages(lists: readonly string[], order: UserTaskOrder, limit: number): Promise<string[]> {
    const ids: string[] = [];
    for (let next: string | undefined, count = 0; count < 50; count++) {
      const page = await context.store.userTasks.findMany({ lists }, order, { limit, after: next });
      ids.push(...page.items.map(({ id }) => id));
      next = page.next;
      if (next === undefined) return ids;
    }
    throw new Error('There is no end of pages.');
  }

  describe('tasks for people', () => {
    it('are stored with the commit of their bookmark, and returned as they were', async () => {
      const form = { type: 'object', properties: { password: { type: 'string' } } };
      const full = {
        ...{
          correlationId: 'order 7',
          instructions: 'Look at it.',
          form,
          data: { at: T0, sum: 12.5 },
          dueAt: after(5),
        },
        ...{ candidateUsers: ['ann', 'Bob '], candidateGroups: ['staff'], assignee: 'eve', priority: 0 },
      };
      const { instance, tasks } = await opened(full, {});
      expect(await context.otherNode.userTasks.find(tasks[0]!.id)).toEqual(tasks[0]);
      expect(await context.otherNode.userTasks.find(tasks[1]!.id)).toEqual(tasks[1]);
      expect(await context.store.userTasks.find(uid('absent'))).toBeUndefined();
      const refused = aTask(instance);
      const conflict = aBurst(instance, { expectedRevision: 9, userTasks: changes({ opened: [refused] }) });
      expect(await outcomes([context.store.commit(conflict)])).toEqual({ WM7001: 1 });
      expect(await context.store.userTasks.find(refused.id)).toBeUndefined();
    });

    it('are on the lists of their candidates until they are claimed', async () => {
      const [ann, bob, staff] = [uid('ann'), uid('bob'), uid('staff')];
      const { tasks } = await opened({ candidateUsers: [ann], candidateGroups: [staff] }, { candidateGroups: [staff] });
      const [first, second] = tasks as [UserTaskRecord, UserTaskRecord];
      expect(await idsOf([taskList.candidateUser(ann)])).toEqual([first.id]);
      expect(await idsOf([taskList.candidateUser(ann), taskList.candidateGroup(staff)])).toEqual([first.id, second.id]);
      const { userTasks } = context.store;
      const claim = anEvent(first, { kind: 'Claimed', by: bob });
      expect(await userTasks.update({ ...first, assignee: bob, updatedAt: after(1) }, claim)).toBe('updated');
      expect(await idsOf([taskList.candidateUser(ann), taskList.candidateGroup(staff)])).toEqual([second.id]);
      expect(await idsOf([taskList.assigned(bob)])).toEqual([first.id]);
      const claimed = await userTasks.find(first.id);
      expect(claimed).toEqual({ ...first, assignee: bob, updatedAt: after(1), revision: 2 });
      await userTasks.update({ ...claimed!, assignee: undefined }, anEvent(first, { kind: 'Released', by: bob }));
      expect(await idsOf([taskList.candidateUser(ann)])).toEqual([first.id]);
      expect(await idsOf([taskList.assigned(bob)])).toEqual([]);
    });

    it('are changed by one of several at the same time, and once for an event', async () => {
      const { tasks } = await opened({});
      const task = tasks[0]!;
      const claims = Array.from({ length: 6 }, (_, n) =>
        (n % 2 ? context.store : context.otherNode).userTasks.update(
          { ...task, assignee: `user ${n}` },
          anEvent(task, { kind: 'Claimed' }),
        ),
      );
      const answers = await Promise.all(claims);
      expect(answers.filter((answer) => answer === 'updated')).toHaveLength(1);
      expect(answers.filter((answer) => answer === 'changed')).toHaveLength(5);
      const { userTasks } = context.store;
      const event = anEvent(task, { kind: 'Reminded' });
      const now = (await userTasks.find(task.id))!;
      expect(await userTasks.update(now, event)).toBe('updated');
      expect(await userTasks.update({ ...now, revision: now.revision + 1 }, event)).toBe('known');
      expect((await userTasks.find(task.id))?.revision).toBe(3);
      expect(await userTasks.update(aTask(anInstance()), anEvent(task))).toBe('changed');
    });

    it('are completed by one commit, at the revision that it has read', async () => {
      const ann = uid('ann');
      const { instance, tasks } = await opened({ candidateUsers: [ann] });
      const task = tasks[0]!;
      const stale = completing(instance, { ...task, revision: 7 }, ann);
      expect(await outcomes([context.store.commit(stale)])).toEqual({ WM2076: 1 });
      expect((await context.store.userTasks.find(task.id))?.status).toBe('Open');
      const attempts = [context.store, context.otherNode].map((node) => node.commit(completing(instance, task, ann)));
      expect(await outcomes(attempts)).toEqual({ fulfilled: 1, WM7001: 1 });
      expect(await context.store.userTasks.find(task.id)).toEqual({
        ...task,
        ...{ status: 'Completed', completedBy: ann, outcome: 'Approve', values: { note: 'ok' } },
        ...{ endedAt: after(1000), updatedAt: after(1000), revision: 2 },
      });
      expect(await idsOf([taskList.candidateUser(ann)])).toEqual([]);
      expect(await idsOf([taskList.completed(ann)], 'Newest')).toEqual([task.id]);
      const { events } = await context.store.userTasks.findEvents(task.id, { limit: 10 });
      expect(events.map(({ kind, by }) => [kind, by])).toEqual([
        ['Created', undefined],
        ['Completed', ann],
      ]);
    });

    it('are not completed when they were claimed since, nor when they have ended', async () => {
      const { instance, tasks } = await opened({}, {});
      const [task, other] = tasks as [UserTaskRecord, UserTaskRecord];
      await context.otherNode.userTasks.update({ ...task, assignee: 'bob' }, anEvent(task, { kind: 'Claimed' }));
      expect(await outcomes([context.store.commit(completing(instance, task))])).toEqual({ WM2076: 1 });
      await context.store.commit(completing(instance, other));
      const again = completing(instance, { ...other, revision: 2 }, 'bob', { expectedRevision: 2 });
      expect(await outcomes([context.store.commit(again)])).toEqual({ WM2076: 1 });
      expect((await context.store.userTasks.find(task.id))?.assignee).toBe('bob');
    });

    it('are completed before their workflow resumes, once and at the given revision', async () => {
      const { store, otherNode } = context;
      const ann = uid('ann');
      const { instance, tasks } = await opened({ candidateUsers: [ann] }, { candidateUsers: [ann] });
      const [task, other] = tasks as [UserTaskRecord, UserTaskRecord];
      const done = { id: task.id, revision: task.revision, by: ann, outcome: 'Approve', values: { note: 'ok' } };
      const at = after(700);
      const event = anEvent(task, { kind: 'Completed', by: ann, outcome: 'Approve', at });
      expect(await store.userTasks.complete({ ...done, revision: 7 }, event)).toBe('changed');
      const rival = anEvent(task, { kind: 'Completed', by: ann, at });
      const answers = await Promise.all([
        store.userTasks.complete(done, event),
        otherNode.userTasks.complete(done, rival),
      ]);
      expect(answers.toSorted()).toEqual(['changed', 'updated']);
      const winner = answers[0] === 'updated' ? event : rival;
      expect(await otherNode.userTasks.complete(done, winner)).toBe('known');
      const ended = {
        ...task,
        ...{ status: 'Completed', completedBy: ann, outcome: 'Approve', values: { note: 'ok' } },
        ...{ endedAt: at, updatedAt: at, revision: 2 },
      };
      expect(await otherNode.userTasks.find(task.id)).toEqual(ended);
      expect(await idsOf([taskList.candidateUser(ann)])).toEqual([other.id]);
      const { events } = await store.userTasks.findEvents(task.id, { limit: 10 });
      expect(events.map(({ kind }) => kind)).toEqual(['Created', 'Completed']);
      // The instance is cancelled before it goes on: what the person did stays.
      const gone = { expectedRevision: 1, removedBookmarkIds: [task.id, other.id] };
      const userTasks = changes({ cancelledIds: [task.id, other.id] });
      await store.commit(aBurst(instance, { ...gone, userTasks }));
      expect(await store.userTasks.find(task.id)).toEqual(ended);
      expect((await store.userTasks.find(other.id))?.status).toBe('Cancelled');
      expect(await idsOf([taskList.completed(ann)])).toEqual([task.id]);
      expect(await idsOf([taskList.candidateUser(ann)])).toEqual([]);
    });

    it('are cancelled with their bookmark, and open again with it', async () => {
      const staff = uid('staff');
      const { instance, tasks } = await opened({ candidateGroups: [staff] }, { candidateGroups: [staff] });
      const [task, done] = tasks as [UserTaskRecord, UserTaskRecord];
      await context.store.commit(completing(instance, done));
      const cancelledIds = [task.id, done.id];
      const events = [anEvent(task, { kind: 'Cancelled', at: after(2000) })];
      const at = after(2000);
      await context.store.commit(
        aBurst(finished(instance), { expectedRevision: 2, userTasks: changes({ at, cancelledIds, events }) }),
      );
      const { userTasks } = context.otherNode;
      expect(await userTasks.find(task.id)).toEqual({
        ...task,
        ...{ status: 'Cancelled', endedAt: at, updatedAt: at, revision: 2 },
      });
      expect((await userTasks.find(done.id))?.status).toBe('Completed');
      expect(await idsOf([taskList.candidateGroup(staff)])).toEqual([]);
      const reopened = changes({ opened: [task], reopenedIds: [task.id], events: [anEvent(task)] });
      await context.store.commit(aBurst(instance, { expectedRevision: 3, userTasks: reopened }));
      expect(await userTasks.find(task.id)).toEqual(task);
      expect(await idsOf([taskList.candidateGroup(staff)])).toEqual([task.id]);
      const kinds = (await userTasks.findEvents(task.id, { limit: 10 })).events.map(({ kind }) => kind);
      expect(kinds).toEqual(['Created', 'Cancelled', 'Created']);
    });

    it('without a waiting bookmark are discarded once', async () => {
      const staff = uid('staff');
      const { tasks } = await opened({ candidateGroups: [staff] });
      const task = tasks[0]!;
      const discard = () =>
        context.store.userTasks.discard(task.id, anEvent(task, { kind: 'Cancelled', at: after(9) }));
      await Promise.all([discard(), discard()]);
      expect((await context.store.userTasks.find(task.id))?.status).toBe('Cancelled');
      expect(await idsOf([taskList.candidateGroup(staff)])).toEqual([]);
      expect((await context.store.userTasks.findEvents(task.id, { limit: 10 })).events).toHaveLength(2);
    });

    it('are listed page by page, in every order, each once', async () => {
      const [ann, staff, clerks] = [uid('ann'), uid('staff'), uid('clerks')];
      const { tasks } = await opened(
        ...Array.from({ length: 13 }, (_, n) => ({
          id: `${uid('page')}-${String(n).padStart(3, '0')}`,
          candidateUsers: n % 3 === 0 ? [ann] : [],
          candidateGroups: n % 2 === 0 ? [staff] : [clerks],
          priority: [10, 90, 50][n % 3]!,
          ...(n % 4 === 0 ? {} : { dueAt: after(((n * 7) % 5) * 1000) }),
        })),
      );
      const lists = [taskList.candidateUser(ann), taskList.candidateGroup(staff), taskList.candidateGroup(clerks)];
      const byId = [...tasks].sort((left, right) => (left.id < right.id ? -1 : 1));
      const by = (key: (task: UserTaskRecord) => number) => [...byId].sort((a, b) => key(a) - key(b));
      const expected: Record<UserTaskOrder, UserTaskRecord[]> = {
        Oldest: byId,
        Newest: byId.toReversed(),
        Due: by(({ dueAt }) => dueAt?.getTime() ?? Infinity),
        Priority: by(({ priority }) => -priority),
      };
      for (const order of ['Oldest', 'Newest', 'Due', 'Priority'] as const) {
        const ids = expected[order].map(({ id }) => id);
        expect(await pages(lists, order, 4)).toEqual(ids);
        expect(await pages(lists, order, 100)).toEqual(ids);
      }
      const many = [...Array.from({ length: 120 }, () => taskList.candidateGroup(uid('other'))), ...lists];
      expect(await pages(many, 'Priority', 5)).toEqual(expected.Priority.map(({ id }) => id));
      for (const after of ['x', '~', 'abc~1', '1~', '~1'])
        expect(await outcomes([context.store.userTasks.findMany({ lists }, 'Due', { limit: 1, after })])).toEqual({
          WM2078: 1,
        });
    });

    it('are found by every filter', async () => {
      const staff = uid('staff');
      const { instance, tasks } = await opened(
        { candidateGroups: [staff], name: 'check', priority: 80, correlationId: 'c1' },
        { candidateGroups: [staff], dueAt: after(10) },
        { assignee: 'eve' },
      );
      const [check, due, given] = tasks.map(({ id }) => id);
      const { userTasks } = context.store;
      const found = async (filter: Parameters<typeof userTasks.findMany>[0]) => {
        const page = await userTasks.findMany(filter, 'Oldest', { limit: 50 });
        return page.items.map(({ id }) => id);
      };
      const ofInstance = { workflowInstanceIds: [instance.id] };
      expect(await found(ofInstance)).toEqual([check, due, given].toSorted((a, b) => (a! < b! ? -1 : 1)));
      expect(await found({ ...ofInstance, assignees: ['eve'] })).toEqual([given]);
      expect(await found({ ...ofInstance, statuses: ['Completed'] })).toEqual([]);
      expect(await found({ ...ofInstance, statuses: ['Open', 'Cancelled'], names: ['check'] })).toEqual([check]);
      expect(await found({ ...ofInstance, correlationIds: ['c1'] })).toEqual([check]);
      expect(await found({ ...ofInstance, workflowDefinitionIds: ['no such'] })).toEqual([]);
      const lists = [taskList.candidateGroup(staff)];
      expect(await found({ lists, minPriority: 60 })).toEqual([check]);
      expect(await found({ lists, dueBefore: after(11) })).toEqual([due]);
      expect(await found({ lists, dueBefore: after(10) })).toEqual([]);
      expect(await found({ lists, names: ['check'], workflowInstanceIds: [instance.id] })).toEqual([check]);
      expect(await found({ lists: [] })).toEqual([]);
      for (const text of ['a\u0000', '\ud800', 'x'.repeat(2000)]) {
        expect(await found({ ...ofInstance, names: [text] })).toEqual([]);
        expect(await found({ lists: [taskList.candidateUser(text)] })).toEqual([]);
        expect(await userTasks.find(text)).toBeUndefined();
      }
    });

    it('have a history that is read page by page', async () => {
      const { tasks } = await opened({});
      const { userTasks } = context.store;
      for (let n = 1; n <= 4; n++) {
        const event = anEvent(tasks[0]!, { kind: 'Commented', by: 'ann', text: `${n}`, at: after(n) });
        await userTasks.update((await userTasks.find(tasks[0]!.id))!, event);
      }
      const first = await userTasks.findEvents(tasks[0]!.id, { limit: 3 });
      const second = await userTasks.findEvents(tasks[0]!.id, { limit: 3, after: first.next });
      expect(first.events.map(({ text }) => text)).toEqual([undefined, '1', '2']);
      expect([second.events.map(({ text }) => text), second.next]).toEqual([['3', '4'], undefined]);
      expect(second.events[1]).toMatchObject({ kind: 'Commented', by: 'ann', at: after(4), taskId: tasks[0]!.id });
    });

    it('are deleted with their instance', async () => {
      const staff = uid('staff');
      const { instance, tasks } = await opened({ candidateGroups: [staff] });
      await context.store.instances.delete([instance.id]);
      const { userTasks } = context.otherNode;
      expect(await userTasks.find(tasks[0]!.id)).toBeUndefined();
      expect(await idsOf([taskList.candidateGroup(staff)])).toEqual([]);
      expect((await userTasks.findEvents(tasks[0]!.id, { limit: 9 })).events).toEqual([]);
    });
  });
}
