import { describe, expect, it } from '@jest/globals';
import { FiringResult, StoreUnavailableError } from '@waymark/runtime';
import type { BurstCommit } from '@waymark/runtime/adapter';
import { aBurstOf } from '../../../../test/support/a-burst.js';
import { anInstanceOf } from '../../../../test/support/an-instance.js';
import type { PersistenceSettings } from '../connection/settings.js';
import type { SqlDatabase } from '../database/sql-database.js';
import { RefusedStatement, type Row, type Statement } from '../database/statement.js';
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

  it('says what else of it is used up before it speaks of its occurrence', async () => {
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

  it('share a transaction; one whose key is taken is refused, and the others are stored', async () => {
    const server = new KeyServer(new Map([['key-b', 'of-another']]));
    const writer = new CommitWriter(server.database, tables, settings);
    const ids = ['a', 'b', 'c'];
    const [a, b, c] = await Promise.allSettled(ids.map((id) => writer.commit(take(id, `key-${id}`))));
    expect([a!.status, c!.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(b).toMatchObject({ status: 'rejected', reason: { code: 'WM7007', workflowInstanceId: 'of-another' } });
    expect([server.committed, server.waits]).toEqual([[['a', 'c']], [true]]);
  });

  it('are stored in the order in which they came where they take the same key', async () => {
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

  it('do not pass for the first one because the instance has the same id', async () => {
    const server = new KeyServer(new Map([['key', 'a']]));
    const writer = new CommitWriter(server.database, tables, settings);
    await expect(writer.commit(take('a', 'key'))).rejects.toMatchObject({ code: 'WM7007' });
    expect(server.committed).toEqual([]);
  });
});
