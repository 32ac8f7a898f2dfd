import { describe, expect, it } from '@jest/globals';
import { CommitOutcomeUnknownError, FiringResult, StoreUnavailableError } from '@waymark/runtime';
import type { BurstCommit } from '@waymark/runtime/adapter';
import { aBurstOf } from '../../../../test/support/a-burst.js';
import { anInstanceOf } from '../../../../test/support/an-instance.js';
import type { PersistenceSettings } from '../connection/settings.js';
import type { SqlDatabase } from '../database/sql-database.js';
import { BOOKMARK } from '../bookmarks/bookmark-rows.js';
import { chunksOf, RefusedStatement, type Row, type Statement } from '../database/statement.js';
import { DIALECTS } from '../dialect/dialect.js';
import { tableNames } from '../dialect/tables.js';
import { CommitWriter } from './commit-writer.js';

const DUE = new Date(1_000_000);
const tables = tableNames('w_');
const settings = { maxStateBytes: 1_000_000, journalValueBytes: 1000 } as PersistenceSettings;

/** As of PostgreSQL, with a parameter for each value: those can be read here. */
const databaseOf = (
  read: SqlDatabase['read'],
  write: (statements: readonly Statement[], options: Parameters<SqlDatabase['transact']>[1]) => void,
): SqlDatabase => ({
  dialect: { ...DIALECTS.postgres, hasLists: false },
  isRemote: true,
  isOut: false,
  start: async () => {},
  expect: () => {},
  close: async () => {},
  read,
  transact: async (work, options) => {
    write(work().next().value as readonly Statement[], options);
    return [] as never;
  },
});

/** A server that refuses a transaction which claims an occurrence of another node, and may not answer further questions. */
class Server {
  /** Instances of each transaction that was committed. */
  readonly committed: string[][] = [];
  readonly database: SqlDatabase;

  constructor(
    private readonly claimedTrigger: string,
    private readonly isDownFor: (sql: string) => boolean,
  ) {
    this.database = databaseOf(
      (statement) => this.read(statement),
      (statements) => this.write(statements),
    );
  }

  private async read({ sql }: Statement): Promise<readonly Row[]> {
    if (this.isDownFor(sql)) throw new StoreUnavailableError('no connection');
    if (!sql.includes(tables.triggers)) return [];
    return ['trigger-a', 'trigger-b', 'trigger-c'].map((id) => ({
      id,
      due_at: id === this.claimedTrigger ? null : DUE.getTime(),
    }));
  }

  private write(statements: readonly Statement[]): void {
    const inserted = (table: string) => statements.filter(({ sql }) => sql.startsWith(`INSERT INTO ${table} `));
    for (const { sql, params } of statements)
      if (sql.startsWith(`UPDATE ${tables.triggers} `) && params.flat().includes(this.claimedTrigger))
        throw new RefusedStatement(sql);
    const params = inserted(tables.instances).flatMap((statement) => statement.params);
    this.committed.push(['a', 'b', 'c'].filter((id) => params.includes(id)));
  }
}

const start = (id: string, more: Partial<BurstCommit>): BurstCommit =>
  aBurstOf(anInstanceOf(id), {
    firing: {
      triggerId: `trigger-${id}`,
      dueAt: DUE,
      nextDueAt: null,
      fired: { at: DUE, result: FiringResult.Started },
    },
    ...more,
  });

