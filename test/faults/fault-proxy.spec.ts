import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { FaultProxy, WRITES } from './fault-proxy.js';

const HOUR_MS = 3_600_000;

const backends = await testBackends('mysql', 'postgres');

describeOn(backends, 'the fault proxy: $name', (backend) => {
  const url = backend.url ?? '';
  const table = `${backend.tablePrefix}proxy`;
  const opened: DataSource[] = [];
  let proxy: FaultProxy;
  let direct: DataSource;

  async function open(through: string): Promise<DataSource> {
    const options = { type: backend.name, url: through, poolSize: 1, logging: false };
    const dataSource = await new DataSource(options as DataSourceOptions).initialize();
    opened.push(dataSource);
    return dataSource;
  }

  const insert = (dataSource: DataSource, id: number) => dataSource.query(`INSERT INTO ${table} (id) VALUES (${id})`);
  const ids = async () =>
    ((await direct.query(`SELECT id FROM ${table} ORDER BY id`)) as { id: number }[]).map(({ id }) => id);
  const codeOf = (failing: Promise<unknown>) =>
    failing.then(
      () => 'none',
      ({ driverError, code }) => driverError?.errno ?? driverError?.code ?? code,
    );

  beforeEach(async () => {
    proxy = await FaultProxy.open(url);
    direct = await open(url);
    await direct.query(`DROP TABLE IF EXISTS ${table}`);
    await direct.query(`CREATE TABLE ${table} (id INT PRIMARY KEY)`);
  });

  afterEach(async () => {
    await proxy.close();
    await direct.query(`DROP TABLE ${table}`);
    await Promise.all(opened.splice(0).map((dataSource) => dataSource.destroy()));
  });

  it('passes everything while nothing is wrong', async () => {
    const client = await open(proxy.url);
    await client.transaction(async (manager) => {
      await manager.query(`INSERT INTO ${table} (id) VALUES (1)`);
    });
    expect(await ids()).toEqual([1]);
    expect(proxy.figures).toEqual({ connections: 1, turnedAway: 0, commitsCut: 0 });
  });

  it('silences existing connections while new ones work, and forwards again when healed', async () => {
    const client = await open(proxy.url);
    expect(proxy.blackHole('established')).toBe(1);
    let answered = false;
    const late = insert(client, 1).then(() => (answered = true));
    await insert(await open(proxy.url), 2);
    expect([answered, await ids()]).toEqual([false, [2]]);
    proxy.heal();
    await late;
    expect(await ids()).toEqual([1, 2]);
  });

  it('silences all connections', async () => {
    proxy.blackHole('all');
    let answered = false;
    const late = open(proxy.url).then(() => (answered = true));
    await insert(direct, 1);
    expect(answered).toBe(false);
    proxy.heal();
    await late;
  });

  it('delays what it passes on', async () => {
    const pauses: { readonly ms: number; readonly end: () => void }[] = [];
    let wake = (): void => {};
    const pause = (ms: number) =>
      new Promise<void>((end) => {
        pauses.push({ ms, end });
        wake();
      });
    const delaying = await FaultProxy.open(url, pause);
    const client = await open(delaying.url);
    delaying.delay(HOUR_MS);
    let answered = false;
    const query = client.query('SELECT 1').then(() => {
      answered = true;
      wake();
    });
    let ended = 0;
    while (!answered)
      if (ended < pauses.length) pauses[ended++]!.end();
      else await new Promise<void>((resolve) => (wake = resolve));
    await query;
    // Both ways are delayed: the question had to wait, and then the answer.
    expect(ended).toBeGreaterThanOrEqual(2);
    for (const { ms } of pauses) expect(Math.round(ms / HOUR_MS)).toBe(1);
    delaying.heal();
    await delaying.close();
  });

  it.each([
    ['before', []],
    ['after', [1]],
  ] as const)('cuts a connection in the moment of COMMIT, %s the server gets it', async (moment, stored) => {
    const client = await open(proxy.url);
    proxy.cutCommits(moment, 1);
    const work = client.transaction(async (manager) => manager.query(`INSERT INTO ${table} (id) VALUES (1)`));
    await expect(work).rejects.toThrow();
    expect(proxy.figures.commitsCut).toBe(1);
    expect(await ids()).toEqual(stored);
  });

  it.each([
    ['read-only', { mysql: 1290, postgres: '25006' }],
    ['disk-full', { mysql: 1021, postgres: '53100' }],
    ['out-of-memory', { mysql: 1041, postgres: '53200' }],
  ] as const)('lets the server refuse writes and continue: %s', async (refusal, codes) => {
    const client = await open(proxy.url);
    proxy.refuse(WRITES, refusal);
    const parametrised = backend.name === 'postgres' ? '$1' : '?';
    const failing = client.query(`INSERT INTO ${table} (id) VALUES (${parametrised})`, [1]);
    expect(await codeOf(failing)).toBe(codes[backend.name as 'mysql' | 'postgres']);
    expect(await codeOf(insert(client, 2))).toBe(codes[backend.name as 'mysql' | 'postgres']);
    expect(await client.query(`SELECT id FROM ${table}`)).toEqual([]);
    proxy.heal();
    await insert(client, 3);
    expect(await ids()).toEqual([3]);
  });

  it('turns away connections beyond a limit, as the server does', async () => {
    await open(proxy.url);
    proxy.limitConnections(1);
    expect(await codeOf(open(proxy.url))).toBe(backend.name === 'postgres' ? '53300' : 'ER_CON_COUNT_ERROR');
    expect(proxy.figures).toMatchObject({ connections: 1, turnedAway: 1 });
    proxy.heal();
    await open(proxy.url);
  });

  it('cuts one connection, or all', async () => {
    const client = await open(proxy.url);
    expect(proxy.cutOne({ pick: ([first]) => first! })).toBe(true);
    await expect(client.query('SELECT 1')).rejects.toThrow();
    const others = [await open(proxy.url), await open(proxy.url)];
    proxy.blackHole('established');
    const waiting = others.map((other) => expect(other.query('SELECT 1')).rejects.toThrow());
    proxy.cutAll();
    await Promise.all(waiting);
    await insert(await open(proxy.url), 1);
  });
});
