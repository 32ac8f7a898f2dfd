import type { WorkflowPersistence } from '@waymark/runtime';
import { createWaymarkDataSource } from '@waymark/typeorm';
import { median } from '../../measure/in-turns.js';
import { publishedDefinition } from '../../workflows/published.js';
import { storeDefinitions } from '../store-definitions.js';
import { analyzeTables, type Copying, copyRows, MOST_COPIES } from './copies.js';
import { openNode, serveNode } from './node.js';

const WARM_UP = 5;
const TIMES = 15;
const DAY = 24 * 3_600_000;
const VERSIONED = 'of-many-versions';
const OTHERS = 1_000;
const PAGE = { skip: 0, take: 25, countUpTo: 10_000 };

/** A node of which only the store is asked. */
const node = await openNode();
const { app, persistence } = node;
const { url, prefix = '', more } = node.argument;
const { count } = more as { count: number };

type DataSource = ReturnType<typeof createWaymarkDataSource>;
type Ask = (store: WorkflowPersistence) => Promise<unknown>;

const LISTS: Readonly<Record<string, Ask>> = {
  messages_dead: ({ outbox }) => outbox.findDeadLetters({}, PAGE),
  stimuli_dead: ({ queue }) => queue.findDeadLetters({}, PAGE),
  bulk_plans: ({ bulkPlans }) => bulkPlans.findMany(PAGE),
  schedules: ({ schedules }) => schedules.findListed({}, PAGE),
  schedules_paused: ({ schedules }) => schedules.findListed({ paused: true }, PAGE),
  timers: ({ bookmarks }) => bookmarks.findTimed({ limit: 26 }),
  audit: ({ audit }) => audit.find({ action: 'definitions.publish' }, { limit: 26 }),
  definitions: ({ definitions }) =>
    definitions.findMany({ versionOptions: 'Latest' }, { by: 'Name', direction: 'Ascending' }, PAGE),
  version: ({ definitions }) => definitions.find({ definitionId: VERSIONED, versionOptions: 'Latest' }),
  overview: ({ statistics }) => statistics.depths(new Date(), 10_000),
};

interface Copied {
  readonly table: string;
  /** @param round apart from the other one, or ids would come twice */
  readonly replaced: (round: string) => Copying['replaced'];
}

const numbered = (round: string): string => `CONCAT(o.id, '${round}', n.number)`;
const moved = (column: string): string => `o.${column} + n.number * 1000`;

const COPIED: readonly Copied[] = [
  { table: 'outbox', replaced: (round) => ({ id: numbered(round), created_at: moved('created_at') }) },
  {
    table: 'dead_letters',
    replaced: (round) => ({ id: numbered(round), dead_lettered_at: moved('dead_lettered_at') }),
  },
  { table: 'bulk_plans', replaced: (round) => ({ id: numbered(round), created_at: moved('created_at') }) },
  { table: 'schedules', replaced: (round) => ({ id: numbered(round), due_at: moved('due_at') }) },
  { table: 'bookmarks', replaced: (round) => ({ id: numbered(round), due_at: moved('due_at') }) },
  { table: 'audit_entries', replaced: (round) => ({ id: numbered(round), occurred_at: moved('occurred_at') }) },
];

serveNode(node, {
  async seed(): Promise<void> {
    await storeDefinitions(app, OTHERS, publishedDefinition);
    await firstOfEach();
    await withDataSource(async (dataSource) => {
      const tables = COPIED.map(({ table }) => `${prefix}${table}`);
      for (const { table, replaced } of COPIED) await copyTo(dataSource, `${prefix}${table}`, replaced);
      await addVersions(dataSource);
      await analyzeTables(dataSource, [...tables, `${prefix}definitions`]);
    });
  },
  async times(): Promise<Record<string, number>> {
    const times: Record<string, number> = {};
    for (const [name, ask] of Object.entries(LISTS)) times[name] = await timeOf(ask);
    await withDataSource(async (dataSource) => {
      // All but a few wait, for a time that does not come.
      await dataSource.query(`UPDATE ${prefix}outbox SET ready_at = ${Date.now() + DAY} WHERE seq > 5`);
      await analyzeTables(dataSource, [`${prefix}outbox`]);
    });
    times.few_messages_dead = await timeOf(LISTS.messages_dead!);
    return times;
  },
});

