import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import type { ActivityExecutionRecord, JournalChunk } from '@waymark/core';
import type { WorkflowPersistence } from '@waymark/runtime';
import { createWaymarkDataSource } from '@waymark/typeorm';
import type { DataSource } from 'typeorm';
import { anInstanceOf } from '../support/an-instance.js';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';

const LARGE = 'x'.repeat(50_000);
const AT = new Date(1_800_000_000_000);
const ACTIVITY = { activityId: 'A', activityNodeId: 'W:A', activityType: 'Test.A', activityTypeVersion: 1 };

const aRecord = (more: Partial<ActivityExecutionRecord>): ActivityExecutionRecord => ({
  ...{ id: 'execution', ...ACTIVITY, properties: {}, metadata: {}, startedAt: AT, hasBookmarks: true },
  ...{ status: 'Running', aggregateFaultCount: 0, callStackDepth: 0 },
  ...more,
});
let instances = 0;

describeOn(await testBackends('sqlite', 'mysql', 'postgres'), 'rows of the journal on $name', (backend) => {
  let store: WorkflowPersistence;
  let dataSource: DataSource;

  beforeAll(async () => {
    store = await backend.create();
    await store.initialize();
    dataSource = await createWaymarkDataSource(backend.url!, { tablePrefix: backend.tablePrefix }).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await store.close();
    await backend.drop();
  });

  /** Of the journal in the order of its chunks: a server gives rows as they lie, which need not be as they came. */
  const rowsOf = async (table: 'journal' | 'journal_values', id: string): Promise<string[]> => {
    const order = table === 'journal' ? ' ORDER BY id' : '';
    const sql = `SELECT data FROM ${backend.tablePrefix}${table} WHERE instance_id = '${id}'${order}`;
    return ((await dataSource.query(sql)) as { data: string }[]).map(({ data }) => data);
  };
  const commit = (id: string, burst: number, journal: JournalChunk) =>
    store.commit({
      instance: anInstanceOf(id),
      expectedRevision: burst === 0 ? undefined : burst,
      ...{ addedBookmarks: [], removedBookmarkIds: [], consumedBookmarkIds: [], journal, outbox: [] },
      ...{ consumedMessageIds: [], queue: [], consumedQueueItemIds: [] },
    });
  /** Some bursts of one instance that do the same again and again. */
  const runBursts = async (count: number, Text: (burst: number) => string) => {
    const id = `instance-${++instances}`;
    for (let burst = 0; burst < count; burst++) {
      const entry = { sequence: burst + 1, activityInstanceId: 'e', ...ACTIVITY, timestamp: AT, eventName: 'Started' };
      await commit(id, burst, { log: [{ ...entry, payload: { Text: Text(burst) } }], records: [] });
    }
    return { id };
  };

  it('rows of the journal hold a large value once for an instance, however often it comes', async () => {
    const { id } = await runBursts(4, (burst) => `${burst % 2}${LARGE}`);
    const values = await rowsOf('journal_values', id);
    expect(values.map((text) => text.length)).toEqual([LARGE.length + 12, LARGE.length + 12]);
    for (const chunk of await rowsOf('journal', id)) expect(chunk.length).toBeLessThan(1000);
  });

  it('rows of the journal are read for a page alone, however many bursts there were', async () => {
    const { id } = await runBursts(300, (burst) => `burst ${burst}`);
    const { database } = store as unknown as { database: { read(statement: object): Promise<readonly object[]> } };
    const read = jest.spyOn(database, 'read');
    const page = await store.journal.readLogPage(id, { skip: 200, take: 10 });
    const answers = await Promise.all(read.mock.results.map(({ value }) => value as Promise<readonly object[]>));
    read.mockRestore();
    expect(page.items.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 10 }, (_, n) => 201 + n));
    expect(page.totalCount).toBe(300);
    expect(answers.reduce((sum, rows) => sum + rows.length, 0)).toBe(11);
    const end = await store.journal.readLogPage(id, { skip: 295, take: 10 });
    expect(end.items.map(({ sequence }) => sequence)).toEqual([296, 297, 298, 299, 300]);
    expect(await store.journal.readLogPage(id, { skip: 300, take: 10 })).toEqual({ items: [], totalCount: 300 });
  });

  it('rows of the journal hold what is not large in its place', async () => {
    const { id } = await runBursts(2, () => 'x'.repeat(30_000));
    expect(await rowsOf('journal_values', id)).toEqual([]);
  });

  it('rows of the journal do not hold a part again that did not change', async () => {
    const id = `instance-${++instances}`;
    const record = aRecord({ activityState: { Items: 'x'.repeat(20_000) } });
    await commit(id, 0, { log: [], records: [record] });
    const unchanged = { ...record, properties: { Count: 1 }, unchanged: ['activityState', 'outputs'] as const };
    await commit(id, 1, { log: [], records: [unchanged] });
    const [first, second] = await rowsOf('journal', id);
    expect([first!.length > 20_000, second!.length < 1000]).toEqual([true, true]);
  });

  it('rows of the journal lose their values at the next look after a node of the previous version deleted their instance', async () => {
    const gone = await runBursts(1, () => LARGE);
    const kept = await runBursts(1, () => LARGE);
    for (const [table, column] of [
      ['instances', 'id'],
      ['journal', 'instance_id'],
    ])
      await dataSource.query(`DELETE FROM ${backend.tablePrefix}${table} WHERE ${column} = '${gone.id}'`);
    expect(await rowsOf('journal_values', gone.id)).toHaveLength(1);
    expect(await store.journal.purgeOrphanedValues(1000)).toBeGreaterThan(1);
    expect(await rowsOf('journal_values', gone.id)).toEqual([]);
    expect(await rowsOf('journal_values', kept.id)).toHaveLength(1);
  });
});
