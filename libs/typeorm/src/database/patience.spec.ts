import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DIALECTS } from '../dialect/dialect.js';
import { GroupCommit } from './group-commit.js';
import { newLink } from './links.js';
import { PooledDatabase, type Session } from './pooled-database.js';
import type { SqliteHandle } from './sqlite-handle.js';
import { inOneGo } from './sql-database.js';

/** What a try without an answer takes. */
const TRY_MS = 4000;

let now = 0;

beforeEach(() => {
  now = 1_000_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const statement = { sql: 'UPDATE t SET a = 1', params: [] };
const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const full = Object.assign(new Error('too many clients'), { code: '53300' });
const locked = Object.assign(new Error('lock timeout'), { code: '55P03' });

/** Each try takes its time, and fails with what is set. */
class Ailing extends PooledDatabase {
  readonly dialect = DIALECTS.postgres;
  tries = 0;
  /** Of `connect`, `run` and `commit`. */
  faults: { connect?: Error; run?: Error; commit?: Error } = {};

  constructor() {
    super({ ownPool: true, poolSize: 4, statementTimeoutMs: 1000, connectTimeoutMs: 1000 });
  }

  /** How many tries a call takes, and how it ends. */
  async triesOf(call: () => Promise<unknown>): Promise<[tries: number, code: string | undefined]> {
    const before = this.tries;
    const code = await call().then(
      () => undefined,
      (error: { code: string }) => error.code,
    );
    return [this.tries - before, code];
  }

  protected async open(): Promise<Session> {
    this.tries++;
    const failing = (fault: Error | undefined): void => {
      if (!fault) return;
      now += TRY_MS;
      throw fault;
    };
    failing(this.faults.connect);
    return {
      link: newLink(undefined, 0),
      run: async (statements) => {
        failing(this.faults.run);
        return statements.map(() => ({ rows: [], affected: 1 }));
      },
      commit: async () => failing(this.faults.commit),
      rollback: async () => undefined,
      release: () => undefined,
    };
  }
}

const read = (database: Ailing) => database.read(statement);
const write = (database: Ailing, once = false) => database.transact(() => inOneGo([statement]), { once });

describe('the patience with a server that gives no answer', () => {
  it.each([
    ['gives no connection', { connect: refused }],
    ['is full', { connect: full }],
    ['loses each connection', { run: refused }],
  ])(
    'the patience with a server that %s is that of one call: later ones are tried once until it answers',
    async (_what, faults) => {
      const database = new Ailing();
      database.faults = faults;
      expect(database.isOut).toBe(false);
      expect(await database.triesOf(() => read(database))).toEqual([4, 'WM7014']);
      expect(database.isOut).toBe(true);
      expect(await database.triesOf(() => read(database))).toEqual([1, 'WM7014']);
      expect(await database.triesOf(() => write(database))).toEqual([1, 'WM7014']);
      database.faults = {};
      expect(await database.triesOf(() => write(database))).toEqual([1, undefined]);
      expect(database.isOut).toBe(false);
      database.faults = faults;
      expect(await database.triesOf(() => write(database))).toEqual([4, 'WM7014']);
    },
  );

  it('begins with the first of several calls that follow each other, such as a commit alone after one in a group', async () => {
    const database = new Ailing();
    database.faults = { connect: refused };
    expect(await database.triesOf(() => write(database, true))).toEqual([1, 'WM7014']);
    expect(await database.triesOf(() => write(database))).toEqual([3, 'WM7014']);
    expect(now).toBe(1_000_000 + 4 * TRY_MS);
  });

  it('is that of those that wait for a connection, too', async () => {
    const database = new Ailing();
    database.faults = { connect: refused };
    const codes = Array.from({ length: 12 }, () => read(database).catch(({ code }: { code: string }) => code));
    expect(new Set(await Promise.all(codes))).toEqual(new Set(['WM7014']));
    expect(database.tries).toBe(4);
  });

  it('includes what was lost during a COMMIT, which is not repeated', async () => {
    const database = new Ailing();
    database.faults = { commit: refused };
    expect(await database.triesOf(() => write(database))).toEqual([1, 'WM7015']);
    database.faults = { connect: refused };
    expect(await database.triesOf(() => read(database))).toEqual([3, 'WM7014']);
  });

  it('is whole again when nothing was asked for as long: it may be another outage', async () => {
    const database = new Ailing();
    database.faults = { connect: refused };
    await database.triesOf(() => read(database));
    now += 15_001;
    expect(await database.triesOf(() => read(database))).toEqual([4, 'WM7014']);
  });

  it('is for each call by itself where a lock is in its way: the server answers others', async () => {
    const database = new Ailing();
    database.faults = { run: locked };
    expect(await database.triesOf(() => write(database))).toEqual([4, 'WM7014']);
    expect(await database.triesOf(() => write(database))).toEqual([4, 'WM7014']);
  });
});

describe('the patience with a file that another process has locked', () => {
  it('the patience with a file that another process has locked is that of one group: later ones are tried once', async () => {
    let tries = 0;
    let isLocked = true;
    const begin = () => {
      tries++;
      if (!isLocked) return;
      now += TRY_MS;
      throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
    };
    const prepare = (sql: string) => ({ run: sql.startsWith('BEGIN') ? begin : () => undefined });
    const handle = { prepare, inTransaction: false } as unknown as SqliteHandle;
    const writer = new GroupCommit(
      handle,
      () => undefined,
      () => 0,
      undefined,
    );
    const triesOf = async (): Promise<[number, string]> => {
      const before = tries;
      const outcome = await writer.run(() => 'written').catch(({ code }: { code: string }) => code);
      return [tries - before, outcome];
    };
    expect(await triesOf()).toEqual([4, 'SQLITE_BUSY']);
    expect(await triesOf()).toEqual([1, 'SQLITE_BUSY']);
    isLocked = false;
    expect(await triesOf()).toEqual([1, 'written']);
    isLocked = true;
    expect(await triesOf()).toEqual([4, 'SQLITE_BUSY']);
  });
});

/** What a statement takes, and whether the connection is lost then. */
const taking = (ms: number, isLost = false) => ({ sql: 'SELECT 1', params: [ms, isLost ? 1 : 0] });

/** Statements take as long as they say, or as long as the server is slow. A connection that the pool drops fails, like one of a driver. */
class Slow extends PooledDatabase {
  readonly dialect = DIALECTS.postgres;
  answerMs = 0;

  constructor(poolSize = 4) {
    super({ ownPool: true, poolSize, statementTimeoutMs: 10_000, connectTimeoutMs: 1000 });
  }

  protected async open(): Promise<Session> {
    let drop = (): void => undefined;
    const socket = { destroy: () => drop(), unref: () => undefined };
    return {
      link: newLink(socket as never, 0),
      run: (statements) =>
        new Promise((resolve, reject) => {
          const [ms = this.answerMs, isLost] = statements[0]!.params as number[];
          drop = () => reject(refused);
          setTimeout(() => (isLost ? drop() : resolve(statements.map(() => ({ rows: [], affected: 1 })))), ms);
        }),
      commit: async () => undefined,
      rollback: async () => undefined,
      release: () => undefined,
    };
  }
}

describe('the patience with a server that is slow', () => {
  let database: Slow;

  beforeEach(() => {
    jest.restoreAllMocks();
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    database = new Slow();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** In small steps: what follows from a timer may set the next one. */
  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 250) await jest.advanceTimersByTimeAsync(250);
  }
  const outcome = (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => 'answered',
      ({ code }: { code: string }) => code,
    );
  /** Without pauses, which are of real time. */
  const tryOnce = (): Promise<string> => outcome(database.transact(() => inOneGo([statement]), { once: true }));

  async function useUpPatience(): Promise<void> {
    database.answerMs = 3_600_000;
    for (const _ of [1, 2]) {
      const call = tryOnce();
      await pass(13_000);
      expect(await call).toBe('WM7014');
    }
    expect(database.isOut).toBe(true);
  }

  it('a server that is back after an outage, and slow, is found: one call at a time is given the whole time', async () => {
    await useUpPatience();
    database.answerMs = 6000;
    const late = [1, 2, 3].map(tryOnce);
    await pass(7000);
    expect(await Promise.all(late)).toEqual(['answered', 'WM7014', 'WM7014']);
    expect(database.isOut).toBe(false);
    const next = [1, 2, 3].map(tryOnce);
    await pass(7000);
    expect(await Promise.all(next)).toEqual(['answered', 'answered', 'answered']);
  });

  it('no more than one call at a time waits long for a server that is still silent', async () => {
    await useUpPatience();
    const ended: number[] = [];
    const begin = (n: number): void => void tryOnce().then(() => ended.push(n));
    for (const n of [1, 2, 3]) begin(n);
    await pass(5000);
    expect(ended).toEqual([2, 3]);
    begin(4);
    await pass(5000);
    expect(ended).toEqual([2, 3, 4]);
    await pass(3000);
    expect(ended).toEqual([2, 3, 4, 1]);
  });

  it('a call that has taken long and loses its connection refuses none of those that wait for one, if others are answered', async () => {
    database = new Slow(2);
    const others: Promise<string>[] = [];
    const ask = (ms: number): void =>
      void others.push(outcome(database.transact(() => inOneGo([taking(ms)]), { once: true })));
    const long = outcome(
      database.transact(
        function* () {
          yield [taking(8000)];
          yield [taking(8000, true)];
        },
        { once: true },
      ),
    );
    ask(9000);
    await pass(8500);
    // It has the other connection then, until after the one of `long` is lost.
    ask(9000);
    await pass(4000);
    ask(1000);
    await pass(4000);
    expect(await long).toBe('WM7014');
    await pass(10_000);
    expect(await Promise.all(others)).toEqual(['answered', 'answered', 'answered']);
  });
});
