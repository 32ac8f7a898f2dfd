import { Batches } from '../database/batches.js';
import { commitChecked } from '../database/checked.js';
import { inOneGo, type SqlDatabase } from '../database/sql-database.js';
import { RefusedStatement, type Row } from '../database/statement.js';
import { Conditions } from '../dialect/conditions.js';
import type { Tables } from '../dialect/tables.js';
import {
  ActivationRefusedError,
  CommitOutcomeUnknownError,
  ConcurrencyConflictError,
  PersistenceError,
  RequestKeyUsedError,
  UserTaskChangedError,
  LargeStates,
} from '@waymark/runtime';
import {
  BookmarkConsumedError,
  type BurstCommit,
  isStoreOutage,
  loopTurns,
  MessageConsumedError,
  OccurrenceClaimedError,
  requireStorableBurst,
} from '@waymark/runtime/adapter';
import type { PersistenceSettings } from '../connection/settings.js';
import { KeptValues } from '../journal/kept-values.js';
import { requireMatchable } from '../queue/queue-rows.js';
import { toNumber, toText } from '../rows/column-values.js';
import { STATE } from '../instances/instance-rows.js';
import { RecentStates } from '../instances/recent-states.js';
import { type BurstRows, nextRevision, toRowsInTurns } from './burst-rows.js';
import { commitStatements } from './commit-statements.js';
import { CommitTraces } from './commit-traces.js';
import { GroupRefusals, isDue } from './group-refusals.js';
import { canShare, keysOf, takesKeys } from './sharing.js';
import { StateGrowth } from './state-growth.js';

/** Transactions of groups under way at once: while the server writes one, the next is made up. */
const LANES = 2;
const MAX_GROUP = 64;
// A large state should not hold up small ones.
const MAX_GROUP_CHARS = 500_000;
/** Half of the places of due work wait while the others commit: in two lanes, they made groups of twenty. */
const GATHERING = { large: 8, enough: MAX_GROUP / 2, longestMs: 50 };

/** Of the members of a group, in their order; absent: it is stored. An error is the answer of that member alone. */
type Answers = readonly (Error | undefined | Promise<Error | undefined>)[];

/** Of a transaction whose answer was lost: `undefined` once it is known to be stored. Not awaited by the group, whose lane others need. */
interface Unknown {
  readonly answer: Promise<Error | undefined>;
}

/**
 * Writes bursts, and says why one could not be written. On a server, commits that come at the same time share a
 * transaction: they share its round trips, its statements and what it costs to make it durable. A group whose transaction
 * fails for whatever reason is rolled back and each commit is done alone, which waits for locks, tries again and explains.
 * One that met a lock continues in halves first: those that want nothing locked must not queue with those that wait.
 */
