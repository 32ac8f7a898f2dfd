import { describe, expect, it } from '@jest/globals';
import { FiringResult } from '@waymark/runtime';
import type { BurstCommit } from '@waymark/runtime/adapter';
import { aBurstOf } from '../../../../test/support/a-burst.js';
import { anInstanceOf } from '../../../../test/support/an-instance.js';
import { DIALECTS, type Dialect } from '../dialect/dialect.js';
import { tableNames } from '../dialect/tables.js';
import { type BurstRows, toRowsInTurns } from './burst-rows.js';
import { commitStatements } from './commit-statements.js';

const AT = new Date(1_000_000);
const tables = tableNames('w_');
const settings = { maxStateBytes: 1_000_000, journalValueBytes: 1000 };

const fired = { at: AT, result: FiringResult.Started };
const bookmarkOf = (id: string) => ({ id: `bookmark-${id}`, name: 'E', hash: 'h', createdAt: AT });
const messageOf = (id: string) => ({ id: `message-${id}`, kind: 'run', payload: {}, createdAt: AT, availableAt: AT });
const entryOf = (id: string, payload: object) => ({ sequence: 1, eventName: id, timestamp: AT, payload });

const endedOf = (id: string, subStatus: 'Finished' | 'Cancelled'): BurstCommit['instance'] => {
  const instance = anInstanceOf(id);
  const ended = { status: 'Finished', subStatus } as const;
  return { ...instance, ...ended, state: { ...instance.state, ...ended } };
};

/** Bursts that store one thing each beside their instance. */
const KINDS: Readonly<Record<string, (id: string) => BurstCommit>> = {
  start: (id) => aBurstOf(anInstanceOf(id)),
  resume: (id) => aBurstOf(anInstanceOf(id), { expectedRevision: 1, consumedBookmarkIds: [`used-${id}`] }),
  message: (id) => aBurstOf(anInstanceOf(id), { expectedRevision: 1, consumedMessageIds: [`served-${id}`] }),
  item: (id) => aBurstOf(anInstanceOf(id), { expectedRevision: 1, consumedQueueItemIds: [`item-${id}`] }),
  firing: (id) => aBurstOf(anInstanceOf(id), { firing: { triggerId: `t-${id}`, dueAt: AT, nextDueAt: null, fired } }),
  requestKey: (id) => aBurstOf(anInstanceOf(id), { requestKey: `request-${id}` }),
  activationKey: (id) => aBurstOf(anInstanceOf(id), { activationKey: `activation-${id}` }),
  waiting: (id) => aBurstOf(anInstanceOf(id), { addedBookmarks: [bookmarkOf(id)] } as unknown as BurstCommit),
  removed: (id) => aBurstOf(anInstanceOf(id), { expectedRevision: 1, removedBookmarkIds: [`gone-${id}`] }),
  journal: (id) => aBurstOf(anInstanceOf(id), { journal: { log: [entryOf(id, {})], records: [] } } as never),
  values: (id) =>
    aBurstOf(anInstanceOf(id), {
      journal: { log: [entryOf(id, { text: `${id}${'x'.repeat(9000)}` })], records: [] },
    } as never),
  sending: (id) => aBurstOf(anInstanceOf(id), { outbox: [messageOf(id)] } as unknown as BurstCommit),
  finished: (id) => aBurstOf(endedOf(id, 'Finished'), { expectedRevision: 1 }),
  cancelled: (id) => aBurstOf(endedOf(id, 'Cancelled'), { expectedRevision: 1 }),
  atOnce: (id) => aBurstOf(endedOf(id, 'Finished')),
};

const rowsOf = (kind: string, dialect: Dialect): BurstRows =>
  toRowsInTurns(KINDS[kind]!(kind), dialect, settings) as BurstRows;

/** Of every commit: what starts a burst, then the instance, then what hangs on it. */
const ORDER = [
  'DELETE outbox',
  'DELETE queue',
  'DELETE outbox of instances',
  'SELECT triggers',
  'UPDATE triggers',
  'INSERT request_keys',
  'INSERT activation_keys',
  'INSERT instances',
  'SELECT instances',
  'UPDATE instances',
  'DELETE bookmarks',
  'DELETE bookmarks of instances',
  'DELETE activation_keys of instances',
  'DELETE bookmarks',
  'INSERT bookmarks',
  'INSERT journal',
  'INSERT journal_values',
  'INSERT outbox',
];

/** What is done to which table, in order. */
function stepsOf(members: readonly BurstRows[], dialect: Dialect, isGroup: boolean): string[] {
  let hasLocked = false;
  const steps = commitStatements(dialect, tables, members, isGroup).map(({ sql }) => {
    const step = stepOf(sql);
    hasLocked ||= step === 'SELECT instances';
    // Without lists, several are updated by an insertion of known ids.
    return hasLocked && step === 'INSERT instances' ? 'UPDATE instances' : step;
  });
  return steps.filter((step, index) => step !== steps[index - 1]);
}

function stepOf(sql: string): string {
  const [verb] = /^\w+/.exec(sql)!;
  const [table] = Object.entries(tables).find(([, name]) => new RegExp(`\\b${name}\\b`).test(sql))!;
  const isOfInstances = verb === 'DELETE' && /instance_id/.test(sql);
  return `${verb} ${table}${isOfInstances ? ' of instances' : ''}`;
}

/** @returns the first step that stands before one which it has to follow */
function misplaced(steps: readonly string[]): string | undefined {
  let from = 0;
  return steps.find((step) => {
    const at = ORDER.indexOf(step, from);
    from = at + 1;
    return at < 0;
  });
}

describe.each(['sqlite', 'postgres', 'mysql'] as const)('statements of a commit on %s', (name) => {
  const dialect = DIALECTS[name];
  const kinds = Object.keys(KINDS);

  it('use up what starts a burst before they touch instances, and then write what hangs on these', () => {
    const members = kinds.map((kind) => rowsOf(kind, dialect));
    expect(stepsOf(members, dialect, true)).toEqual(ORDER);
    expect(stepsOf(members.toReversed(), dialect, true)).toEqual(ORDER);
  });

  it.each(kinds)('for a burst of the kind %s come in that order, alone and beside any other kind', (kind) => {
    const member = rowsOf(kind, dialect);
    expect(misplaced(stepsOf([member], dialect, false))).toBeUndefined();
    for (const other of kinds.filter((one) => one !== kind)) {
      const steps = stepsOf([member, rowsOf(other, dialect)], dialect, true);
      expect([other, misplaced(steps)]).toEqual([other, undefined]);
    }
  });

  it('leave out what a commit does not have', () => {
    expect(stepsOf([rowsOf('start', dialect)], dialect, false)).toEqual(['INSERT instances']);
    expect(stepsOf([rowsOf('atOnce', dialect)], dialect, false)).toEqual(['INSERT instances']);
  });
});
