import { Logger } from '@nestjs/common';
import {
  BookmarkPatternsChanged,
  DefinitionsChanged,
  MemoryPersistence,
  StoreHealth,
  StoreUnavailableError,
  type BookmarkPattern,
  type StoredBookmark,
  type StoredTrigger,
  WorkflowBookmarksIndexed,
} from '@waymark/runtime';
import { StoreOutages, type WorkflowEventEmitter } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { amountOf, isThorough } from '../../../../test/support/depth.js';
import { EndpointPatterns } from './endpoint-patterns.js';
import { RouteTable } from './route-table.js';
import { UpdateRouteTable } from './update-route-table.js';

let id = 0;
const trigger = (path: string, method = 'get', more: Partial<StoredTrigger> = {}): StoredTrigger => ({
  id: `t${++id}`,
  workflowDefinitionId: 'd',
  workflowDefinitionVersionId: 'v1',
  name: 'Elsa.HttpEndpoint',
  activityId: 'In',
  hash: `${method} ${path}`,
  payload: { path, method, authorize: false },
  ...more,
});
const bookmark = (path: string, method = 'get'): StoredBookmark => ({
  id: `b${++id}`,
  name: 'Elsa.HttpEndpoint',
  hash: '',
  workflowInstanceId: 'i',
  activityInstanceId: 'a',
  createdAt: new Date(0),
  payload: { path, method, authorize: false },
});
const found = (table: RouteTable, path: string, method = 'GET') =>
  table.find(method, path)?.value.triggers.map((t) => t.id);

