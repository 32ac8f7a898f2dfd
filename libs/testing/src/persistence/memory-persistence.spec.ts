import { expect, it } from '@jest/globals';
import { MemoryPersistence } from '@waymark/runtime';
import { aBurst, anInstance, finished } from './builders.js';

it('forgets the instances that finished first and keeps what runs', async () => {
  const store = new MemoryPersistence({ maxFinishedInstances: 5 });
  const running = anInstance();
  await store.commit(aBurst(running));
  const done = Array.from({ length: 205 }, () => finished(anInstance()));
  for (const instance of done) await store.commit(aBurst(instance));
  expect(await store.instances.count({})).toBe(6);
  expect(await store.instances.load(running.id)).toBeDefined();
  expect(await store.instances.load(done[199]!.id)).toBeUndefined();
  expect(await store.instances.load(done[200]!.id)).toBeDefined();
});
