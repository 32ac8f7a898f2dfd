import { describe, expect, it } from '@jest/globals';
import {
  CandidateAuthorizer,
  IBookmarkResumer,
  ITaskReporter,
  IUserTaskService,
  type TaskPerson,
  type UserTaskChanged,
  type UserTaskEventKind,
  type UserTaskRecord,
  WorkflowEvent,
  WorkflowPersistence,
  AlterationRunner,
} from '@waymark/runtime';
import { act, type Activity, event, js, lit, obj, out, runJs, seq, variable, W } from '../conformance/lib/build.mjs';
import type { Run } from '../support/run.js';
import { uniqueId, useApplication } from '../support/use-application.js';

const test = useApplication();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const ann: TaskPerson = { user: 'ann', groups: ['clerks'] };
const bob: TaskPerson = { user: 'bob', groups: ['clerks', 'managers'] };
const eve: TaskPerson = { user: 'eve', groups: [] };
const root: TaskPerson = { user: 'root', groups: [], isManager: true };

const FORM = {
  type: 'object',
  required: ['amount'],
  additionalProperties: false,
  properties: {
    amount: { type: 'integer', minimum: 1 },
    pin: { type: 'string', writeOnly: true, minLength: 4 },
    note: { type: 'string', maxLength: 20 },
  },
};
const texts = (...values: string[]) => lit(values, 'List<String>');
const clerks = { candidateGroups: texts('clerks') };
const ask = (members: object = {}, id = 'Ask'): Activity =>
  act('Waymark.UserTask', id, { taskName: lit('check'), possibleOutcomes: texts('Approve', 'Reject'), ...members });

const tasks = () => test.app.get(IUserTaskService);
const store = () => test.app.get(WorkflowPersistence).userTasks;
async function taskOf(run: { id: string }): Promise<UserTaskRecord> {
  const { items } = await store().findMany({ workflowInstanceIds: [run.id] }, 'Oldest', { limit: 10 });
  expect(items).toHaveLength(1);
  return items[0]!;
}
async function opened(members: object = {}): Promise<{ run: Run; task: UserTaskRecord }> {
  const run = await test.run(seq('S', [ask({ ...clerks, ...members }), W('w', 'after')]));
  expect(run.incidents).toEqual([]);
  return { run, task: await taskOf(run) };
}
const codeOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => 'done',
    ({ code }: { code: string }) => code,
  );
const kindsOf = async ({ id }: UserTaskRecord) =>
  (await store().findEvents(id, { limit: 100 })).events.map(({ kind }) => kind);
const heard = (kind: UserTaskEventKind, { id }: UserTaskRecord): Promise<UserTaskChanged> =>
  test.app.bed.waitForEvent(WorkflowEvent[`UserTask${kind}`], { where: ({ taskId }) => taskId === id });

