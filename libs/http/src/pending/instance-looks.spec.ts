import { describe, expect, it } from '@jest/globals';
import { InstanceLooks } from './instance-looks.js';
import { KEPT_REQUESTS } from './kept-requests.js';

const state = {
  bookmarks: [
    { id: 'b', name: 'Elsa.HttpEndpoint', payload: 'large' },
    { id: 'c', name: 'Delay' },
  ],
  properties: { [KEPT_REQUESTS]: [{ token: 'known' }] },
};

function looking() {
  const store = { revision: 1, loads: 0, isThere: true, writes: 0 };
  const looks = new InstanceLooks({
    load: async () => {
      store.loads++;
      const { revision } = store;
      store.revision += store.writes;
      store.writes = 0;
      return store.isThere ? ({ state, revision } as never) : undefined;
    },
    readRevision: async () => (store.isThere ? store.revision : undefined),
  });
  return { store, looks };
}

describe('looks at instances', () => {
  it('read a state once for all who ask at once, and for none with a wrong token', async () => {
    const { store, looks } = looking();
    const all = Array.from({ length: 20 }, () => looks.load('i'));
    const wrong = looks.knownWithout('i', 'wrong');
    expect(new Set(await Promise.all(all)).size).toBe(1);
    expect(await wrong).toMatchObject({ revision: 1 });
    expect(store.loads).toBe(1);
    expect(await looks.knownWithout('i', 'known')).toBeUndefined();
    expect(await looks.knownWithout('other', 'wrong')).toBeUndefined();
  });

  it('read it anew where it was written meanwhile', async () => {
    const { store, looks } = looking();
    store.writes = 1;
    const first = looks.load('i');
    const second = looks.load('i');
    expect([(await first)!.revision, (await second)!.revision]).toEqual([1, 2]);
    store.revision = 3;
    expect(await looks.knownWithout('i', 'wrong')).toBeUndefined();
    expect((await looks.load('i'))!.revision).toBe(3);
    store.isThere = false;
    expect(await looks.knownWithout('i', 'wrong')).toBeUndefined();
    expect(await looks.load('i')).toBeUndefined();
  });

  it('continue where one of them fails', async () => {
    const { store } = looking();
    let failures = 1;
    const looks = new InstanceLooks({
      load: async () => {
        if (failures-- > 0) throw new Error('down');
        return { state, revision: store.revision } as never;
      },
      readRevision: async () => store.revision,
    });
    const [first, second] = await Promise.allSettled([looks.load('i'), looks.load('i')]);
    expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
    expect((await looks.load('i'))!.revision).toBe(1);
  });
});
