import { afterAll, expect, it } from '@jest/globals';
import { serialize } from '@waymark/core/adapter';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { aBurstOf } from '../support/a-burst.js';
import { anInstanceOf } from '../support/an-instance.js';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { Lines, startScript } from '../support/processes.js';

describeOn(await testBackends('sqlite'), 'two processes on one file: $name', ({ url, drop }) => {
  afterAll(() => drop());

  it('two processes on one file start at once on a new file, and one of 200 resumes wins (W2)', async () => {
    const instance = anInstanceOf('raced');
    const bookmarkId = 'raced-bookmark';
    const text = serialize({ instance, bookmarkId });
    const racers = [1, 2].map(() => new Lines(startScript('resume-racer.ts', url, '100', text)));
    for (const racer of racers) expect(await racer.line(0)).toBe('ready');

    const persistence = TypeOrmPersistence.fromUrl(url);
    await persistence.initialize();
    const bookmark = { id: bookmarkId, name: 'x', hash: 'x', workflowInstanceId: 'raced', activityInstanceId: 'a' };
    await persistence.commit(aBurstOf(instance, { addedBookmarks: [{ ...bookmark, createdAt: new Date() }] }));
    for (const racer of racers) racer.child.stdin.write('go\n');
    const counts: Record<string, number>[] = [];
    for (const racer of racers) counts.push(JSON.parse(await racer.line(1)) as Record<string, number>);
    const total = (key: string) => counts.reduce((sum, count) => sum + (count[key] ?? 0), 0);
    expect([total('fulfilled'), total('WM7002')]).toEqual([1, 199]);
    expect((await persistence.instances.load('raced'))?.revision).toBe(2);
    await persistence.close();
    for (const racer of racers) await racer.ended();
  }, 60_000);
});

const databases = await testBackends('sqlite', 'mysql', 'postgres');

describeOn(databases, 'a process that is killed: $name', ({ create, tablePrefix, url, drop }) => {
  afterAll(() => drop());

  it('keeps every acknowledged commit, and none in part (W1, W8)', async () => {
    const lines = new Lines(startScript('commit-writer.ts', url, tablePrefix));
    await lines.line(100);
    lines.child.kill('SIGKILL');
    await lines.ended();

    const persistence = await create();
    await persistence.initialize();
    const acknowledged = lines.all;
    expect(acknowledged.length).toBeGreaterThan(100);
    expect(await persistence.instances.count({ ids: acknowledged })).toBe(acknowledged.length);
    const [name = ''] = /^killed-\d+/.exec(acknowledged[0] ?? '') ?? [];
    const ids = await persistence.instances.findIds({ searchTerm: name });
    const bookmarks = await persistence.bookmarks.findMany({ names: ['Test.Event'] });
    const own = bookmarks.filter((bookmark) => bookmark.workflowInstanceId.startsWith(name));
    expect(own.map((bookmark) => bookmark.workflowInstanceId).sort()).toEqual(ids);
    await persistence.close();
  }, 60_000);
});