describe('A task', () => {
  it('is there as soon as its instance waits, with what the activity says', async () => {
    const { run, task } = await opened({
      title: lit('Check the order'),
      instructions: lit('Look twice.'),
      data: obj({ order: 7 }),
      priority: lit(80, 'Int32'),
      dueIn: lit('2.00:00:00', 'TimeSpan'),
      form: lit(FORM, 'ObjectDictionary'),
    });
    expect([run.status, run.waitingAt]).toEqual(['Suspended', ['Ask', 'Ask']]);
    expect(task).toMatchObject({
      ...{ workflowInstanceId: run.id, activityId: 'Ask', name: 'check', title: 'Check the order' },
      ...{ instructions: 'Look twice.', data: { order: 7 }, priority: 80, candidateGroups: ['clerks'] },
      ...{ outcomes: ['Approve', 'Reject'], form: FORM, status: 'Open', assignee: undefined },
    });
    expect(task.dueAt?.getTime()).toBe(test.app.clock.now() + 2 * DAY);
    expect((await heard('Created', task)).task).toEqual(task);
  });

  it('continues the workflow with the outcome and the submitted values', async () => {
    const values = variable('V', 'Object');
    const by = variable('B', 'String');
    const run = await test.run(
      seq('S', [
        ask({ ...clerks, form: lit(FORM, 'ObjectDictionary'), result: out(values), completedBy: out(by) }),
        W('w', js('`${getV().amount} ${getB()} ${getOutputFrom("Ask", "Outcome")}`')),
      ]),
      { variables: [values, by] },
    );
    const task = await taskOf(run);
    const ended = await tasks().complete(ann, task.id, { outcome: 'Reject', values: { amount: 5, note: 'no' } });
    expect(ended).toMatchObject({
      ...{ status: 'Completed', completedBy: 'ann', outcome: 'Reject', values: { amount: 5, note: 'no' } },
    });
    const after = await run.again();
    expect([after.status, after.lines, after.outcomes('Ask')]).toEqual(['Finished', ['5 ann Reject'], [['Reject']]]);
    expect((await heard('Completed', task)).by).toBe('ann');
    expect(await kindsOf(task)).toEqual(['Created', 'Completed']);
  });

  it('a task with invalid values, or without an outcome, remains open', async () => {
    const { task } = await opened({ form: lit(FORM, 'ObjectDictionary') });
    const complete = (values: unknown, outcome = 'Approve') => tasks().complete(ann, task.id, { outcome, values });
    await expect(complete({ amount: 0, extra: 1, pin: '12' })).rejects.toMatchObject({
      code: 'WM2074',
      errors: {
        'values.amount': [expect.any(String)],
        'values.extra': ['is not a field of the form'],
        'values.pin': [expect.any(String)],
      },
    });
    await expect(complete(undefined)).rejects.toMatchObject({
      code: 'WM2074',
      errors: { 'values.amount': ['is missing'] },
    });
    expect(await codeOf(complete({ amount: 1n }))).toBe('WM2074');
    expect(await codeOf(complete({ amount: 1 }, 'Maybe'))).toBe('WM2075');
    expect(await codeOf(tasks().complete(ann, task.id, { values: { amount: 1 } }))).toBe('WM2075');
    expect(await store().find(task.id)).toEqual(task);
  });

  it('is completed by the service only', async () => {
    const { run, task } = await opened();
    await test.app.get(IBookmarkResumer).resumeById(task.id, { input: { outcome: 'Approve' } });
    await test.app.get(ITaskReporter).reportCompletion(task.id, 'Approve');
    await test.app.settled();
    const after = await run.again();
    expect([after.status, after.events('Refused')]).toEqual(['Suspended', ['Ask']]);
    expect(await codeOf(tasks().complete(ann, task.id, { outcome: 'Approve' }))).toBe('done');
    expect((await run.again()).status).toBe('Finished');
  });

  it('keeps sensitive values out of its row, the journal and messages', async () => {
    const v = variable('V', 'Object');
    const run = await test.run(
      seq('S', [
        ask({ ...clerks, form: lit(FORM, 'ObjectDictionary'), result: out(v) }),
        event('E', uniqueId('never')),
      ]),
      { variables: [v] },
    );
    const task = await taskOf(run);
    const values = { amount: 1, pin: 'q7x' + 'y9', note: 'fine' };
    const ended = await tasks().complete(ann, task.id, { outcome: 'Approve', values });
    expect(ended.values).toEqual({ amount: 1, pin: '(redacted)', note: 'fine' });
    const after = await run.again();
    expect(JSON.stringify([after.records, after.log, await store().findEvents(task.id, { limit: 9 })])).not.toContain(
      'q7xy9',
    );
    // The workflow asked for it.
    expect(after.variables).toMatchObject({ [v.id]: values });
  });
});

