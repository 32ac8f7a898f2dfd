import { UnreadableJson } from './form-values.js';
import { Kept } from './kept.js';

class Shelf {
  readonly texts = new Map<string, string>();
  get length() {
    return this.texts.size;
  }
  key = (index: number) => [...this.texts.keys()][index] ?? null;
  getItem = (name: string) => this.texts.get(name) ?? null;
  setItem = (name: string, text: string) => void this.texts.set(name, text);
  removeItem = (name: string) => void this.texts.delete(name);
}

describe('what was filled in and not sent', () => {
  const form = {
    type: 'object',
    properties: {
      reason: { type: 'string' },
      pin: { type: 'string', format: 'password' },
      more: { type: 'object', properties: { secret: { type: 'string', format: 'password' } } },
      list: { type: 'array', items: { type: 'object', properties: { key: { type: 'string', format: 'password' } } } },
    },
  };

  it('is there again when the page was loaded anew, without passwords and without what is not JSON yet', () => {
    const shelf = new Shelf();
    const values = {
      reason: 'Leave',
      pin: '4711-a',
      more: { secret: '4711-b', amount: 1 },
      list: [{ key: '4711-c' }],
      half: new UnreadableJson('{'),
    };
    const kept = new Kept(
      () => shelf,
      () => 'mia',
    );
    kept.set('form 1', values, form);
    expect(kept.get('form 1')).toEqual({ value: values });
    expect(
      new Kept(
        () => shelf,
        () => 'mia',
      ).get('form 1'),
    ).toEqual({ value: { reason: 'Leave', more: { amount: 1 } } });
    expect([...shelf.texts.values()].join()).not.toContain('4711');
  });

  it('is not for another person, and gone when it was sent or another person comes', () => {
    const shelf = new Shelf();
    shelf.setItem('other', 'stays');
    let owner = 'mia';
    const kept = new Kept(
      () => shelf,
      () => owner,
    );
    kept.set('form 1', 'a');
    kept.set('form 2', 'b');
    expect(
      new Kept(
        () => shelf,
        () => 'tom',
      ).get('form 1'),
    ).toBeUndefined();
    kept.delete('form 1');
    expect([
      kept.get('form 1'),
      new Kept(
        () => shelf,
        () => 'mia',
      ).get('form 1'),
    ]).toEqual([undefined, undefined]);
    kept.clear();
    expect(kept.get('form 2')).toEqual({ value: 'b' });
    owner = 'tom';
    kept.clear();
    expect([kept.get('form 2'), [...shelf.texts.keys()]]).toEqual([undefined, ['other']]);
  });

  it('is kept in memory where the browser has no room', () => {
    const shelf = new Shelf();
    shelf.setItem = () => {
      throw new Error('QuotaExceededError');
    };
    const kept = new Kept(
      () => shelf,
      () => 'mia',
    );
    kept.set('form 1', 'a');
    expect(kept.get('form 1')).toEqual({ value: 'a' });
  });
});
