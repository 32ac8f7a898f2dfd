import { ApiError } from '../../api/api-error.js';
import type { Design } from '../model/change.js';
import { DesignStore } from './design-store.js';
import { tellUnsaved } from './tell-unsaved.js';

const stored = { definitionId: 'd', root: { id: 'F', type: 'Elsa.Flowchart' } } as unknown as Design;
const refused = { kind: 'refused', error: new ApiError({ status: 413 }) } as const;

describe('a page of the designer that was left', () => {
  const told: string[] = [];
  const begin = () => {
    told.length = 0;
    const store = new DesignStore(stored);
    store.setSave({ kind: 'unsaved' });
    const stop = tellUnsaved(store, { unsaved: ({ kind }) => told.push(kind), saved: () => told.push('saved') });
    return { store, stop };
  };

  it('says once for each reason that its last changes are not saved, and when they are', () => {
    const { store } = begin();
    store.setSave({ kind: 'saving' });
    store.setSave({ kind: 'offline', isKept: true });
    store.setSave({ kind: 'saving' });
    store.setSave({ kind: 'offline', isKept: true });
    store.setSave(refused);
    expect(told).toEqual(['offline', 'refused']);
    store.setSave({ kind: 'saved' });
    store.setSave({ kind: 'conflict', theirs: stored });
    expect(told).toEqual(['offline', 'refused', 'saved']);
  });

  it('says nothing when they are saved at once, and nothing more when it is open again', () => {
    const { store } = begin();
    store.setSave({ kind: 'saving' });
    store.setSave({ kind: 'saved' });
    expect(told).toEqual([]);
    const again = begin();
    again.stop();
    again.store.setSave({ kind: 'conflict', theirs: stored });
    expect(told).toEqual([]);
  });
});