describe('People', () => {
  it('claim, release and delegate, if they are allowed to', async () => {
    const { task } = await opened();
    expect(await codeOf(tasks().find(eve, task.id))).toBe('WM2070');
    expect(await codeOf(tasks().claim(eve, task.id))).toBe('WM2070');
    expect((await tasks().claim(ann, task.id)).assignee).toBe('ann');
    expect((await tasks().claim(ann, task.id)).revision).toBe(2);
    expect(await codeOf(tasks().claim(bob, task.id))).toBe('WM2073');
    expect(await codeOf(tasks().complete(bob, task.id, { outcome: 'Approve' }))).toBe('WM2073');
    expect(await codeOf(tasks().release(bob, task.id))).toBe('WM2071');
    expect(await codeOf(tasks().delegate(bob, task.id, 'bob'))).toBe('WM2071');
    expect((await tasks().delegate(ann, task.id, 'eve', 'on leave')).assignee).toBe('eve');
    expect((await tasks().release(eve, task.id)).assignee).toBeUndefined();
    expect((await tasks().delegate(root, task.id, 'ann')).assignee).toBe('ann');
    expect(await codeOf(tasks().complete(root, task.id, { outcome: 'Approve' }))).toBe('done');
    expect(await codeOf(tasks().claim(bob, task.id))).toBe('WM2072');
    expect(await codeOf(tasks().comment(bob, task.id, 'late'))).toBe('WM2072');
    const { events } = await tasks().history(root, task.id);
    expect(events.map(({ kind, by, to, text }) => [kind, by, to, text].filter((each) => each !== undefined))).toEqual([
      ['Created'],
      ['Claimed', 'ann'],
      ['Delegated', 'ann', 'eve', 'on leave'],
      ['Released', 'eve'],
      ['Delegated', 'root', 'ann'],
      ['Completed', 'root'],
    ]);
    for (const kind of ['Claimed', 'Delegated', 'Released'] as const)
      expect((await heard(kind, task)).workflowInstanceId).toBe(task.workflowInstanceId);
  });

  it('comment on what they may see', async () => {
    const { task } = await opened();
    await tasks().comment(ann, task.id, '  Who knows more?  ');
    expect(await codeOf(tasks().comment(eve, task.id, 'me'))).toBe('WM2070');
    for (const text of ['', '   ', 'x'.repeat(10_001)])
      expect(await codeOf(tasks().comment(bob, task.id, text))).toBe('WM2078');
    const { events } = await tasks().history(bob, task.id);
    expect(events.at(-1)).toMatchObject({ kind: 'Commented', by: 'ann', text: 'Who knows more?' });
  });

  it('a login without a user, groups or a boolean may do nothing with an unclaimed task', async () => {
    const { run, task } = await opened();
    const { id } = task;
    const lost: readonly unknown[] = [
      ...[undefined, null, '', ' ', 5].map((user) => ({ user, groups: ['clerks'] })),
      ...[undefined, 'clerks', [1]].map((groups) => ({ user: 'ann', groups })),
      { user: 'eve', groups: [], isManager: 'false' },
      undefined,
    ];
    for (const person of lost as readonly TaskPerson[]) {
      const attempts = [
        tasks().list(person),
        tasks().find(person, id),
        tasks().history(person, id),
        tasks().claim(person, id),
        tasks().release(person, id),
        tasks().delegate(person, id, 'eve'),
        tasks().comment(person, id, 'mine'),
        tasks().complete(person, id, { outcome: 'Approve' }),
      ];
      expect(await Promise.all(attempts.map(codeOf))).toEqual(attempts.map(() => 'WM2078'));
      await expect(attempts[1]).rejects.toThrow(/of a person .* must be .*\. Check how the application determines/);
    }
    expect([(await run.again()).status, await store().find(id)]).toEqual(['Suspended', task]);
    const authorizer = new CandidateAuthorizer();
    const everything = ['see', 'claim', 'release', 'delegate', 'complete', 'comment on'] as const;
    const permitted = (person: object) =>
      everything.filter((action) => authorizer.mayDo(person as TaskPerson, action, task));
    expect(permitted({ groups: [] })).toEqual([]);
    expect(permitted({ user: 'eve', groups: [], isManager: 'false' })).toEqual([]);
    expect(permitted(root)).toEqual(everything);
  });

  it('people have lists of their own', async () => {
    const group = uniqueId('group');
    const [mia, max] = [
      { user: uniqueId('mia'), groups: [group] },
      { user: uniqueId('max'), groups: [] },
    ];
    const given = await opened({ candidateGroups: texts(group), assignee: lit(max.user) });
    const free = await opened({ candidateGroups: texts(group), priority: lit(90, 'Int32') });
    const own = await opened({ candidateGroups: texts(), candidateUsers: texts(mia.user) });
    const listed = async (person: TaskPerson, query: object = {}) =>
      (await tasks().list(person, query)).items.map(({ id }) => id);
    expect(await listed(mia)).toEqual([free.task.id, own.task.id].sort());
    expect(await listed(mia, { order: 'Priority' })).toEqual([free.task.id, own.task.id]);
    expect(await listed(max)).toEqual([given.task.id]);
    await tasks().claim(mia, own.task.id);
    expect(await listed(mia, { scope: 'Assigned' })).toEqual([own.task.id]);
    expect(await listed(mia, { scope: 'Available' })).toEqual([free.task.id]);
    await tasks().complete(mia, own.task.id, { outcome: 'Approve' });
    expect(await listed(mia, { scope: 'Completed' })).toEqual([own.task.id]);
    expect(await listed(root, { scope: 'All', workflowInstanceIds: [given.run.id, own.run.id] })).toEqual([
      given.task.id,
    ]);
    expect(await codeOf(tasks().list(mia, { scope: 'All' }))).toBe('WM2071');
    expect(await listed(mia, { groups: [group] })).toEqual([free.task.id]);
    expect(await codeOf(tasks().list(max, { groups: [group] }))).toBe('WM2071');
    expect(await codeOf(tasks().list(mia, { limit: 0 }))).toBe('WM2078');
    expect(await codeOf(tasks().list(mia, { after: 'nonsense' }))).toBe('WM2078');
    const first = await tasks().list(mia, { limit: 1 });
    expect([first.items.length, first.next === undefined]).toEqual([1, false]);
  });
});

