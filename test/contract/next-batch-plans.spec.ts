import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BulkPlan, WorkflowPersistence } from '@waymark/runtime';
import type {
  AuditEntry,
  BookmarkQueueItem,
  DefinitionChange,
  OutboxMessage,
  StoredSchedule,
  WorkflowInstanceRecord,
} from '@waymark/runtime/adapter';
import { aBurstOf } from '../support/a-burst.js';
import { anInstanceOf } from '../support/an-instance.js';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { analyze, planOf, type SeenStatement, statementsOf } from '../support/query-plans.js';

/** Of each kind of row: so many that a database does not read all of them because they are few. */
const MANY = 1_000;
const FEW = 50;
const AT_ONCE = 64;
const LOT = 100;
const LIMIT = 20;

const DAY = 24 * 3_600_000;
const NOW = new Date('2026-03-01T00:00:00Z');
const ago = (ms: number): Date => new Date(NOW.getTime() - ms);

const idOf = (kind: string, n: number): string => `${kind}-${String(n).padStart(6, '0')}`;

async function eachOf(task: (n: number) => Promise<unknown>, many = MANY): Promise<void> {
  for (let n = 0; n < many; n += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, many - n) }, (_, i) => task(n + i)));
}

/** The same for what takes many at once: single transactions are what costs most. */
async function inLots<T>(make: (n: number) => T, add: (some: T[]) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < MANY; n += LOT) await add(Array.from({ length: LOT }, (_, i) => make(n + i)));
}

function instance(kind: string, n: number, given: Partial<WorkflowInstanceRecord>): WorkflowInstanceRecord {
  const id = idOf(kind, n);
  return { ...anInstanceOf(id), definitionId: kind, createdAt: ago(50 * DAY - n), updatedAt: ago(40 * DAY), ...given };
}

function message(kind: string, n: number): OutboxMessage {
  const at = ago(DAY - n);
  return {
    id: idOf(kind, n),
    workflowInstanceId: undefined,
    kind,
    payload: { n },
    createdAt: at,
    availableAt: at,
    attempts: 0,
  };
}

const item = (kind: string, n: number, expiresAt: Date): BookmarkQueueItem => ({
  id: idOf(kind, n),
  idempotencyKey: idOf(kind, n),
  stimulusHash: `hash ${n % 7}`,
  createdAt: ago(50 * DAY),
  expiresAt,
  attempts: 0,
});

const plan = (n: number): BulkPlan => ({
  id: idOf('plan', n),
  action: 'CancelInstances',
  selection: [{ ids: ['instance'] }],
  status: 'Completed',
  selected: 0,
  isSelected: true,
  visited: 0,
  changed: 0,
  failed: 0,
  failures: [],
  createdAt: ago(DAY - n),
  completedAt: NOW,
});

const DEFINITION = {
  createdAt: NOW,
  isReadonly: false,
  isSystem: false,
  materializerName: 'Json',
  variables: [],
  inputs: [],
  outputs: [],
  outcomes: [],
  customProperties: {},
  options: {},
  root: { type: 'Elsa.Flowchart' },
};

/** A version that was replaced, and the latest one. */
function versionsOf(n: number): DefinitionChange {
  const saved = [1, 2].map((version) => {
    const definitionId = idOf('definition', n);
    const isLatest = version === 2;
    const given = { id: `${definitionId}:${version}`, definitionId, version, isLatest, isPublished: isLatest };
    return { definition: { ...DEFINITION, ...given, name: `Name ${n % 100}` }, expectedRevision: undefined };
  });
  const { id: workflowDefinitionVersionId, definitionId: workflowDefinitionId } = saved[1]!.definition;
  const of = { workflowDefinitionId, workflowDefinitionVersionId, name: 'Elsa.Timer', activityId: 'a', hash: 'hash' };
  // One that is a schedule, one of which few are over, and one that is none.
  const addedTriggers = [ago(-DAY - n), n < FEW ? null : undefined, undefined].map((dueAt, at) => ({
    ...of,
    id: idOf(`trigger-${at}`, n),
    dueAt,
  }));
  return { saved, deletedIds: [], addedTriggers, removedTriggerIds: [] };
}

const schedule = (n: number): StoredSchedule => ({
  id: idOf('schedule', n),
  token: 'token',
  name: 'Elsa.Timer',
  hash: 'hash',
  payload: { interval: '00:01:00' },
  request: {},
  createdAt: NOW,
  ...(n % 2 ? { dueAt: ago(-DAY - n) } : { paused: { at: NOW, dueAt: ago(-DAY - n) } }),
});

