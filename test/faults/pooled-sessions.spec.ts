import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { WorkflowPersistence } from '@waymark/runtime';
import { TypeOrmPersistence, type TypeOrmPersistenceOptions } from '@waymark/typeorm';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { aBurstOf } from '../support/a-burst.js';
import { anInstanceOf } from '../support/an-instance.js';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { makeImpatient } from '../support/impatient.js';
import { TransactionPooler } from './transaction-pooler.js';

// PgBouncer with `pool_mode = transaction`: statements of one connection are answered by other sessions from one transaction to the next.

/** Sessions of the pooler, fewer than a pool of ours has connections. */
const SESSIONS = 2;

const burst = (id: string, expectedRevision?: number) => aBurstOf(anInstanceOf(id), { expectedRevision });

describeOn(await testBackends('postgres'), 'a pooler that changes sessions: $name', (backend) => {
  const { tablePrefix, url } = backend;
  const opened: (() => Promise<unknown>)[] = [];
  let warnings: jest.Spied<Logger['warn']>;
  let pooler: TransactionPooler;

  const node = async (options: TypeOrmPersistenceOptions = {}): Promise<WorkflowPersistence> => {
    const persistence = TypeOrmPersistence.fromUrl(pooler.url, { tablePrefix, ...options });
    opened.push(() => persistence.close());
    await persistence.initialize();
    return persistence;
  };
  const said = () => warnings.mock.calls.map(([text]) => String(text));
  /** What another application finds in the sessions that it is given. */
  const leftInSessions = async () => {
    const other = new Client(pooler.url);
    await other.connect();
    const found = new Set<string>();
    for (let asked = 0; asked < 2 * SESSIONS; asked++) {
      const { rows } = await other.query(
        "SELECT current_setting('lock_timeout') AS locks, current_setting('statement_timeout') AS statements, " +
          "current_setting('jit') = (SELECT reset_val FROM pg_settings WHERE name = 'jit') AS is_jit_as_before, " +
          '(SELECT count(*) FROM pg_prepared_statements) AS prepared',
      );
      found.add(JSON.stringify(rows[0]));
    }
    await other.end();
    return [...found].map((text) => JSON.parse(text) as unknown);
  };

  beforeEach(async () => {
    warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    pooler = await TransactionPooler.open(url, SESSIONS);
  });

  afterEach(async () => {
    pooler.resume();
    for (const close of opened.splice(0)) await close();
    await pooler.close();
    warnings.mockRestore();
  });

  afterAll(() => backend.drop());

  it('is detected: nodes work, log it once, and leave no settings in sessions of others', async () => {
    const nodes = await Promise.all([node(), node()]);
    const ids = Array.from({ length: 60 }, (_, n) => `pooled-${n}`);
    await Promise.all(ids.map((id, n) => nodes[n % 2]!.commit({ ...burst(id), requestKey: id })));
    expect(await nodes[0]!.instances.count({ ids })).toBe(ids.length);
    expect(await leftInSessions()).toEqual([{ locks: '0', statements: '0', is_jit_as_before: true, prepared: '0' }]);
    const notice = expect.stringContaining('may change sessions between transactions');
    expect(said()).toEqual([notice, notice]);
  });

  it('limits each transaction: those that wait for a lock do not block the sessions of others', async () => {
    const persistence = await node({ statementTimeoutMs: 60_000 });
    await persistence.commit(burst('held'));
    const direct = await new DataSource({ type: 'postgres', url }).initialize();
    const holder = direct.createQueryRunner();
    await holder.startTransaction();
    await holder.query(`SELECT id FROM ${tablePrefix}instances WHERE id = 'held' FOR UPDATE`);
    let ended = 0;
    const waiting = Array.from({ length: 2 * SESSIONS }, () =>
      persistence.commit({ ...burst('held', 1), requestKey: 'held' }).finally(() => ended++),
    );
    await persistence.commit({ ...burst('free'), requestKey: 'free' });
    expect(ended).toBe(0);
    await holder.commitTransaction();
    await holder.release();
    await direct.destroy();
    const outcomes = await Promise.allSettled(waiting);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  }, 60_000);

  it('may be paused: waiting calls fail with a typed error, and work again afterwards', async () => {
    const persistence = await node({ statementTimeoutMs: 400, connectTimeoutMs: 300 });
    pooler.pause();
    const patience = makeImpatient();
    await expect(persistence.commit({ ...burst('paused'), requestKey: 'paused' })).rejects.toMatchObject({
      code: 'WM7014',
    });
    patience.mockRestore();
    pooler.resume();
    await persistence.commit({ ...burst('paused'), requestKey: 'paused' });
    expect(await persistence.instances.count({ ids: ['paused'] })).toBe(1);
  }, 60_000);

  it('may lose sessions in the middle of transactions: each is stored once, or says that it is unknown', async () => {
    const persistence = await node();
    const ids = Array.from({ length: 100 }, (_, n) => `killed-${n}`);
    let isOver = false;
    let kills = 0;
    const killing = (async () => {
      while (!isOver && kills < 20) {
        if (await pooler.killBusy()) kills++;
        // A call of the store would wait behind the commits, and come when all of them are done.
        await pause(1);
      }
    })();
    const outcomes = await Promise.all(
      ids.map((id) =>
        persistence.commit({ ...burst(id), requestKey: id }).then(
          () => 'done',
          ({ code }: { code: string }) => code,
        ),
      ),
    );
    isOver = true;
    await killing;
    expect(kills).toBeGreaterThan(0);
    expect(outcomes.filter((outcome) => outcome !== 'done' && outcome !== 'WM7015')).toEqual([]);
    const done = ids.filter((_, n) => outcomes[n] === 'done');
    expect(await persistence.instances.count({ ids: done })).toBe(done.length);
  }, 60_000);

  it('is trusted to keep sessions if the application sets that, which is logged', async () => {
    const single = await TransactionPooler.open(url, 1);
    const persistence = TypeOrmPersistence.fromUrl(single.url, { tablePrefix, preparedStatements: true });
    await persistence.initialize();
    expect(said()).toEqual([expect.stringContaining('pool_mode = session')]);
    await persistence.close();
    await single.close();
  });
});
