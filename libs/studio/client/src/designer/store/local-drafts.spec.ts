import { describe, expect, it } from '@jest/globals';
import type { Design } from '../model/change.js';
import { ownerOf } from '../../api/owner-of.js';
import { LocalDrafts } from './local-drafts.js';

const shelfOf = () => {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  };
};
const drawn = (name: string) => ({ base: 'b', design: { definitionId: 'd', name } as unknown as Design });

describe('drafts that a browser keeps', () => {
  it('drafts in a browser are of a user, or of a key, which is not written down', () => {
    const key = (text: string) => ownerOf({ kind: 'key', key: text });
    expect(ownerOf({ kind: 'user', name: 'mia', access: 'a', refresh: 'r' })).toBe('mia');
    expect(key('secret-one')).toBe(key('secret-one'));
    expect(key('secret-one')).not.toBe(key('secret-two'));
    expect(key('secret-one')).not.toContain('secret');
    expect(ownerOf(undefined)).toBe('');
    expect(ownerOf(undefined, 'User mia')).toBe('session User mia');
  });

  it('drafts in a browser are continued with in another tab, and removed when they are saved there', () => {
    const shelf = shelfOf();
    new LocalDrafts(shelf, 'mia').write('d', drawn('first'));
    const next = new LocalDrafts(shelf, 'mia');
    expect(next.read('d')?.design.name).toBe('first');
    next.write('d', drawn('second'));
    next.remove('d');
    expect(shelf.kept.size).toBe(0);
  });

  it('drafts in a browser stay when another tab, open since before, is saved', () => {
    const shelf = shelfOf();
    const other = new LocalDrafts(shelf, 'mia');
    new LocalDrafts(shelf, 'mia').write('d', drawn('closed'));
    other.remove('d');
    expect(new LocalDrafts(shelf, 'mia').read('d')?.design.name).toBe('closed');
  });

  it('drafts in a browser stay when another tab, open since before, draws and is saved', () => {
    const shelf = shelfOf();
    const other = new LocalDrafts(shelf, 'mia');
    new LocalDrafts(shelf, 'mia').write('d', drawn('closed'));
    other.write('d', drawn('open'));
    other.write('d', drawn('open still'));
    expect(new LocalDrafts(shelf, 'mia').read('d')?.design.name).toBe('open still');
    other.remove('d');
    const next = new LocalDrafts(shelf, 'mia');
    expect(next.read('d')?.design.name).toBe('closed');
    next.remove('d');
    expect(shelf.kept.size).toBe(0);
  });

  it('drafts of the Studio before, which do not say who has written them, are continued with', () => {
    const shelf = shelfOf();
    shelf.setItem('waymark-draft mia d', JSON.stringify(drawn('before')));
    const drafts = new LocalDrafts(shelf, 'mia');
    expect(drafts.read('d')?.design.name).toBe('before');
    drafts.remove('d');
    expect(shelf.kept.size).toBe(0);
  });
});