describe('a group of which one commit is refused', () => {
  it('stores the others once, also when the store fails while it is asked for the reason', async () => {
    const server = new Server('trigger-b', (sql) => sql.includes(tables.outbox));
    const writer = new CommitWriter(server.database, tables, settings);
    const [a, b, c] = await Promise.allSettled([
      writer.commit(start('a', {})),
      writer.commit(start('b', { consumedMessageIds: ['m'] })),
      writer.commit(start('c', {})),
    ]);
    expect([a.status, c.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(b).toMatchObject({ status: 'rejected', reason: { code: new StoreUnavailableError('').code } });
    expect(server.committed).toEqual([['a', 'c']]);
  });

  it('reports other consumed items before a claimed occurrence', async () => {
    const server = new Server('trigger-b', () => false);
    const writer = new CommitWriter(server.database, tables, settings);
    const [a, b] = await Promise.allSettled([
      writer.commit(start('a', {})),
      writer.commit(start('b', { consumedMessageIds: ['m'] })),
    ]);
    expect(a.status).toBe('fulfilled');
    expect(b).toMatchObject({ status: 'rejected', reason: { code: 'WM7004' } });
  });
});

/** A server that knows who has which request key. */
class KeyServer {
  /** Instances of each transaction that was committed. */
  readonly committed: string[][] = [];
  /** Whether each transaction may wait for locks of others. */
  readonly waits: (boolean | undefined)[] = [];
  readonly database: SqlDatabase;

  constructor(private readonly holders: Map<string, string>) {
    this.database = databaseOf(
      async ({ sql }) =>
        sql.includes(tables.request_keys)
          ? [...this.holders].map(([request_key, instance_id]) => ({ request_key, instance_id }))
          : [],
      (statements, options) => {
        this.write(statements);
        this.waits.push(options?.waitsForOthers);
      },
    );
  }

  private write(statements: readonly Statement[]): void {
    const taken = new Map<string, string>();
    for (const { sql, params } of statements) {
      if (!sql.startsWith(`INSERT INTO ${tables.request_keys} `)) continue;
      for (let at = 0; at < params.length; at += 3) {
        const key = String(params[at]);
        if (this.holders.has(key) || taken.has(key)) throw new RefusedStatement(sql);
        taken.set(key, String(params[at + 1]));
      }
    }
    for (const [key, holder] of taken) this.holders.set(key, holder);
    this.committed.push([...taken.values()].sort());
  }
}

describe('commits that take keys', () => {
  const take = (id: string, requestKey: string): BurstCommit => aBurstOf(anInstanceOf(id), { requestKey });

  it('commits that take keys share a transaction; one whose key is taken is refused, and the others are stored', async () => {
    const server = new KeyServer(new Map([['key-b', 'of-another']]));
    const writer = new CommitWriter(server.database, tables, settings);
    const ids = ['a', 'b', 'c'];
    const [a, b, c] = await Promise.allSettled(ids.map((id) => writer.commit(take(id, `key-${id}`))));
    expect([a!.status, c!.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(b).toMatchObject({ status: 'rejected', reason: { code: 'WM7007', workflowInstanceId: 'of-another' } });
    expect([server.committed, server.waits]).toEqual([[['a', 'c']], [true]]);
  });

  it('commits that take keys are stored in the order in which they came where they take the same key', async () => {
    const server = new KeyServer(new Map());
    const writer = new CommitWriter(server.database, tables, settings);
    const [a, again, c] = await Promise.allSettled([
      writer.commit(take('a', 'key')),
      writer.commit(take('again', 'key')),
      writer.commit(take('c', 'other')),
    ]);
    expect([a.status, c.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(again).toMatchObject({ status: 'rejected', reason: { code: 'WM7007', workflowInstanceId: 'a' } });
    expect(server.committed).toEqual([['a', 'c']]);
  });

  it('commits that take keys do not pass for the first one because the instance has the same id', async () => {
    const server = new KeyServer(new Map([['key', 'a']]));
    const writer = new CommitWriter(server.database, tables, settings);
    await expect(writer.commit(take('a', 'key'))).rejects.toMatchObject({ code: 'WM7007' });
    expect(server.committed).toEqual([]);
  });
});

describe('a group whose answer is lost', () => {
  /** Each transaction with one of these instances is lost: what it would store is there, or is not. */
  class LostAnswers {
    readonly committed: string[][] = [];
    reads = 0;
    readonly database: SqlDatabase;
    private readonly holders = new Map<string, string>();
    private readonly bookmarks = new Set<string>();

    constructor(
      private readonly lost: string,
      private readonly isStored: boolean,
    ) {
      this.database = databaseOf(
        (statement) => this.read(statement),
        (statements) => this.write(statements),
      );
    }

    private async read({ sql, params }: Statement): Promise<readonly Row[]> {
      this.reads++;
      if (sql.includes(tables.bookmarks)) return params.flat().some((id) => this.bookmarks.has(String(id))) ? [{}] : [];
      if (!sql.includes(tables.request_keys)) return [];
      return [...this.holders].map(([request_key, instance_id]) => ({ request_key, instance_id }));
    }

    private write(statements: readonly Statement[]): void {
      const rows = (table: string, width: number) =>
        statements
          .filter(({ sql }) => sql.startsWith(`INSERT INTO ${table} `))
          .flatMap(({ params }) => chunksOf(params.map(String), width));
      const taken = rows(tables.request_keys, 3);
      for (const [key] of taken) if (this.holders.has(key!)) throw new RefusedStatement('key');
      const ids = taken.map(([, id]) => id!).sort();
      const isLost = ids.includes(this.lost);
      if (!isLost || this.isStored) {
        for (const [key, id] of taken) this.holders.set(key!, id!);
        for (const [id] of rows(tables.bookmarks, BOOKMARK.names.length)) this.bookmarks.add(id!);
        this.committed.push(ids);
      }
      if (isLost) throw new CommitOutcomeUnknownError('lost');
    }
  }

  const take = (id: string, requestKey: string): BurstCommit => {
    const common = { name: 'x', hash: id, workflowInstanceId: id, activityInstanceId: 'a', createdAt: new Date(0) };
    return aBurstOf(anInstanceOf(id), { requestKey, addedBookmarks: [{ ...common, id: `${id}-bookmark` }] });
  };
  const outcomes = async (server: LostAnswers, ...bursts: readonly BurstCommit[]) => {
    const writer = new CommitWriter(server.database, tables, settings);
    const settled = await Promise.allSettled(bursts.map((burst) => writer.commit(burst)));
    return settled.map((result) =>
      result.status === 'fulfilled' ? 'stored' : (result.reason as { code: string }).code,
    );
  };

  it('is stored where a row of it is there, and says so', async () => {
    const server = new LostAnswers('a', true);
    expect(await outcomes(server, take('a', '1'), take('b', '2'))).toEqual(['stored', 'stored']);
    expect(server.committed).toEqual([['a', 'b']]);
  });

  it('is unknown where none is there, and is not repeated', async () => {
    const server = new LostAnswers('a', false);
    expect(await outcomes(server, take('a', '1'), take('b', '2'))).toEqual(['WM7015', 'WM7015']);
    expect(server.committed).toEqual([]);
  });

  it('has a known outcome for a commit that was held back because of its key', async () => {
    const isLost = new LostAnswers('a', false);
    expect(await outcomes(isLost, take('a', '1'), take('again', '1'))).toEqual(['WM7015', 'stored']);
    const isStored = new LostAnswers('a', true);
    expect(await outcomes(isStored, take('a', '1'), take('again', '1'))).toEqual(['stored', 'WM7007']);
  });

  it('has a known outcome for commits that were refused before it', async () => {
    const server = new LostAnswers('a', false);
    await outcomes(server, take('first', '2'));
    expect(await outcomes(server, take('a', '1'), take('late', '2'))).toEqual(['WM7015', 'WM7007']);
  });
});

describe('a group whose server gives no answer', () => {
  it.each([
    ['a group whose server has just been lost is tried one by one', false, 1 + 3],
    ['a group whose server has been lost for as long as calls wait is not tried once more', true, 1],
  ])('%s', async (_title, isOut, transactions) => {
    let tried = 0;
    const database = databaseOf(
      async () => [],
      () => {
        tried++;
        throw new StoreUnavailableError('no connection');
      },
    );
    const writer = new CommitWriter({ ...database, isOut }, tables, settings);
    const commits = ['a', 'b', 'c'].map((id) => writer.commit(aBurstOf(anInstanceOf(id))));
    for (const { status, reason } of (await Promise.allSettled(commits)) as PromiseRejectedResult[])
      expect([status, (reason as { code: string }).code]).toEqual(['rejected', 'WM7014']);
    expect(tried).toBe(transactions);
  });
});
