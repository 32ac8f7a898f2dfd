import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { WorkflowPersistence } from '@waymark/runtime';
import type { BookmarkQueueItem, OutboxMessage, WorkflowInstanceRecord } from '@waymark/runtime/adapter';
import { aBurstOf } from '../support/a-burst.js';
import { anInstanceOf } from '../support/an-instance.js';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { analyze, planOf, type SeenStatement, statementsOf } from '../support/query-plans.js';

/** Of each kind of row: so many that a database does not read all of them because they are few. */
const MANY = 1_000;
const FEW = 50;
const AT_ONCE = 64;
const LIMIT = 20;

const DAY = 24 * 3_600_000;
const NOW = new Date('2026-03-01T00:00:00Z');
const ago = (ms: number): Date => new Date(NOW.getTime() - ms);

const idOf = (kind: string, n: number): string => `${kind}-${String(n).padStart(6, '0')}`;

async function eachOf(task: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < MANY; n += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, MANY - n) }, (_, i) => task(n + i)));
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

/** All kinds of rows that are dealt with batch by batch. */
async function seed(store: WorkflowPersistence): Promise<void> {
  const finished = { status: 'Finished', subStatus: 'Finished' } as const;
  await eachOf((n) =>
    store.commit(
      aBurstOf(instance('old', n, { ...finished, finishedAt: ago(40 * DAY - n) }), { requestKey: idOf('key', n) }),
    ),
  );
  // Behind those of the other definition.
  await eachOf(async (n) => {
    const burst = aBurstOf(instance('rare', n, { ...finished, finishedAt: ago(39 * DAY - n) }));
    if (n < FEW) await store.commit(burst);
  });
  await eachOf((n) => store.commit(aBurstOf(instance('interrupted', n, { isExecuting: true }))));
  await eachOf((n) => {
    const waiting = instance('waiting', n, {});
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
  await store.queue.expire({ now: NOW, limit: MANY / 2, keepDeadLettersMs: 365 * DAY });
  await eachOf((n) => store.queue.enqueue(item('kept', n, new Date(NOW.getTime() + DAY + n))));
  await eachOf((n) => store.outbox.add([message('start', n)]));
  await eachOf((n) =>
    store.audit.add([
      {
        id: idOf('entry', n),
        at: ago(50 * DAY - n),
        actorKind: 'User',
        action: 'definitions.publish',
        targetIds: [],
        targetCount: 0,
        outcome: 'Succeeded',
        details: {},
      },
    ]),
  );
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

/** First pages, as operators ask for them. */
const PAGES: Readonly<Record<string, (store: WorkflowPersistence) => Promise<unknown>>> = {
  'of all': ({ instances }) => instances.findMany({}, NEWEST, PAGE),
  'of one definition': ({ instances }) => instances.findMany({ definitionIds: ['old'] }, NEWEST, PAGE),
  'that run': ({ instances }) => instances.findMany({ statuses: ['Running'] }, NEWEST, PAGE),
};

describeOn(await testBackends('sqlite', 'mysql', 'postgres'), 'the next batch on $name', (backend) => {
  let store: WorkflowPersistence;

  beforeAll(async () => {
    // Options make tables for it alone: those that other files have used have room in their pages, which plans depend on.
    store = await backend.create({});
    await store.initialize();
    await seed(store);
    await analyze(store);
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

  it('of finished instances of one definition passes over no others', async () => {
    const [statement] = await statementsOf(store, () => BATCHES['finished instances of one definition']!(store));
    const { text } = await planOf(store, statement!);
    expect(text).toContain('instances_definition_id_status_finished_at');
  });

  it.each(Object.keys(PAGES))('of instances %s is a page that is read in the order of an index', async (name) => {
    await expectUnsorted(PAGES[name]!);
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
