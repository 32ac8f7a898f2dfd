import { rewriteValues } from '../secrets/rewrite-values.js';
import { hasManyGaps, MOST_GAPS } from './gaps.js';
import { serialize } from './storage-codec.js';
import { NOT_SERIALIZABLE, toPlainJson } from './to-plain-json.js';

/** Its last place alone is filled. */
function sparse(places: number): unknown[] {
  const list: unknown[] = [];
  list[places - 1] = 1;
  return list;
}

const refused = (value: unknown) => {
  try {
    return serialize(value, 'v');
  } catch (error) {
    const { code, path, message } = error as { code: string; path: string; message: string };
    return { code, path, message };
  }
};

describe('a list with places that are empty', () => {
  it.each([5_000_001, 2 ** 32 - 1])('is not stored when it has %d of them', (places) => {
    const message = expect.stringMatching(new RegExp(`a list of ${places} places, more than ${MOST_GAPS} of which`));
    expect(refused(sparse(places))).toEqual({ code: 'WM1102', path: 'v', message });
    expect(refused({ order: [new Date(0), sparse(places)] })).toMatchObject({ path: 'v.order[1]' });
  });

  it('is not stored when they are there, and undefined', () => {
    expect(refused(Array(MOST_GAPS + 1).fill(undefined))).toMatchObject({ code: 'WM1102' });
  });

  it('counts those that are empty, not its length', () => {
    expect(hasManyGaps(sparse(MOST_GAPS + 1))).toBe(false);
    expect(hasManyGaps(sparse(MOST_GAPS + 2))).toBe(true);
    expect(hasManyGaps(Array(3 * MOST_GAPS).fill(0))).toBe(false);
  });

  it('is shown as what has no JSON form, and not looked through for secrets', () => {
    const list = sparse(2 ** 32 - 1);
    expect(toPlainJson({ list, a: 1 })).toEqual({ list: NOT_SERIALIZABLE, a: 1 });
    const value = { list };
    expect(rewriteValues(value, { text: (text) => text, member: (_, member) => member })).toBe(value);
  });
});

it('a path of a thousand levels, or with a name of megabytes, is shortened in an error', () => {
  let deep: object = {};
  for (let i = 0; i < 20_000; i++) deep = { child: deep };
  for (const value of [deep, { ['😀'.repeat(1_000_000)]: () => 1 }]) {
    const { path, message } = refused(value) as { path: string; message: string };
    expect(path).toMatch(/^v.{80,200} … .{30,90}$/u);
    expect(path).not.toMatch(/\p{Surrogate}/u);
    expect(message.length).toBeLessThan(1000);
  }
});