const auditEntry = (n: number): AuditEntry => ({
  id: idOf('entry', n),
  at: ago(50 * DAY - n),
  actorKind: 'User',
  action: 'definitions.publish',
  targetIds: [],
  targetCount: 0,
  outcome: 'Succeeded',
  details: {},
});

/** All kinds of rows that are dealt with batch by batch. */
async function seed(store: WorkflowPersistence): Promise<void> {
  const finished = { status: 'Finished', subStatus: 'Finished' } as const;
  await eachOf((n) =>
    store.commit(
      aBurstOf(instance('old', n, { ...finished, finishedAt: ago(40 * DAY - n) }), { requestKey: idOf('key', n) }),
    ),
  );
  // Behind those of the other definition.
  await eachOf((n) => store.commit(aBurstOf(instance('rare', n, { ...finished, finishedAt: ago(39 * DAY - n) }))), FEW);
  await eachOf((n) => store.commit(aBurstOf(instance('interrupted', n, { isExecuting: true }))));
  await eachOf((n) => {
    const waiting = instance('waiting', n, { name: `Name ${n}` });
    const bookmark = {
      id: idOf('bookmark', n),
      name: 'Test.Event',
      hash: `hash of ${n}`,
      workflowInstanceId: waiting.id,
      activityInstanceId: idOf('activity', n),
      createdAt: ago(DAY),
      dueAt: ago(DAY - n),
    };
    return store.commit(aBurstOf(waiting, { addedBookmarks: [bookmark] }));
  });
  await eachOf((n) => store.queue.enqueue(item('expired', n, ago(DAY - n))));
  // Not all at one time, or nothing would be left to sort.
  for (let n = 0; n < MANY / 2; n += FEW)
    await store.queue.expire({ now: new Date(NOW.getTime() + n), limit: FEW, keepDeadLettersMs: 365 * DAY });
  await eachOf((n) => store.queue.enqueue(item('kept', n, new Date(NOW.getTime() + DAY + n))));
  for (const kind of ['start', 'failed'])
    await inLots(
      (n) => message(kind, n),
      (some) => store.outbox.add(some),
    );
  await eachOf((n) => store.outbox.moveToDeadLetters(idOf('failed', n), 'on purpose'));
  await eachOf((n) => store.bulkPlans.submit(plan(n)));
  await inLots(versionsOf, (some) =>
    store.definitions.apply({
      saved: some.flatMap(({ saved }) => saved),
      deletedIds: [],
      addedTriggers: some.flatMap(({ addedTriggers }) => addedTriggers),
      removedTriggerIds: [],
    }),
  );
  await eachOf((n) => store.schedules.put(schedule(n)));
  await inLots(auditEntry, (some) => store.audit.add(some));
}

const FINISHED_LONG_AGO = [{ column: 'FinishedAt', operator: 'LessThan', timestamp: ago(30 * DAY) } as const];
const MIDDLE = Math.floor(MANY / 2);

/** What housekeeping and claims ask for again and again. */
const BATCHES: Readonly<Record<string, (store: WorkflowPersistence) => Promise<unknown>>> = {
  'interrupted bursts': ({ instances }) =>
    instances.findInterrupted({
      quietMs: 1,
      limit: LIMIT,
      unlessMessage: 'take-over/',
      after: idOf('interrupted', MIDDLE),
      now: NOW,
    }),
  'finished instances': ({ instances }) =>
    instances.purge({ exceptDefinitionIds: ['other'], timestamps: FINISHED_LONG_AGO }, LIMIT),
  'finished instances of one definition': ({ instances }) =>
    instances.purge({ definitionIds: ['rare'], timestamps: FINISHED_LONG_AGO }, LIMIT),
  'request keys': ({ instances }) => instances.purgeRequestKeys(new Date(Date.now() + DAY), LIMIT),
  'expired stimuli': ({ queue }) =>
    queue.expire({ now: new Date(NOW.getTime() + 2 * DAY), limit: LIMIT, keepDeadLettersMs: DAY }),
  'undelivered stimuli': ({ queue }) =>
    queue.findDeliverable({ now: NOW, limit: LIMIT, unlessMessage: 'deliver-queued/' }),
  'messages of each lane': ({ outbox }) =>
    outbox.claim({ owner: 'one', limit: LIMIT, long: { limit: LIMIT, fromTurn: 1 }, leaseMs: 1000, now: NOW }),
  'messages, after an answer was lost': ({ outbox }) =>
    outbox.claim({ owner: 'one', limit: LIMIT, leaseMs: 1000, now: NOW, held: [idOf('start', 1)] }),
  'due bookmarks': ({ bookmarks }) =>
    bookmarks.claimDue({ owner: 'one', limit: LIMIT, leaseMs: 1000, lookAheadMs: 1000, now: NOW }),
  'audit entries': ({ audit }) => audit.purge(ago(30 * DAY), LIMIT),
};

