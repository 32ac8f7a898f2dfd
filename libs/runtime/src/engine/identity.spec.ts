import { createIdGenerator } from './identity.js';

describe('createIdGenerator', () => {
  it('makes ids of 24 hex digits, all different', () => {
    const newId = createIdGenerator();
    const ids = Array.from({ length: 10_000 }, newId);
    expect(ids.filter((id) => !/^[0-9a-f]{24}$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('makes ids that sort by the time they were made at, as far as 16 milliseconds', () => {
    let time = Date.UTC(2026, 0, 1);
    const newId = createIdGenerator(() => time);
    const ids = Array.from({ length: 1_000 }, () => {
      time += 16;
      return newId();
    });
    expect(ids.toSorted()).toEqual(ids);
  });

  it('begins ids of the same time alike, and of times centuries apart at the same length', () => {
    let time = Date.UTC(2026, 0, 1);
    const newId = createIdGenerator(() => time);
    const [one, other] = [newId(), newId()];
    expect(one.slice(0, 10)).toBe(other.slice(0, 10));
    time = 0;
    const first = newId();
    time = Date.UTC(2500, 0, 1);
    const last = newId();
    expect([first.length, last.length, first < one, one < last]).toEqual([24, 24, true, true]);
  });
});
