import { describe, expect, it } from '@jest/globals';
import { DIALECTS } from '../dialect/dialect.js';
import { newLink } from './links.js';
import { PooledDatabase, type Session } from './pooled-database.js';
import { inOneGo } from './sql-database.js';

/** What the driver says for COMMIT, one after the other; then it succeeds. */
class Ailing extends PooledDatabase {
  commits = 0;
  broken = 0;

  constructor(
    readonly dialect: (typeof DIALECTS)['mysql' | 'postgres'],
    protected readonly faults: Error[],
  ) {
    super({ ownPool: true, poolSize: 4, statementTimeoutMs: 1000, connectTimeoutMs: 1000 });
  }

  protected async open(): Promise<Session> {
    return {
      link: newLink(undefined, 0),
      run: async (statements) => statements.map(() => ({ rows: [], affected: 1 })),
      commit: async () => {
        this.commits++;
        const fault = this.faults.shift();
        if (fault) throw fault;
      },
      rollback: async () => undefined,
      release: (broken) => void (this.broken += broken ? 1 : 0),
    };
  }
}

/** Its connections cannot be made. */
class Unreachable extends Ailing {
  protected override async open(): Promise<Session> {
    const [fault] = this.faults;
    throw fault!;
  }
}

const write = (database: Ailing) => database.transact(() => inOneGo([{ sql: 'UPDATE t SET a = 1', params: [] }]));

describe('a connection that is lost in a transaction', () => {
  // A process that stood still in it finds that the server has ended it meanwhile.
  it.each([
    ['postgres', new Error('Client has encountered a connection error and is not queryable')],
    ['postgres', Object.assign(new Error('terminating connection'), { code: '25P03' })],
    ['mysql', Object.assign(new Error("Can't add new command when connection is in closed state"), { fatal: true })],
  ] as const)(
    'a connection that is lost in a transaction on %s, before COMMIT was sent, is tried again: nothing is stored (%s)',
    async (family, fault) => {
      const database = new Ailing(DIALECTS[family], [fault]);
      await write(database);
      expect([database.commits, database.broken]).toEqual([2, 1]);
    },
  );

  it.each([
    ['postgres', new Error('Connection terminated unexpectedly')],
    ['mysql', Object.assign(new Error('Connection lost'), { code: 'PROTOCOL_CONNECTION_LOST', fatal: true })],
  ] as const)(
    'a connection that is lost in a transaction on %s, after COMMIT was sent, has an outcome that is unknown (%s)',
    async (family, fault) => {
      const database = new Ailing(DIALECTS[family], [fault]);
      await expect(write(database)).rejects.toMatchObject({ code: 'WM7015' });
      expect([database.commits, database.broken]).toEqual([1, 1]);
    },
  );
});

describe('a connection that cannot be made', () => {
  it.each([
    ['postgres', Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' })],
    ['postgres', Object.assign(new Error('database "app" does not exist'), { code: '3D000' })],
    ['postgres', new Error('SASL: SCRAM-SERVER-FINAL-MESSAGE: server signature does not match')],
    ['mysql', Object.assign(new Error("Host '10.0.0.7' is blocked"), { errno: 1129 })],
    ['mysql', Object.assign(new Error('too many open files'), { code: 'EMFILE' })],
    [
      'mysql',
      Object.assign(new Error('Server does not support secure connection'), { code: 'HANDSHAKE_NO_SSL_SUPPORT' }),
    ],
  ] as const)('is an outage of the store, whatever the reason: %s, %s', async (family, fault) => {
    const database = new Unreachable(DIALECTS[family], [fault]);
    const error = { code: 'WM7014', message: expect.stringContaining(fault.message), cause: fault };
    await expect(write(database)).rejects.toMatchObject(error);
    await expect(database.read({ sql: 'SELECT 1', params: [] })).rejects.toMatchObject(error);
  });
});
