import type {
  ClaimedBookmark,
  ClaimedBookmarks,
  DueClaimOptions,
  Lease,
  RenewedClaims,
} from '@waymark/runtime/adapter';
import type { Work } from '../database/sql-database.js';
import type { Row, Statement } from '../database/statement.js';
import { Conditions, type IndexedColumn } from '../dialect/conditions.js';
import type { Dialect } from '../dialect/dialect.js';
import { lostClaims } from '../dialect/lost-claims.js';
import { shifted, sqlTime } from '../dialect/store-time.js';
import { time, toNumber, toText } from '../rows/column-values.js';
import { CLAIMED } from './bookmark-rows.js';

// `claimed_until` is the end of the lease of the node in `claimed_by`; without a node, the time before which none is to try again.
// It is in no index: claims are few, and each would have to update it.

const instanceOf = (bookmarks: string): IndexedColumn => ({
  table: bookmarks,
  key: 'id',
  column: 'workflow_instance_id',
});

/** How often a claim looks further when other nodes are resuming the instances that it found. */
const MOST_LOOKS = 3;

/**
 * Rows that another caller is claiming or consuming are skipped: no caller waits here while holding a row, so claims and commits
 * cannot lock each other out.
 */
export function* claimingDue(dialect: Dialect, bookmarks: string, options: DueClaimOptions): Work<ClaimedBookmarks> {
  const { owner, limit, leaseMs, lookAheadMs, along = 0, exceptInstanceIds = [], ...given } = options;
  const now = sqlTime(dialect, given);
  const except = new Set(exceptInstanceIds);
  let at = 0;
  let rows: readonly Row[] = [];
  let hasMore = false;
  for (let look = 1; look <= MOST_LOOKS; look++) {
    const free = freeAndDue(dialect, now, options);
    const [asked, found] = yield [
      { sql: `SELECT ${now.sql} AS now_ms`, params: now.params },
      selectFirst(dialect, bookmarks, free.noneOf('workflow_instance_id', [...except]), limit, now),
    ];
    at = toNumber(asked?.rows[0]?.now_ms);
    rows = found?.rows ?? [];
    hasMore = rows.length === limit;
    if (!hasMore || along === 0) break;
    const instanceIds = [...new Set(rows.map((row) => toText(row.workflow_instance_id)))];
    const foundIds = rows.map((row) => toText(row.id));
    const [around] = yield [dueAround(dialect, bookmarks, instanceIds, foundIds, at, now, options)];
    const taken = new Set<string>();
    const withMore: string[] = [];
    for (const { workflow_instance_id: id, is_held } of around?.rows ?? [])
      if (toNumber(is_held) === 1) taken.add(toText(id));
      else withMore.push(toText(id));
    if (withMore.length > 0) {
      const others = freeAndDue(dialect, now, options, UNINDEXED_DUE).oneOfIndexed(instanceOf(bookmarks), withMore);
      const [more] = yield [selectFree(dialect, bookmarks, others.noneOf('id', foundIds), along, now)];
      rows = [...rows, ...(more?.rows ?? [])];
    }
    if (taken.size > 0) rows = rows.filter((row) => !taken.has(toText(row.workflow_instance_id)));
    if (rows.length > 0) break;
    for (const id of taken) except.add(id);
  }
  const ids = rows.map((row) => toText(row.id));
  // The second statement may have run a millisecond after the first, and have found rows that became due in between.
  const seen = Math.max(at, ...rows.slice(-1).map((row) => toNumber(row.due_at)));
  const ahead = hasMore ? [] : nextStatements(bookmarks, seen, at + lookAheadMs);
  const claim = claimStatements(dialect, bookmarks, ids, owner, at + leaseMs);
  // A claim decides nothing, so it may be lost in a crash of the server: then two nodes resume, and one of their commits fails.
  const results = yield [...ahead, ...(claim.length > 0 ? [...claim, ...dialect.asyncCommit] : [])];
  const times = results.slice(0, ahead.length).flatMap(({ rows: [row] }) => row?.next_at ?? []);
  const nextAt = times.length === 0 ? undefined : new Date(Math.min(...times.map(toNumber)));
  // Rows that were claimed along are due as well.
  const claimed = rows.map(claimedOf).sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime() || (a.id < b.id ? -1 : 1));
  return { bookmarks: claimed, now: new Date(at), nextAt, hasMore: hasMore && rows.length > 0 };
}

function claimedOf(row: Row): ClaimedBookmark {
  const claimed = CLAIMED.record(row);
  return toNumber(row.was_claimed) === 1 ? { ...claimed, wasClaimed: true } : claimed;
}

/** What is read of a row before it is claimed. A claim that has ended and names a node was not given back by that. */
function columnsOf(now: Statement): Statement {
  const hasEnded = `claimed_by IS NOT NULL AND claimed_until <= ${now.sql}`;
  return {
    sql: `SELECT ${CLAIMED.list}, CASE WHEN ${hasEnded} THEN 1 ELSE 0 END AS was_claimed`,
    params: now.params,
  };
}

/** Of some instances, which are found by their ids: by the time, all that are due would be read. */
const UNINDEXED_DUE = 'due_at + 0';