const PAGE = { skip: 0, take: LIMIT, countUpTo: 10_000 };
const NEWEST = { by: 'Created', direction: 'Descending' } as const;

/** Of these, thousands may be due at the same time: those of one day at its begin, for example. */
const DUE_AT_ONE_TIME: typeof BATCHES = {
  bookmarks: BATCHES['due bookmarks']!,
  triggers: ({ triggers }) => triggers.findUpcoming({ limit: LIMIT, lookAheadMs: 2 * DAY, now: NOW }),
};

/** First pages, as operators ask for them. */
const PAGES: Readonly<Record<string, (store: WorkflowPersistence) => Promise<unknown>>> = {
  'of all': ({ instances }) => instances.findMany({}, NEWEST, PAGE),
  'of one definition': ({ instances }) => instances.findMany({ definitionIds: ['old'] }, NEWEST, PAGE),
  'that run': ({ instances }) => instances.findMany({ statuses: ['Running'] }, NEWEST, PAGE),
};

const BY_NAME = { by: 'Name', direction: 'Ascending' } as const;

/** Of those that sort by name, MySQL has no index with the id behind the name: that would be too long for it. */
const BY_NAME_PAGES: Readonly<Record<string, (store: WorkflowPersistence) => Promise<unknown>>> = {
  'latest definitions': ({ definitions }) => definitions.findMany({ versionOptions: 'Latest' }, BY_NAME, PAGE),
  'published definitions': ({ definitions }) => definitions.findMany({ versionOptions: 'Published' }, BY_NAME, PAGE),
};

const OTHER_PAGES: Readonly<Record<string, (store: WorkflowPersistence) => Promise<unknown>>> = {
  'messages that failed': ({ outbox }) => outbox.findDeadLetters({}, PAGE),
  'stimuli that failed': ({ queue }) => queue.findDeadLetters({}, PAGE),
  'bulk plans': ({ bulkPlans }) => bulkPlans.findMany(PAGE),
};

const RUNNING = { statuses: ['Running'] } as const;

/** Parts of plans for many instances, each of which would sort all of them. */
const PARTS: Readonly<Record<string, (store: WorkflowPersistence) => Promise<unknown>>> = {
  'the first': ({ instances }) => instances.findIds(RUNNING, { limit: LIMIT / 2 }),
  'one in the middle': ({ instances }) =>
    instances.findIds(RUNNING, { after: idOf('waiting', MIDDLE), limit: LIMIT / 2 }),
  'one of a definition': ({ instances }) =>
    instances.findIds({ definitionIds: ['old'] }, { after: idOf('interrupted', MANY), limit: LIMIT / 2 }),
};

/** What few rows match, by the index that finds them, with what many match. */
const OF_FEW: Readonly<Record<string, (of: WorkflowPersistence) => Promise<unknown>>> = {
  // Asked for each instance that is cancelled.
  instances_parent_instance_id: async ({ instances }) => {
    const children = { ...RUNNING, parentWorkflowInstanceIds: ['parent'] };
    await instances.findIds(children, { limit: LIMIT });
    await instances.findIds({ ...children, subStatuses: ['Suspended'] }, { after: 'child', limit: LIMIT });
    await instances.findMany(children, NEWEST, PAGE);
  },
  // Asked for each start of a CorrelatedSingleton.
  instances_correlation_id: async ({ instances }) => {
    await instances.count({ ...RUNNING, correlationIds: ['order'] });
    await instances.count({ ...RUNNING, definitionIds: [idOf('definition', 0)], correlationIds: ['order'] });
  },
  bookmarks_workflow_instance_id: ({ bookmarks }) =>
    bookmarks.findMany({ names: ['Test.Event'], workflowInstanceId: 'instance' }),
  bookmarks_correlation_id: ({ bookmarks }) => bookmarks.findMany({ names: ['Test.Event'], correlationId: 'order' }),
};

/** What a page of schedules is put together from. */
const STRETCHES = ['triggers_due_at', 'triggers_ended_id', 'schedules_due_at_id'];

