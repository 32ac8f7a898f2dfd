import { SystemClock } from '../clock/system-clock.js';
import { createIdGenerator, derivedId } from './identity.js';

describe('createIdGenerator', () => {
  it('makes ids of 24 hex digits, all different', () => {
    const newId = createIdGenerator(new SystemClock());
    const ids = Array.from({ length: 10_000 }, newId);
    expect(ids.filter((id) => !/^[0-9a-f]{24}$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('makes ids that sort by the time they were made at, as far as 16 milliseconds', () => {
    let time = Date.UTC(2026, 0, 1);
    const newId = createIdGenerator({ now: () => time });
    const ids = Array.from({ length: 1_000 }, () => {
      time += 16;
      return newId();
    });
    expect(ids.toSorted()).toEqual(ids);
  });

  it('begins ids of the same time alike, and of times centuries apart at the same length', () => {
    let time = Date.UTC(2026, 0, 1);
    const newId = createIdGenerator({ now: () => time });
    const [one, other] = [newId(), newId()];
    expect(one.slice(0, 10)).toBe(other.slice(0, 10));
    time = 0;
    const first = newId();
    time = Date.UTC(2500, 0, 1);
    const last = newId();
    expect([first.length, last.length, first < one, one < last]).toEqual([24, 24, true, true]);
  });
});

describe('derivedId', () => {
  it('is the same for the same text, and lies beside its neighbour', () => {
    const neighbour = createIdGenerator(new SystemClock())();
    const id = derivedId('order/1', neighbour);
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect([derivedId('order/1', neighbour), derivedId('order/2', neighbour) === id]).toEqual([id, false]);
    expect(id.slice(0, 10)).toBe(neighbour.slice(0, 10));
  });

  it.each(['', 'invoice-12', '0123456789abcdef', '01234567-89ab-cdef-0123-456789abcdef'])(
    'is made from the text alone beside %j, which does not begin with a time',
    (neighbour) => {
      const id = derivedId('order/1', neighbour);
      expect([id, id.length]).toEqual([derivedId('order/1', 'another'), 24]);
    },
  );
});
