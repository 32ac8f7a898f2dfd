import { lenientShelfOf, shelfOf } from './browser-shelf.js';

describe('the storage of a browser', () => {
  const forbidden = () => {
    throw new Error('SecurityError');
  };

  it('is empty, and takes nothing, where people do not allow it', () => {
    const shelf = lenientShelfOf(forbidden);
    shelf.setItem('a', '1');
    shelf.removeItem('a');
    expect(shelf.getItem('a')).toBeNull();
  });

  it('says so to those who have to know', () => {
    expect(() => shelfOf(forbidden).setItem('a', '1')).toThrow('SecurityError');
  });

  it('is that of the browser where it is allowed', () => {
    const items = new Map<string, string>();
    const storage = {
      getItem: (name: string) => items.get(name) ?? null,
      setItem: (name: string, text: string) => void items.set(name, text),
      removeItem: (name: string) => void items.delete(name),
    } as Storage;
    const shelf = lenientShelfOf(() => storage);
    shelf.setItem('a', '1');
    expect([shelf.getItem('a'), items.get('a')]).toEqual(['1', '1']);
    shelf.removeItem('a');
    expect(items.size).toBe(0);
  });
});