function freeAndDue(
  dialect: Dialect,
  now: Statement,
  { owner, held }: DueClaimOptions,
  dueAt: 'due_at' | typeof UNINDEXED_DUE = 'due_at',
): Conditions {
  const lost = held ? lostClaims(dialect, owner, held) : { sql: '', params: [] };
  return new Conditions(dialect)
    .add(`${dueAt} <= ${now.sql}`, ...now.params)
    .add(`(claimed_until IS NULL OR claimed_until <= ${now.sql}${lost.sql})`, ...now.params, ...lost.params);
}

/**
 * The earliest ones. Those that are due at the same time come as the index has them: a server that has to put them in order reads all
 * of them for each claim, and 100,000 that wait for midnight are claimed in hundreds of parts.
 */
function selectFirst(
  { skipLocked, byIndex }: Dialect,
  bookmarks: string,
  { where, params }: Conditions,
  limit: number,
  now: Statement,
): Statement {
  const from = `${bookmarks}${byIndex(bookmarks, 'due_at')}`;
  const columns = columnsOf(now);
  return {
    sql: `${columns.sql} FROM ${from}${where} ORDER BY due_at LIMIT ?${skipLocked}`,
    params: [...columns.params, ...params, limit],
  };
}

/** Of some instances. */
function selectFree(
  { skipLocked }: Dialect,
  bookmarks: string,
  { where, params }: Conditions,
  limit: number,
  now: Statement,
): Statement {
  const columns = columnsOf(now);
  return {
    sql: `${columns.sql} FROM ${bookmarks}${where} ORDER BY due_at, id LIMIT ?${skipLocked}`,
    params: [...columns.params, ...params, limit],
  };
}

/** Which of the instances other nodes are resuming, and which have more that is free and due. Most have neither. */
function dueAround(
  dialect: Dialect,
  bookmarks: string,
  instanceIds: readonly string[],
  foundIds: readonly string[],
  at: number,
  now: Statement,
  options: DueClaimOptions,
): Statement {
  const isHeld = 'claimed_by <> ? AND claimed_until > ?';
  const held = [options.owner, at];
  const { where, params } = new Conditions(dialect)
    .oneOfIndexed(instanceOf(bookmarks), instanceIds)
    .noneOf('id', foundIds)
    .anyOf(new Conditions(dialect).add(isHeld, ...held), freeAndDue(dialect, now, options));
  return {
    sql:
      `SELECT workflow_instance_id, MAX(CASE WHEN ${isHeld} THEN 1 ELSE 0 END) AS is_held ` +
      `FROM ${bookmarks}${where} GROUP BY workflow_instance_id`,
    params: [...held, ...params],
  };
}

/** Each reads one row, or those that are being resumed now; before the claim, which is nothing to wake for. */
function nextStatements(bookmarks: string, now: number, until: number): Statement[] {
  return [
    {
      sql: `SELECT due_at AS next_at FROM ${bookmarks} WHERE due_at > ? AND due_at <= ? ORDER BY due_at LIMIT 1`,
      params: [now, until],
    },
    {
      sql: `SELECT MIN(claimed_until) AS next_at FROM ${bookmarks} WHERE due_at <= ? AND claimed_until > ? AND claimed_until <= ?`,
      params: [now, now, until],
    },
  ];
}

function claimStatements(
  dialect: Dialect,
  bookmarks: string,
  ids: readonly string[],
  owner: string,
  leaseEnds: number,
): Statement[] {
  if (ids.length === 0) return [];
  const { where, params } = new Conditions(dialect).oneOfTexts('id', ids);
  return [
    { sql: `UPDATE ${bookmarks} SET claimed_by = ?, claimed_until = ?${where}`, params: [owner, leaseEnds, ...params] },
  ];
}

export function* renewingClaims(
  dialect: Dialect,
  bookmarks: string,
  ids: readonly string[],
  { owner, leaseMs, ...given }: Lease,
): Work<RenewedClaims> {
  const now = sqlTime(dialect, given);
  const ends = shifted(dialect, now, leaseMs);
  const mine = (some: readonly string[]) => new Conditions(dialect).oneOf('id', some).equals('claimed_by', owner);
  const asked = mine(ids);
  // What another transaction has locked is being consumed: not waited for, and the owner's while its claim lasts.
  const [found] = yield [
    { sql: `SELECT id FROM ${bookmarks}${asked.where}${dialect.skipLocked}`, params: asked.params },
  ];
  const renewed = (found?.rows ?? []).map((row) => toText(row.id));
  const isRenewed = new Set(renewed);
  const left = ids.filter((id) => !isRenewed.has(id));
  const chosen = mine(renewed);
  const held = mine(left).add(`claimed_until > ${now.sql}`, ...now.params);
  const update = {
    sql: `UPDATE ${bookmarks} SET claimed_until = ${ends.sql}${chosen.where}`,
    params: [...ends.params, ...chosen.params],
  };
  const look = { sql: `SELECT id FROM ${bookmarks}${held.where}`, params: held.params };
  const results = yield [...(renewed.length > 0 ? [update] : []), ...(left.length > 0 ? [look] : [])];
  const kept = left.length > 0 ? (results.at(-1)?.rows ?? []) : [];
  return { renewed, locked: kept.map((row) => toText(row.id)) };
}

export function releaseStatement(bookmarks: string, id: string, owner: string, availableAt: Date): Statement {
  return {
    sql: `UPDATE ${bookmarks} SET claimed_by = NULL, claimed_until = ? WHERE id = ? AND claimed_by = ?`,
    params: [time(availableAt), id, owner],
  };
}