/** One row of each table; the others are copies of it. */
async function firstOfEach(): Promise<void> {
  const now = new Date();
  const message = { id: 'message', kind: 'cancel-children', workflowInstanceId: undefined, payload: {}, attempts: 0 };
  await persistence.outbox.add([{ ...message, createdAt: now, availableAt: new Date(now.getTime() + DAY) }]);
  await persistence.outbox.moveToDeadLetters('message', 'on purpose');
  const item = { id: 'item', stimulusHash: 'hash', attempts: 0, createdAt: now, expiresAt: new Date(0) };
  await persistence.queue.enqueue(item);
  await persistence.queue.expire({ now, limit: 1, keepDeadLettersMs: 365 * DAY });
  await persistence.bulkPlans.submit({
    id: 'plan',
    action: 'CancelInstances',
    selection: [{ ids: ['instance'] }],
    status: 'Completed',
    selected: 0,
    isSelected: true,
    visited: 0,
    changed: 0,
    failed: 0,
    failures: [],
    createdAt: now,
    startedAt: now,
    completedAt: now,
  });
  await persistence.schedules.put({
    id: 'schedule',
    token: 'token',
    name: 'Elsa.Timer',
    hash: 'hash',
    payload: { interval: '00:01:00' },
    request: { kind: 'start', definition: 'bench-1', values: {} },
    createdAt: now,
    dueAt: new Date(now.getTime() + DAY),
  });
  await persistence.audit.add([
    {
      id: 'entry',
      at: now,
      actorKind: 'User',
      action: 'definitions.publish',
      targetIds: [],
      targetCount: 0,
      outcome: 'Succeeded',
      details: {},
    },
  ]);
  const definition = { ...publishedDefinition(1), id: VERSIONED, definitionId: VERSIONED, name: 'Of many versions' };
  const saved = [{ definition: { ...definition, isLatest: false, isPublished: false }, expectedRevision: undefined }];
  await persistence.definitions.apply({ saved, deletedIds: [], addedTriggers: [], removedTriggerIds: [] });
  await withDataSource((dataSource) =>
    dataSource.query(
      `INSERT INTO ${prefix}bookmarks (id, name, hash, workflow_instance_id, activity_instance_id, created_at, due_at) ` +
        `VALUES ('bookmark', 'Elsa.Delay', 'hash', 'instance', 'activity', 1, ${now.getTime() + DAY})`,
    ),
  );
}

/** In two steps, each of which recurses no deeper than servers allow. */
async function copyTo(dataSource: DataSource, table: string, replaced: Copied['replaced']): Promise<void> {
  const copies = Math.min(count - 1, MOST_COPIES);
  await copyRows(dataSource, { table, copies, replaced: replaced('.') });
  await copyRows(dataSource, { table, copies: Math.round(count / (copies + 1)) - 1, replaced: replaced('+') });
}

/** The highest is the latest one, and published. */
async function addVersions(dataSource: DataSource): Promise<void> {
  const table = `${prefix}definitions`;
  const copies = Math.min(count - 1, MOST_COPIES);
  const where = `o.definition_id = '${VERSIONED}'`;
  const next = (step: number) => ({
    id: `CONCAT(o.id, '.', n.number * ${step})`,
    version: `o.version + n.number * ${step}`,
  });
  await copyRows(dataSource, { table, copies, replaced: next(1), where });
  const rounds = Math.round(count / (copies + 1)) - 1;
  await copyRows(dataSource, { table, copies: rounds, replaced: next(copies + 1), where });
  await dataSource.query(
    `UPDATE ${table} SET is_latest = 1, is_published = 1 WHERE definition_id = '${VERSIONED}' AND version = ${count}`,
  );
}

async function timeOf(ask: Ask): Promise<number> {
  const millis: number[] = [];
  for (let n = 0; n < WARM_UP + TIMES; n++) {
    const begin = performance.now();
    await ask(persistence);
    if (n >= WARM_UP) millis.push(performance.now() - begin);
  }
  return median(millis);
}

async function withDataSource<T>(task: (dataSource: DataSource) => Promise<T>): Promise<T> {
  const dataSource = await createWaymarkDataSource(url!, { tablePrefix: prefix }).initialize();
  try {
    return await task(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