describe('Time', () => {
  it('reminds as often as its definition says, until the task is done', async () => {
    const { run, task } = await opened({
      remindEvery: lit('1.00:00:00', 'TimeSpan'),
      maxReminders: lit(3, 'Int32'),
    });
    await test.app.advance(2 * DAY);
    expect(await kindsOf(task)).toEqual(['Created', 'Reminded', 'Reminded']);
    expect((await heard('Reminded', task)).at.getTime()).toBe(task.createdAt.getTime() + DAY);
    await test.app.advance(5 * DAY);
    expect(await kindsOf(task)).toEqual(['Created', 'Reminded', 'Reminded', 'Reminded']);
    expect((await run.again()).waitingAt).toEqual(['Ask']);
    await tasks().complete(ann, task.id, { outcome: 'Approve' });
    await test.app.advance(5 * DAY);
    expect(await kindsOf(task)).toEqual(['Created', 'Reminded', 'Reminded', 'Reminded', 'Completed']);
  });

  it('tells when a task is due, and escalates it to others', async () => {
    const { task } = await opened({
      dueIn: lit('08:00:00', 'TimeSpan'),
      escalateAfter: lit('1.00:00:00', 'TimeSpan'),
      escalateToGroups: texts('managers'),
      escalatedPriority: lit(95, 'Int32'),
    });
    await tasks().claim(ann, task.id);
    await test.app.advance(8 * HOUR);
    expect(await kindsOf(task)).toEqual(['Created', 'Claimed', 'Due']);
    await test.app.advance(DAY);
    const now = await tasks().find(bob, task.id);
    expect(now).toMatchObject({ priority: 95, assignee: undefined, candidateGroups: ['clerks', 'managers'] });
    expect(now.escalatedAt?.getTime()).toBe(task.createdAt.getTime() + DAY);
    expect((await heard('Escalated', task)).task).toEqual(now);
    const manager = { user: 'max', groups: ['managers'] };
    expect(await codeOf(tasks().complete(manager, task.id, { outcome: 'Approve' }))).toBe('done');
    expect(await kindsOf(task)).toEqual(['Created', 'Claimed', 'Due', 'Escalated', 'Completed']);
  });

  it('is there once after a retry, where its variable did not take the result', async () => {
    const count = variable('V', 'Int32');
    const members = { ...clerks, result: out(count), dueIn: lit('2.00:00:00', 'TimeSpan') };
    const run = await test.run(seq('S', [ask(members)]), { variables: [count], options: { strictConversions: true } });
    const { id, activityInstanceId } = await taskOf(run);
    await tasks()
      .complete(ann, id, { outcome: 'Approve', values: { amount: 1 } })
      .catch(() => undefined);
    expect((await run.again()).status).toBe('Faulted');
    await test.app.get(AlterationRunner).run(run.id, [{ type: 'ScheduleActivity', activityInstanceId }]);
    const filter = { workflowInstanceIds: [run.id], statuses: ['Open' as const] };
    const { items } = await store().findMany(filter, 'Oldest', { limit: 10 });
    expect([items.length, (await run.again()).waitingAt]).toEqual([1, ['Ask', 'Ask']]);
  });

  it('escalates when the task is due, where nothing else is said', async () => {
    const { task } = await opened({ dueIn: lit('08:00:00', 'TimeSpan'), escalateToUsers: texts('eve') });
    await test.app.advance(8 * HOUR);
    expect((await tasks().find(eve, task.id)).candidateUsers).toEqual(['eve']);
  });
});