export class CommitWriter {
  /** Answers why a commit was refused while others of its group were not. */
  private readonly groups: Batches<BurstRows, Error | undefined> | undefined;
  /** The same for commits that take keys: one of them may wait for a key, and only others of its kind wait along. */
  private readonly keyed: Batches<BurstRows, Error | undefined> | undefined;
  private readonly refusals: GroupRefusals;
  private readonly traces: CommitTraces;
  private readonly growth: StateGrowth;
  private readonly kept: KeptValues;

  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
    private readonly settings: PersistenceSettings,
    private readonly recent = new RecentStates(),
    largeStates = new LargeStates(),
  ) {
    this.growth = new StateGrowth(settings.maxStateBytes, largeStates);
    this.kept = new KeptValues(database, tables, settings.maxJournalBytes);
    this.refusals = new GroupRefusals(database, tables);
    this.traces = new CommitTraces(database, tables);
    if (!database.isRemote) return;
    this.groups = this.newGroups((members) => this.together(members));
    this.keyed = this.newGroups((members) => this.togetherWithKeys(members));
  }

  private newGroups(
    together: (members: readonly BurstRows[]) => Promise<Answers>,
  ): Batches<BurstRows, Error | undefined> {
    const isOut = (error: unknown): boolean => this.database.isOut && isStoreOutage(error);
    return new Batches<BurstRows, Error | undefined>({
      lanes: LANES,
      gathering: GATHERING,
      maxItems: MAX_GROUP,
      maxWeight: MAX_GROUP_CHARS,
      weigh: ({ size }) => size,
      together,
      alone: (rows) => this.alone(rows).then(() => undefined),
      // Rolled back, like all that this group throws. Alone, each would wait for the server once more.
      isFinal: isOut,
      isOfAll: isOut,
      isOfFew: (error) => this.database.dialect.isLocked((error as Error).cause),
    });
  }

  async commit(burst: BurstCommit): Promise<void> {
    requireStorableBurst(burst);
    for (const item of burst.queue) requireMatchable(item);
    const making = toRowsInTurns(burst, this.database.dialect, this.settings);
    const made = making instanceof Promise ? await making : making;
    loopTurns.spend(made.size);
    const { values, isNew } = made;
    const { id, createdAt } = burst.instance;
    if (isNew) this.kept.forget(id);
    const of = { id, createdAt: createdAt.getTime(), isNew };
    const kept = values.length === 0 ? undefined : await this.kept.toWrite(of, values);
    const rows = kept ? { ...made, values: kept.values } : made;
    await this.write(rows);
    kept?.stored();
    this.growth.note(rows, this.database.dialect);
    this.remember(rows);
  }

  /**
   * Not before it is stored: what is remembered of a commit that was refused would be taken for the row of another one. Nor what an instance
   * begins with: another node may delete it and import a changed one, with the same times, and revisions begin anew. After that each burst
   * has a time of its own.
   */
  private remember({ burst, isNew, isFinished, parts, instance: row }: BurstRows): void {
    const { id, createdAt, updatedAt } = burst.instance;
    if (!parts || isNew || isFinished) return this.recent.forget(id);
    const text = row[STATE] as string;
    const revision = nextRevision(burst);
    this.recent.keep(id, {
      ...{ parts, revision, createdAt: createdAt.getTime(), updatedAt: updatedAt.getTime() },
      ...{ bytes: Buffer.byteLength(text), chars: text.length },
    });
  }

  private async write(rows: BurstRows): Promise<void> {
    const groups = takesKeys(rows.burst) ? this.keyed : this.groups;
    if (!groups || !canShare(rows.burst)) return this.alone(rows);
    const written = groups.ask(rows);
    this.database.expect(written);
    const refused = await written;
    if (refused) throw refused;
  }

  /**
   * A commit whose key another one of the group takes comes after it: the first may give the key back in the commit in which it takes
   * it, or be refused itself.
   */
  private async togetherWithKeys(members: readonly BurstRows[]): Promise<Answers> {
    const taken = new Set<string>();
    const isFirst = members.map(({ burst }) => {
      const keys = keysOf(burst);
      const isFree = !keys.some((key) => taken.has(key));
      for (const key of keys) taken.add(key);
      return isFree;
    });
    const answers = await this.together(members.filter((_member, index) => isFirst[index]));
    let next = 0;
    // Not awaited: who waits for a key holds up no group.
    return members.map((member, index) =>
      isFirst[index] ? answers[next++] : this.alone(member).then(() => undefined),
    );
  }

  private async together(members: readonly BurstRows[]): Promise<Answers> {
    try {
      const unknown = await this.transactTogether(members);
      return unknown ? members.map(() => unknown.answer) : [];
    } catch (error) {
      if (!(error instanceof RefusedStatement)) throw error;
      // Nodes that look at the same time find the same occurrences, and a key may be held for long: what is refused for that must
      // not send the rest of its group to go one by one.
      const refused = await this.refusals.of(members);
      const others = members.filter((_member, index) => !refused[index]);
      if (others.length === members.length) throw error;
      const unknown = others.length > 0 ? await this.transactTogether(others) : undefined;
      const reasons = await Promise.all(refused.map((reason, index) => this.reasonOf(members[index]!, reason)));
      return reasons.map((reason) => reason ?? unknown?.answer);
    }
  }

  /**
   * What else a burst uses up is checked before its occurrence and keys, and answers first. Never rejects: the others of its group are
   * stored by now, and would be written again.
   */
  private async reasonOf({ burst }: BurstRows, reason: Error | undefined): Promise<Error | undefined> {
    if (!reason) return undefined;
    const isStart = burst.consumedMessageIds.length === 0 && burst.consumedQueueItemIds.length === 0;
    if (isStart && burst.expectedRevision === undefined) return reason;
    return this.explain(burst).then(
      (first) => first ?? reason,
      (error: unknown) => error as Error,
    );
  }

  /**
   * What may be stored is not repeated: its own first attempt would refuse it.
   * @returns where the answer was lost
   * @throws whatever left nothing behind
   */
  private async transactTogether(members: readonly BurstRows[]): Promise<Unknown | undefined> {
    const statements = commitStatements(this.database.dialect, this.tables, members, true);
    const waitsForOthers = members.some(({ burst }) => takesKeys(burst));
    // Occurrences and tasks have several indexes that a plan may choose among.
    const byIndex = !members.some(({ burst }) => burst.firing || burst.userTasks);
    try {
      await this.database.transact(() => inOneGo(statements), { once: true, waitsForOthers, byIndex });
      return undefined;
    } catch (error) {
      if (!(error instanceof CommitOutcomeUnknownError)) throw error;
      return { answer: this.traces.outcomeOf(members, error) };
    }
  }

  private async alone(rows: BurstRows): Promise<void> {
    const statements = commitStatements(this.database.dialect, this.tables, [rows]);
    try {
      await commitChecked(this.database, statements, () => this.explain(rows.burst));
    } catch (error) {
      if (!(error instanceof CommitOutcomeUnknownError)) throw error;
      const unknown = await this.traces.outcomeOf([rows], error);
      if (unknown) throw unknown;
    }
  }

  /** The first failed check, in the order that `BurstCommit` promises. */
  private async explain(burst: BurstCommit): Promise<Error | undefined> {
    const { instance } = burst;
    const message =
      (await this.findMissing(this.tables.outbox, burst.consumedMessageIds)) ??
      (await this.findMissing(this.tables.queue, burst.consumedQueueItemIds));
    if (message !== undefined) return new MessageConsumedError(message);
    const refused = (await this.checkRequestKey(burst)) ?? (await this.checkFiring(burst));
    if (refused) return refused;
    const bookmark = await this.findMissing(this.tables.bookmarks, burst.consumedBookmarkIds);
    if (bookmark !== undefined) return new BookmarkConsumedError(bookmark, instance.id);
    const conflict = (await this.checkRevision(burst)) ?? (await this.checkActivationKey(burst));
    return conflict ?? (await this.checkTasks(burst)) ?? (await this.checkAddedBookmarks(burst));
  }

  private async checkRequestKey({ requestKey, instance, expectedRevision }: BurstCommit): Promise<Error | undefined> {
    if (requestKey === undefined) return undefined;
    const starter = await this.holder(this.tables.request_keys, 'request_key', requestKey);
    const isOurs = starter === instance.id && expectedRevision !== undefined;
    return starter === undefined || isOurs ? undefined : new RequestKeyUsedError(requestKey, starter);
  }

  private async checkFiring({ firing }: BurstCommit): Promise<Error | undefined> {
    if (!firing) return undefined;
    const row =
      'triggerId' in firing
        ? await this.row(this.tables.triggers, 'due_at', 'id', firing.triggerId)
        : await this.row(this.tables.schedules, 'due_at, token', 'id', firing.id);
    return isDue(firing, row) ? undefined : new OccurrenceClaimedError(firing);
  }

  private async checkRevision({ instance, expectedRevision }: BurstCommit): Promise<Error | undefined> {
    const row = await this.row(this.tables.instances, 'revision', 'id', instance.id);
    const revision = row && toNumber(row.revision);
    return revision === expectedRevision ? undefined : new ConcurrencyConflictError('instance', instance.id);
  }

  private async checkActivationKey({ activationKey, instance }: BurstCommit): Promise<Error | undefined> {
    if (activationKey === undefined) return undefined;
    const holder = await this.holder(this.tables.activation_keys, 'activation_key', activationKey);
    return holder === undefined || holder === instance.id ? undefined : new ActivationRefusedError(activationKey);
  }

  private async checkTasks({ userTasks }: BurstCommit): Promise<Error | undefined> {
    for (const { id, revision } of userTasks?.completed ?? []) {
      const row = await this.row(this.tables.user_tasks, 'status, revision', 'id', id);
      if (row?.status !== 'Open' || toNumber(row.revision) !== revision) return new UserTaskChangedError(id);
    }
    return undefined;
  }

  /** Two bookmarks of one id are a mistake of the caller, and no retry would help. */
  private async checkAddedBookmarks(burst: BurstCommit): Promise<Error | undefined> {
    const { instance, addedBookmarks, removedBookmarkIds, consumedBookmarkIds } = burst;
    const ids = addedBookmarks.map(({ id }) => id);
    const freed = new Set([...removedBookmarkIds, ...consumedBookmarkIds]);
    const there = await this.findThere(
      this.tables.bookmarks,
      ids.filter((id) => !freed.has(id)),
    );
    const twice = ids.find((id, index) => there.has(id) || ids.indexOf(id) !== index);
    if (twice === undefined) return undefined;
    return new PersistenceError(`Bookmark "${twice}" of workflow instance "${instance.id}" already exists.`);
  }

  private async holder(table: string, column: string, key: string): Promise<string | undefined> {
    const row = await this.row(table, 'instance_id', column, key);
    return row && toText(row.instance_id);
  }

  private async row(table: string, columns: string, key: string, value: string): Promise<Row | undefined> {
    const [row] = await this.database.read({
      sql: `SELECT ${columns} FROM ${table} WHERE ${key} = ?`,
      params: [value],
    });
    return row;
  }

  private async findMissing(table: string, ids: readonly string[]): Promise<string | undefined> {
    const there = await this.findThere(table, ids);
    return ids.find((id) => !there.has(id));
  }

  private async findThere(table: string, ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const { where, params } = new Conditions(this.database.dialect).oneOf('id', ids);
    const rows = await this.database.read({ sql: `SELECT id FROM ${table}${where}`, params });
    return new Set(rows.map((row) => toText(row.id)));
  }
}
