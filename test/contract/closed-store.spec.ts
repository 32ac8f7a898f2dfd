import { afterAll, expect, it } from '@jest/globals';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';

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
});