describe('A task ends as cancelled', () => {
  it('a task is cancelled with its instance', async () => {
    const { run, task } = await opened();
    await run.cancel();
    expect(await kindsOf(task)).toEqual(['Created', 'Cancelled']);
    expect(await codeOf(tasks().complete(ann, task.id, { outcome: 'Approve' }))).toBe('WM2072');
    expect((await heard('Cancelled', task)).task?.status).toBe('Cancelled');
  });

  it('a task is cancelled with its branch', async () => {
    const name = uniqueId('over');
    const branches = [ask(clerks), seq('B', [event('E', name), act('Elsa.Break', 'Stop')])];
    const loop = act('Elsa.While', 'L', {
      condition: lit(true, 'Boolean'),
      body: { ...seq('P', branches), type: 'Elsa.Parallel' },
    });
    const run = await test.run(seq('S', [loop, event('Later', uniqueId('later'))]));
    const task = await taskOf(run);
    const after = await run.event(name);
    expect([after.status, after.waitingAt]).toEqual(['Suspended', ['Later']]);
    expect((await store().find(task.id))?.status).toBe('Cancelled');
    expect(await codeOf(tasks().claim(ann, task.id))).toBe('WM2072');
  });

  it('a task is cancelled by a fault, and open again after the repair', async () => {
    const name = uniqueId('fault');
    const isBroken = variable('Broken', 'Boolean', 'true');
    const fragile = runJs('F', 'if (getBroken()) throw new Error("broken")');
    const branches = [ask(clerks), seq('B', [event('E', name), fragile])];
    const run = await test.run({ ...seq('P', branches), type: 'Elsa.Parallel' }, { variables: [isBroken] });
    const task = await taskOf(run);
    const faulted = await run.event(name);
    expect([faulted.status, (await store().find(task.id))?.status]).toEqual(['Faulted', 'Cancelled']);
    await test.app.get(AlterationRunner).run(run.id, [
      { type: 'ModifyVariable', variableId: isBroken.id, value: false },
      { type: 'ScheduleActivity', activityId: 'F' },
    ]);
    await test.app.settled();
    expect((await run.again()).waitingAt).toEqual(['Ask']);
    expect(await store().find(task.id)).toEqual(task);
    expect(await codeOf(tasks().complete(ann, task.id, { outcome: 'Approve' }))).toBe('done');
    expect((await run.again()).status).toBe('Finished');
  });

  it('a task is deleted with its instance', async () => {
    const { run, task } = await opened();
    await test.app.get(WorkflowPersistence).instances.delete([run.id]);
    expect(await codeOf(tasks().find(root, task.id))).toBe('WM2070');
  });

  it('a task without its bookmark is cancelled, at the latest when it is completed', async () => {
    const { run, task } = await opened();
    const { stored } = await run.cancel();
    // As a node leaves it behind that knows nothing of tasks.
    const { id, workflowInstanceId } = task;
    await test.app.get(WorkflowPersistence).commit({
      ...{
        instance: stored,
        expectedRevision: stored.revision,
        journal: { log: [], records: [] },
      },
      ...{ addedBookmarks: [], removedBookmarkIds: [], consumedBookmarkIds: [], outbox: [], consumedMessageIds: [] },
      ...{ queue: [], consumedQueueItemIds: [] },
      userTasks: {
        ...{ at: task.createdAt, opened: [task], reopenedIds: [id], completed: [], cancelledIds: [] },
        events: [{ id: uniqueId('event'), taskId: id, workflowInstanceId, kind: 'Created', at: task.createdAt }],
      },
    });
    expect((await store().find(id))?.status).toBe('Open');
    expect(await codeOf(tasks().complete(ann, id, { outcome: 'Approve' }))).toBe('WM2072');
    expect((await store().find(id))?.status).toBe('Cancelled');
  });
});

describe('Invalid inputs fault the activity', () => {
  it.each<[string, object, RegExp]>([
    ['no name', { taskName: lit('') }, /TaskName is empty/],
    [
      'a form with a pattern',
      { form: lit({ properties: { a: { pattern: '(a+)+' } } }, 'ObjectDictionary') },
      /form\.a has "pattern"/,
    ],
    ['a form with a reference', { form: lit({ $ref: '#' }, 'ObjectDictionary') }, /"\$ref"/],
    ['a priority', { priority: lit(101, 'Int32') }, /from 0 to 100/],
    ['a priority after its escalation', { escalatedPriority: lit(500, 'Int32') }, /EscalatedPriority .* from 0 to 100/],
    ['a span', { dueIn: lit('-1:00:00', 'TimeSpan') }, /DueIn must be a time span above zero/],
    ['a name that is too long', { candidateUsers: texts('x'.repeat(251)) }, /up to 250 characters/],
    [
      'too many candidates',
      { candidateUsers: texts(...Array.from({ length: 201 }, (_, n) => `u${n}`)) },
      /more than 200/,
    ],
  ])('an activity with invalid inputs faults: %s', async (_, members, message) => {
    const run = await test.run(seq('S', [ask(members)]));
    expect([run.status, run.incidents[0]]).toEqual(['Faulted', expect.stringMatching(message)]);
  });
});
