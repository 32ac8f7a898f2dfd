import { aBurst, anInstance, finished, uid } from '../builders.js';
import type { ContractContext } from './contract-context.js';

/** Activation keys and request keys. */
export function keysContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  describe('activation keys', () => {
    it('are held until the instance is finished, and then free in the same commit', async () => {
      const { store } = context;
      const activationKey = uid('singleton');
      const first = anInstance();
      await store.commit(aBurst(first, { activationKey }));
      const refused = store.commit(aBurst(anInstance(), { activationKey }));
      await expect(refused).rejects.toMatchObject({ code: 'WM7005', activationKey });
      expect(await context.otherNode.instances.findKeyHolder(activationKey)).toBe(first.id);
      await store.commit(aBurst(first, { expectedRevision: 1 }));
      await expect(store.commit(aBurst(anInstance(), { activationKey }))).rejects.toMatchObject({ code: 'WM7005' });
      await store.commit(aBurst(finished(first), { expectedRevision: 2 }));
      expect(await context.otherNode.instances.findKeyHolder(activationKey)).toBeUndefined();
      await store.commit(aBurst(anInstance(), { activationKey }));
    });

    it('may be given again by the instance that holds them', async () => {
      const { store } = context;
      const activationKey = uid('singleton');
      const instance = anInstance();
      await store.commit(aBurst(instance, { activationKey }));
      await store.commit(aBurst(instance, { activationKey, expectedRevision: 1 }));
      await expect(store.commit(aBurst(anInstance(), { activationKey }))).rejects.toMatchObject({ code: 'WM7005' });
    });

    it('refuse an instance that starts and finishes in one burst, and are not kept by one that was let in', async () => {
      const { store } = context;
      const activationKey = uid('singleton');
      await store.commit(aBurst(finished(anInstance()), { activationKey }));
      await store.commit(aBurst(anInstance(), { activationKey }));
      const late = store.commit(aBurst(finished(anInstance()), { activationKey }));
      await expect(late).rejects.toMatchObject({ code: 'WM7005' });
    });

    it('are released when the instance is deleted', async () => {
      const { store } = context;
      const activationKey = uid('singleton');
      const instance = anInstance();
      await store.commit(aBurst(instance, { activationKey }));
      await store.instances.delete([instance.id]);
      await store.commit(aBurst(anInstance(), { activationKey }));
    });

    it('are distinguished by case, accents and trailing blanks', async () => {
      const { store } = context;
      const key = uid('Schlüssel');
      for (const activationKey of [key, key.toLowerCase(), key.replace('ü', 'u'), `${key} `]) {
        await store.commit(aBurst(anInstance(), { activationKey }));
      }
      await expect(store.commit(aBurst(anInstance(), { activationKey: key }))).rejects.toMatchObject({
        code: 'WM7005',
      });
    });
  });

  describe('request keys', () => {
    it('start one instance while they are kept, and name it', async () => {
      const { store } = context;
      const requestKey = uid('request');
      const first = anInstance();
      await store.commit(aBurst(first, { requestKey }));
      await store.commit(aBurst(finished(first), { expectedRevision: 1 }));
      await expect(store.commit(aBurst(anInstance(), { requestKey }))).rejects.toMatchObject({
        code: 'WM7007',
        workflowInstanceId: first.id,
      });
      await store.instances.delete([first.id]);
      const { instances } = context.otherNode;
      expect(await instances.findKeyUser(requestKey)).toBe(first.id);
      expect(await instances.findKeyUser(`${requestKey} `)).toBeUndefined();
      await expect(store.commit(aBurst(anInstance(), { requestKey }))).rejects.toMatchObject({ code: 'WM7007' });
    });

    it('are deleted when they were used before a given time, the oldest first', async () => {
      const { store } = context;
      // Long before any other key in this store was used.
      const at = (ms: number) => new Date(86_400_000 + ms);
      const keys = [uid('old'), uid('older'), uid('recent'), uid('oldest')];
      for (const [index, ms] of [-1, -5, 0, -9].entries()) {
        const instance = anInstance({ createdAt: at(ms), updatedAt: at(ms) });
        await store.commit(aBurst(instance, { requestKey: keys[index] }));
        await store.commit(
          aBurst({ ...instance, updatedAt: at(99) }, { requestKey: keys[index], expectedRevision: 1 }),
        );
      }
      expect(await store.instances.purgeRequestKeys(at(0), 2)).toBe(2);
      const again = (requestKey: string | undefined) =>
        context.otherNode.commit(aBurst(finished(anInstance()), { requestKey }));
      await expect(again(keys[0])).rejects.toMatchObject({ code: 'WM7007' });
      await again(keys[1]);
      await again(keys[3]);
      expect(await store.instances.purgeRequestKeys(at(0), 2)).toBe(1);
      expect(await store.instances.purgeRequestKeys(at(0), 2)).toBe(0);
      await expect(again(keys[2])).rejects.toMatchObject({ code: 'WM7007' });
      expect(await store.instances.purgeRequestKeys(at(1), 2)).toBe(1);
    });

    it('are deleted only once when several nodes do it', async () => {
      const at = (ms: number) => new Date(86_400_000 + ms);
      for (let n = 0; n < 40; n++) {
        const instance = anInstance({ createdAt: at(n), updatedAt: at(n) });
        await context.store.commit(aBurst(instance, { requestKey: uid('key') }));
      }
      const purge = (n: number) => (n % 2 ? context.store : context.otherNode).instances.purgeRequestKeys(at(50), 5);
      const counts = await Promise.all(Array.from({ length: 8 }, (_, n) => purge(n)));
      let purged = counts.reduce((sum, count) => sum + count, 0);
      for (let count = -1; count !== 0; purged += count) count = await purge(0);
      expect(purged).toBe(40);
    });

    it('distinguish a repeated start from a conflict, also with the same instance id', async () => {
      const { store } = context;
      const burst = aBurst(anInstance(), { requestKey: uid('request'), activationKey: uid('singleton') });
      await store.commit(burst);
      await expect(store.commit(burst)).rejects.toMatchObject({
        code: 'WM7007',
        workflowInstanceId: burst.instance.id,
      });
    });

    it('may be given again by the instance that they started', async () => {
      const { store } = context;
      const instance = anInstance();
      const requestKey = uid('request');
      await store.commit(aBurst(instance, { requestKey }));
      await store.commit(aBurst(instance, { requestKey, expectedRevision: 1 }));
      expect(await store.instances.load(instance.id)).toMatchObject({ revision: 2 });
    });
  });
}
