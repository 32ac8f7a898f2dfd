import { describe, expect, it } from '@jest/globals';
import { NameCount } from './json-names.js';
import { JsonTooLargeError, parseJsonText } from './json-text.js';

/** In objects of ten, so that it is the names that count. */
const names = (count: number, first = 0): string =>
  `[${Array.from({ length: count / 10 }, (_, i) => members(10, first + i * 10)).join(',')}]`;
const members = (count: number, first = 0): string =>
  `{${Array.from({ length: count }, (_, i) => `"name ${first + i}" : ${i}`).join(',')}}`;

function hasMoreNames(text: string, maxNames: number): boolean {
  const count = new NameCount(text, maxNames);
  count.readTo(text.length);
  return count.isOver;
}

describe('the count of names', () => {
  it('the count of names is about right', () => {
    expect(hasMoreNames(names(100_000), 100_000)).toBe(false);
    expect(hasMoreNames(names(103_000), 100_000)).toBe(true);
    expect(hasMoreNames(names(90), 100)).toBe(false);
    expect(hasMoreNames(names(110), 100)).toBe(true);
  });

  it('counts a name once', () => {
    expect(hasMoreNames(`[${`${members(50)},`.repeat(100)}0]`, 50)).toBe(false);
  });

  it('counts the members of large objects each time', () => {
    expect(hasMoreNames(`[${members(2000)},${members(2000)}]`, 3000)).toBe(false);
    expect(hasMoreNames(`[${members(2000)},${members(2000)}]`, 2990)).toBe(true);
    expect(hasMoreNames(`{"a":${members(2000)},"b":{"c":${members(2000)}}}`, 2990)).toBe(true);
  });

  it('does not count values as names', () => {
    const texts = `[${Array.from({ length: 1000 }, (_, i) => `"text ${i}"`).join(',')}, "a:b:c", {"a":"b"}, 1]`;
    expect(hasMoreNames(texts, 1)).toBe(false);
    expect(hasMoreNames('::: : ', 0)).toBe(false);
    expect(hasMoreNames('}}]":', 0)).toBe(false);
  });

  it('reads a name once, however many colons follow it', () => {
    const costOf = (text: string): number => {
      const begin = process.cpuUsage();
      expect(hasMoreNames(text, 2000)).toBe(false);
      const { user, system } = process.cpuUsage(begin);
      return user + system;
    };
    const name = `{"${'x'.repeat(2_000_000)}"`;
    costOf(`${name}:1}`);
    expect(costOf(`${name}${':'.repeat(900)}1}`)).toBeLessThan(50 * costOf(`${name}:1}`));
  });

  it('is a limit where one is set', () => {
    const limits = { maxNames: 1000 };
    expect(parseJsonText(names(900), limits)).toHaveProperty('0.name 7', 7);
    expect(() => parseJsonText(names(1100), limits)).toThrow(JsonTooLargeError);
    expect(() => parseJsonText(names(1100), limits)).toThrow('more than 1000 names');
    expect(parseJsonText(names(1100))).toHaveProperty('0.name 7', 7);
  });
});