describe('RouteTable', () => {
  it('leaves out a stored route whose expression is too large, says so, and serves the others', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const table = new RouteTable();
    const large = trigger('large/{x:regex(.{{0,999}}.{{0,999}}b)}');
    const other = trigger('other/{x:regex(^a+$)}');
    table.addTriggers([large, other]);
    table.addPatterns([bookmark('large/{x:regex(.{{0,999}}.{{0,999}}b)}')]);
    expect(found(table, `/large/${'a'.repeat(15_000)}b`)).toBeUndefined();
    expect(found(table, '/other/aa')).toEqual([other.id]);
    expect(warn.mock.calls.join()).toContain('more than 1000 instructions');
    warn.mockRestore();
  });

  it('matches many templates of one pattern within the budget of a request, and logs once when it is used up', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const table = new RouteTable();
    const expression = (last: string) => `many/{x:regex(^.{{0,99}}.{{0,99}}.{{0,99}}.{{0,99}}${last}$)}`;
    table.addTriggers(Array.from({ length: 40 }, (_, i) => trigger(expression(`${i}`))));
    const path = `/many/${'a'.repeat(100)}`;
    const startedAt = process.cpuUsage();
    for (let i = 0; i < 3; i++) expect(table.find('GET', `${path}39`)).toBeUndefined();
    // All 40 would take 0.8 s a request.
    expect(process.cpuUsage(startedAt).user / 1000).toBeLessThan(1200);
    expect([...table.findAll('GET', path)]).toEqual([]);
    expect(warn.mock.calls).toHaveLength(1);
    // A request that costs little finds all of them.
    expect(found(table, '/many/a9')).toBeDefined();
    warn.mockRestore();
  });

  it('knows triggers by method and path, and forgets them', () => {
    const table = new RouteTable();
    const [a, b, c] = [trigger('/a'), trigger('/a', 'post'), trigger('/a/{x}')];
    table.addTriggers([a, b, c]);
    expect([found(table, '/A/'), found(table, 'a', 'POST'), found(table, '/a/1'), found(table, '/a', 'PUT')]).toEqual([
      [a.id],
      [b.id],
      [c.id],
      undefined,
    ]);
    table.removeTriggers([a, c]);
    expect([found(table, '/a'), found(table, '/a', 'post'), found(table, '/a/1') ?? []]).toEqual([
      undefined,
      [b.id],
      [],
    ]);
  });

  it('takes a republished trigger for the same row', () => {
    const table = new RouteTable();
    const row = trigger('/a');
    table.addTriggers([row]);
    table.addTriggers([{ ...row, workflowDefinitionVersionId: 'v2' }]);
    expect(table.find('get', '/a')!.value.triggers).toMatchObject([{ workflowDefinitionVersionId: 'v2' }]);
    table.addTriggers([{ ...trigger('/b'), id: row.id }]);
    expect([found(table, '/a'), found(table, '/b')]).toEqual([undefined, [row.id]]);
  });

  it('replaces all triggers and keeps patterns', () => {
    const table = new RouteTable();
    const [old, kept, fresh] = [trigger('/old'), trigger('/kept'), trigger('/fresh')];
    table.addTriggers([old, kept]);
    table.addPatterns([bookmark('/waiting')]);
    table.setTriggers([kept, fresh]);
    expect([found(table, '/old'), found(table, '/kept'), found(table, '/fresh'), found(table, '/waiting')]).toEqual([
      undefined,
      [kept.id],
      [fresh.id],
      [],
    ]);
  });

  it('keeps a pattern that came while others were read, until they are read again', () => {
    const table = new RouteTable();
    table.addPatterns([bookmark('/mine/{id}')]);
    table.setPatterns([]);
    expect(table.find('get', '/mine/1')).toBeDefined();
    table.setPatterns([]);
    expect(table.find('get', '/mine/1')).toBeUndefined();
  });

  it('offers the next best route after one', () => {
    const table = new RouteTable();
    table.addPatterns([bookmark('/leave/1')]);
    table.addTriggers([trigger('/leave/{id}'), trigger('/{*rest}')]);
    expect([...table.findAll('get', '/leave/1')].map((m) => m.value.path)).toEqual([
      '/leave/1',
      '/leave/{id}',
      '/{*rest}',
    ]);
  });

  it('warns about paths that it cannot serve', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const table = new RouteTable();
    table.addTriggers([trigger('/a//b'), trigger('/{broken'), trigger('/fine')]);
    expect(warn).toHaveBeenCalledTimes(2);
    expect(found(table, '/fine')).toBeDefined();
    warn.mockRestore();
  });

  it('ignores what is not an endpoint', () => {
    const table = new RouteTable();
    table.addTriggers([trigger('/a', 'get', { name: 'Elsa.Timer' }), trigger('/b', 'get', { payload: null })]);
    table.addPatterns([{ ...bookmark('/c'), payload: undefined }]);
    expect([table.find('get', '/a'), table.find('get', '/b'), table.find('get', '/c')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('adds tens of thousands of paths one by one', () => {
    const count = amountOf(100_000, 4);
    const table = new RouteTable();
    table.addTriggers([trigger('/leave/{id}/{who}')]);
    const before = process.cpuUsage();
    for (let i = 0; i < count; i++) {
      table.addPatterns([bookmark(`/leave/${i}/manager`)]);
      if (i % 100 === 0) expect(table.find('get', `/leave/${i}/manager`)!.value.isShared).toBe(true);
    }
    // Time of the processor, whatever else the machine does: usually half a second for all of them. A table that is copied for each of
    // them takes minutes, and a sixteenth of that for a quarter of them.
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(isThorough ? 30_000 : 4000);
  });
});

/** Calls of the class are made here. */
const EVENTS = { listen: () => () => {} } as unknown as WorkflowEventEmitter;

describe('UpdateRouteTable', () => {
  const setUp = (triggers: StoredTrigger[]) => {
    const table = new RouteTable();
    const stores = {
      triggers: { findMany: jest.fn(async () => triggers) },
      patterns: { findAll: jest.fn(async (): Promise<BookmarkPattern[]> => []) },
    };
    const store = new MemoryPersistence();
    const clock = new VirtualClock();
    const outages = new StoreOutages(new StoreHealth(store, clock), clock);
    const update = new UpdateRouteTable(table, stores as never, outages, new EndpointPatterns(), EVENTS);
    return { table, stores, store, clock, update };
  };

  it('fills the table at the start, and does not read who waits', async () => {
    const { table, update } = setUp([trigger('/t')]);
    await update.onApplicationBootstrap();
    expect(table.find('get', '/t')).toBeDefined();
  });

  it('adds only those local bookmarks that the store could not find by their hash', async () => {
    const { table, update } = setUp([trigger('/t/{id}')]);
    await update.onApplicationBootstrap();
    const added = ['/literal', '/t/1', '/w/{id}'].map((path) => bookmark(path));
    update.onBookmarksIndexed(new WorkflowBookmarksIndexed('i', added, [], []));
    const pathOf = (path: string) => table.find('get', path)?.value.path;
    expect(['/literal', '/t/1', '/t/2', '/w/1'].map(pathOf)).toEqual([undefined, '/t/{id}', '/t/{id}', '/w/{id}']);
  });

  it('knows the templates at which instances of other nodes wait, as long as there are any', async () => {
    const { table, update, stores } = setUp([]);
    const patternOf = (path: string): BookmarkPattern => {
      const { name, hash, payload, createdAt } = bookmark(path);
      return { name, hash, payload, announcedAt: createdAt };
    };
    stores.patterns.findAll.mockResolvedValue([patternOf('/a/{id}')]);
    await update.onApplicationBootstrap();
    expect(table.find('get', '/a/1')!.routeValues).toEqual({ id: '1' });
    update.onPatternsChanged(new BookmarkPatternsChanged([patternOf('/b/{id}')]));
    expect([table.find('get', '/a/1'), table.find('get', '/b/1')?.routeValues]).toEqual([undefined, { id: '1' }]);
    update.onPatternsChanged(new BookmarkPatternsChanged([patternOf('/c/{id}')], false));
    expect([table.find('get', '/b/1'), table.find('get', '/c/1')].every(Boolean)).toBe(true);
    update.onPatternsChanged(new BookmarkPatternsChanged([]));
    expect(table.find('get', '/b/1')).toBeUndefined();
  });

  it('does not replace templates that came by event with those read at start', async () => {
    const { table, update, stores } = setUp([]);
    const { name, hash, payload, createdAt } = bookmark('/new/{id}');
    stores.patterns.findAll.mockImplementationOnce(async () => {
      update.onPatternsChanged(new BookmarkPatternsChanged([{ name, hash, payload, announcedAt: createdAt }]));
      return [];
    });
    await update.onApplicationBootstrap();
    expect(table.find('get', '/new/1')).toBeDefined();
  });

  it('follows events, and reads again when others changed definitions', async () => {
    const rows = [trigger('/t')];
    const { table, update } = setUp(rows);
    await update.onApplicationBootstrap();
    const added = trigger('/mine');
    update.onTriggersIndexed({ indexed: { definitionId: 'd', added: [added], removed: rows, unchanged: [] } });
    expect([found(table, '/t'), found(table, '/mine')]).toEqual([undefined, [added.id]]);
    rows.splice(0, 1, added, trigger('/theirs'));
    await update.onDefinitionsChanged(new DefinitionsChanged(2));
    expect([found(table, '/mine'), found(table, '/theirs')].every(Boolean)).toBe(true);
  });

  it('reads the triggers of those definitions that changed, and leaves the others alone', async () => {
    const of = (workflowDefinitionId: string, path: string) => trigger(path, 'get', { workflowDefinitionId });
    const rows = [of('one', '/old'), of('one', '/kept'), of('two', '/two')];
    const { table, update, stores } = setUp(rows);
    await update.onApplicationBootstrap();
    const [, kept, two] = rows;
    rows.splice(0, 3, kept!, of('one', '/new'));
    stores.triggers.findMany.mockClear();
    await update.onDefinitionsChanged(new DefinitionsChanged(2, ['one']));
    expect(stores.triggers.findMany.mock.calls).toEqual([
      [{ names: ['Elsa.HttpEndpoint'], workflowDefinitionIds: ['one'] }],
    ]);
    expect([found(table, '/old'), found(table, '/kept'), found(table, '/two')]).toEqual([
      undefined,
      [kept!.id],
      [two!.id],
    ]);
    expect(found(table, '/new')).toHaveLength(1);
  });

  it('repeats a failed reading at the next change', async () => {
    const rows: StoredTrigger[] = [];
    const { table, update, stores } = setUp(rows);
    rows.push(trigger('/late'));
    stores.triggers.findMany.mockRejectedValueOnce(new Error('The store does not answer.'));
    await expect(update.onDefinitionsChanged(new DefinitionsChanged(1, ['d']))).rejects.toThrow('does not answer');
    await update.onDefinitionsChanged(new DefinitionsChanged(2, ['other']));
    expect(found(table, '/late')).toHaveLength(1);
  });

  it('repeats a reading that failed in an outage when the store is back', async () => {
    const rows: StoredTrigger[] = [];
    const { table, update, stores, store, clock } = setUp(rows);
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const out = async () => {
      throw new StoreUnavailableError('out');
    };
    const isBack = jest.spyOn(store, 'checkWritable').mockImplementation(out);
    rows.push(trigger('/late'));
    // Also when the store seems to be back, and is not.
    stores.triggers.findMany.mockImplementationOnce(out).mockImplementationOnce(out);
    await update.onDefinitionsChanged(new DefinitionsChanged(1, ['d']));
    await clock.advance(60_000);
    expect(found(table, '/late')).toBeUndefined();
    isBack.mockRestore();
    await clock.advance(2000);
    expect(found(table, '/late')).toHaveLength(1);
    expect(stores.triggers.findMany).toHaveBeenCalledTimes(3);
    expect(warn).toHaveBeenCalledTimes(1);
    await clock.advance(60_000);
    expect(stores.triggers.findMany).toHaveBeenCalledTimes(3);
    warn.mockRestore();
  });

  it('does not put a snapshot over what was indexed while it was read', async () => {
    const rows: StoredTrigger[] = [];
    const { table, update, stores } = setUp(rows);
    const late = trigger('/late');
    stores.triggers.findMany.mockImplementationOnce(async () => {
      update.onTriggersIndexed({ indexed: { definitionId: 'd', added: [late], removed: [], unchanged: [] } });
      rows.push(late);
      return [];
    });
    await update.onDefinitionsChanged(new DefinitionsChanged(1, ['d']));
    expect(found(table, '/late')).toEqual([late.id]);
    expect(stores.triggers.findMany).toHaveBeenCalledTimes(2);
  });
});
