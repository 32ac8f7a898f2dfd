import { afterAll, expect, it } from '@jest/globals';
import { IWorkflowRuntime } from '@waymark/runtime';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, startNode } from '../support/runtime-node.js';

describeOn(await testBackends('sqlite', 'mysql', 'postgres'), 'a store that was closed: $name', (backend) => {
  afterAll(() => backend.drop());

  it('refuses reads and writes as unavailable, and serves again after it is initialized again', async () => {
    const store = await backend.create();
    await store.initialize();
    await store.close();
    await expect(store.definitions.changeCounter()).rejects.toMatchObject({ code: 'WM7014' });
    await expect(store.outbox.delete('any')).rejects.toMatchObject({ code: 'WM7014' });
    await store.initialize();
    expect(await store.outbox.delete('any')).toBe(false);
    await store.close();
  });

  it('is closed with the last of the applications that were given it', async () => {
    const store = await backend.create();
    const first = await startNode(store, { nodeName: 'first' });
    const second = await startNode(store, { nodeName: 'second' });
    await first.close();
    await second.deploy('goes-on', line('L', 'x'));
    const client = await second.get(IWorkflowRuntime).createClient();
    expect(await client.createAndRunInstance({ definition: 'goes-on' })).toMatchObject({ status: 'Finished' });
    await second.close();
    await expect(store.outbox.delete('any')).rejects.toMatchObject({ code: 'WM7014' });
  });
});