describeOn(await testBackends('sqlite', 'mysql', 'postgres'), 'the next batch on $name', (backend) => {
  let store: WorkflowPersistence;

  beforeAll(async () => {
    // Options make tables for it alone: those that other files have used have room in their pages, which plans depend on.
    store = await backend.create({});
    await store.initialize();
    await seed(store);
    await analyze(store, backend.tablePrefix);
  }, 120_000);
  afterAll(async () => {
    await store.close();
    await backend.drop();
  });

  describe.each(Object.keys(BATCHES))('of %s', (name) => {
    it('is read in the order of an index, without sorting what is left', async () => {
      await expectUnsorted(BATCHES[name]!);
    });
  });

  it.each(Object.keys(DUE_AT_ONE_TIME))(
    'the next batch of due %s does not sort those of the same time either',
    async (name) => {
      const statements = await statementsOf(store, () => DUE_AT_ONE_TIME[name]!(store));
      const [batch] = statements.filter(({ sql }) => sql.includes('ORDER BY due_at'));
      const { text } = await planOf(store, batch!);
      expect(text).toContain(`${name}_due_at`);
      expect(text).not.toMatch(/Sort|TEMP B-TREE|filesort/);
    },
  );

  it('the next batch of finished instances of one definition passes over no others', async () => {
    const [statement] = await statementsOf(store, () => BATCHES['finished instances of one definition']!(store));
    const { text } = await planOf(store, statement!);
    expect(text).toContain('instances_definition_id_status_finished_at');
  });

  it.each(Object.keys(PAGES))(
    'the next batch of instances %s is a page that is read in the order of an index',
    async (name) => {
      await expectUnsorted(PAGES[name]!);
    },
  );

  it.each(Object.keys(PARTS))(
    'the next batch of a plan for many instances is read in the order of ids: %s',
    async (name) => {
      const statements = await statementsOf(store, () => PARTS[name]!(store));
      expect(statements.length).toBeGreaterThan(0);
      for (const statement of statements) {
        const { sorts, text } = await planOf(store, statement);
        // The rows of one look may be sorted, which are a range of the primary key: PostgreSQL likes it better where they are few.
        const isOfOneLook = backend.name === 'postgres' && statement.sql.includes('id <= ?') && text.includes('pkey');
        expect([statement.sql, text, sorts && !isOfOneLook]).toEqual([statement.sql, text, false]);
      }
    },
  );

  it('the next batch of a plan is complete, however few of all instances match', async () => {
    const rare = { definitionIds: ['rare'] };
    const found: string[] = [];
    for (let part: string[] | undefined; part?.length !== 0; found.push(...part))
      part = await store.instances.findIds(rare, { after: found.at(-1), limit: 3 });
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(await store.instances.findIds(rare));
  });

  it.each(Object.keys(OTHER_PAGES))(
    'the next batch of %s is a page that is read in the order of an index',
    async (name) => {
      await expectUnsorted(OTHER_PAGES[name]!);
    },
  );

  it.each(Object.keys(BY_NAME_PAGES))(
    'the next batch of %s passes over no versions that are replaced',
    async (name) => {
      const [page] = await statementsOf(store, () => BY_NAME_PAGES[name]!(store));
      const { sorts, text } = await planOf(store, page!);
      expect(text).toMatch(/definitions_is_(latest|published)_name/);
      expect(sorts).toBe(backend.name === 'mysql');
    },
  );

  it('the next batch of schedules sorts no more of any kind than the page may show', async () => {
    const [page] = await statementsOf(store, () => store.schedules.findListed({}, PAGE));
    const { text } = await planOf(store, page!);
    for (const index of STRETCHES) expect(text).toContain(index);
    const [paused] = await statementsOf(store, () => store.schedules.findListed({ paused: true }, PAGE));
    expect(paused!.sql).not.toContain('due_at IS NOT NULL');
  });

  it('the next batch of instances of one name passes over no others', async () => {
    const [statement] = await statementsOf(store, () => store.instances.findMany({ names: ['Name 7'] }, NEWEST, PAGE));
    expect((await planOf(store, statement!)).text).toContain('instances_name');
  });

  it.each(Object.entries(OF_FEW))(
    'the next batch of few rows passes over no others than those of %s',
    async (index, ask) => {
      const seen = await statementsOf(store, () => ask(store));
      expect(seen.length).toBeGreaterThan(0);
      for (const statement of seen) expect((await planOf(store, statement)).text).toContain(index);
    },
  );

  it('the next batch of one definition with many versions reads the wanted one alone', async () => {
    const wanted = { definitionId: idOf('definition', 0), versionOptions: 'Published' } as const;
    await expectUnsorted(({ definitions }) => definitions.find(wanted));
  });

  async function expectUnsorted(ask: (of: WorkflowPersistence) => Promise<unknown>): Promise<void> {
    const seen: SeenStatement[] = await statementsOf(store, () => ask(store));
    const batches = seen.filter(({ sql }) => /^SELECT .* LIMIT \?/s.test(sql));
    expect(batches.length).toBeGreaterThan(0);
    for (const statement of batches) {
      const plan = await planOf(store, statement);
      expect([statement.sql, plan.sorts, plan.text]).toEqual([statement.sql, false, plan.text]);
    }
  }
});
