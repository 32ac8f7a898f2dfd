import { randomBytes } from 'node:crypto';
import { afterAll, expect, it } from '@jest/globals';
import { IEventPublisher, IWorkflowDispatcher, IWorkflowRuntime } from '@waymark/runtime';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';
import { inspect, manifestOf, schemaOf, tableNames } from '../support/schema.js';

const LONGEST = 32;

describeOn(await testBackends('sqlite', 'mysql', 'postgres'), 'table prefixes: $name', (backend) => {
  const own = `p${randomBytes(4).toString('hex')}x`;
  // The names of the one begin with those of the other.
  const short = `${own}_`;
  const long = `${own}_y`.padEnd(LONGEST, 'z');
  const at = (tablePrefix: string) => ({ ...backend, tablePrefix });
  const storeAt = (tablePrefix: string) => TypeOrmPersistence.fromUrl(backend.url, { tablePrefix });

  afterAll(async () => {
    await inspect(at(short), async (dataSource) => {
      for (const table of await tableNames(dataSource, short)) await dataSource.query(`DROP TABLE ${table}`);
    });
    await backend.drop();
  });

  it('may have the documented length, and two applications that start at once create separate tables', async () => {
    const stores = [short, long].map(storeAt);
    await Promise.all(stores.map((store) => store.initialize()));
    for (const store of stores) await store.close();
    expect(await schemaOf(at(long))).toEqual(manifestOf(at(long)));
    const { length } = Object.keys(manifestOf(at(long)));
    await inspect(at(short), async (dataSource) => {
      const names = await tableNames(dataSource, short);
      expect(names.filter((name) => !name.startsWith(long))).toHaveLength(length);
    });
  });

  it('table prefixes keep two applications in one database apart', async () => {
    const nodes: RuntimeNode[] = [];
    for (const prefix of [short, long]) nodes.push(await startNode(storeAt(prefix)));
    const [one, other] = nodes as [RuntimeNode, RuntimeNode];
    for (const node of nodes) {
      const name = node === one ? 'one' : 'other';
      await node.deploy('same', sequence('S', waitFor('E', 'go'), line('L', `${name} went on`)));
      await node.deploy('dispatched', line('L', `${name} was dispatched`));
      const client = await node.get(IWorkflowRuntime).createClient();
      // Of one name everywhere: request keys, events and bookmarks are of one application all the same.
      await client.createAndRunInstance({ definition: 'same', requestKey: 'same', correlationId: 'same' });
      await node.get(IWorkflowDispatcher).dispatch({ definition: 'dispatched' });
    }
    await one.settled();
    await other.settled();
    expect([one.lines, other.lines]).toEqual([['one was dispatched'], ['other was dispatched']]);
    await one.get(IEventPublisher).publish('go');
    await one.settled();
    await other.settled();
    expect([one.lines, other.lines]).toEqual([['one was dispatched', 'one went on'], ['other was dispatched']]);
    await other.get(IEventPublisher).publish('go');
    expect(other.lines).toEqual(['other was dispatched', 'other went on']);
    for (const node of nodes) await node.close();
  });
});
