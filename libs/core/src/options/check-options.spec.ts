import { describe, expect, it } from '@jest/globals';
import { checkOptions } from './check-options.js';
import * as is from './option-kinds.js';

interface Options {
  readonly url?: string;
  readonly retries?: number;
  readonly retentionMs?: number | false;
  readonly mode?: 'fast' | 'safe';
  readonly users?: readonly { readonly name: string; readonly admin?: boolean }[];
  readonly limits?: Readonly<Record<string, number>>;
  readonly store?: { find(id: string): string };
  readonly key?: string;
}

const KINDS: is.OptionKinds<Options> = {
  url: is.filledText,
  retries: is.wholeFrom(0, 5),
  retentionMs: is.orFalse(is.positive),
  mode: is.oneOf('fast', 'safe'),
  users: is.listOf(
    is.group<{ readonly name: string; readonly admin?: boolean }>({ name: is.required(is.filledText), admin: is.flag }),
  ),
  limits: is.recordOf(is.count),
  store: is.withMethods<{ find(id: string): string }>('a store', 'find'),
  key: is.secretFrom(8),
};

const check = (options: unknown) => () => checkOptions({ name: 'App' }, options as Options, KINDS);

describe('checkOptions', () => {
  it.each<[unknown, string]>([
    [{ url: 5 }, "'url' must be a non-empty string, not a number."],
    [{ url: '' }, "'url' must be a non-empty string, not an empty text."],
    [{ retries: '3' }, "'retries' must be a whole number from 0 to 5, not the string '3'."],
    [{ retries: -1 }, "'retries' must be a whole number from 0 to 5, not -1."],
    [{ retries: [1] }, "'retries' must be a whole number from 0 to 5, not a list."],
    [{ retentionMs: true }, "'retentionMs' must be a finite number greater than 0, or false, not true."],
    [{ mode: 'quick' }, "'mode' must be 'fast' or 'safe', not 'quick'."],
    [{ users: 5 }, "'users' must be a list, not a number."],
    [{ users: [{ admin: true }] }, "'users[0].name' must be a non-empty string, not undefined."],
    [{ users: [{ name: 'a' }, 'b'] }, "'users[1]' must be an object with 'name' or 'admin', not a string."],
    [{ limits: { slow: 0 } }, "'limits.slow' must be an integer greater than 0, not 0."],
    [{ limits: [1] }, "'limits' must be an object with names and values, not a list."],
    [{ store: {} }, "'store' must be a store, which has find(), not an object."],
    [{ key: 'hunter2' }, "'key' must be a string of at least 8 characters, not one of 7."],
    [{ key: 12345678 }, "'key' must be a string of at least 8 characters, not a number."],
    [5, "'options' must be an object, not a number."],
  ])('names the option, and what it must be: %j', (options, message) => {
    expect(check(options)).toThrow(expect.objectContaining({ code: 'WM1090', message: `App option ${message}` }));
  });

  it.each<[unknown, string]>([
    [{ retrys: 1 }, "App has no option 'retrys'. Did you mean 'retries'?"],
    [{ users: [{ nmae: 'a' }] }, "Option 'users[0]' of App has no option 'nmae'. Did you mean 'name'?"],
  ])('suggests the nearest name: %j', (options, message) => {
    expect(check(options)).toThrow(expect.objectContaining({ code: 'WM1091', message }));
  });

  it('does not repeat texts that may be secrets', () => {
    expect(check({ users: 'hunter2' })).not.toThrow(/hunter2/);
    expect(check({ users: ['hunter2'] })).not.toThrow(/hunter2/);
  });

  it.each([
    undefined,
    null,
    {},
    { url: undefined, retries: null },
    {
      url: 'x',
      retries: 0,
      retentionMs: false,
      mode: 'safe',
      users: [{ name: 'a' }],
      limits: {},
      store: new Map(),
      key: '12345678',
    },
  ])('accepts valid values: %p', (options) => {
    const given = options && 'store' in options ? { ...options, store: { find: () => 'x' } } : options;
    expect(check(given)).not.toThrow();
  });

  it.each<[unknown, object]>([
    [undefined, {}],
    [null, {}],
    [{ url: null, retries: 0 }, { retries: 0 }],
  ])('gives options without those that are null: %j', (options, given) => {
    expect(check(options)()).toEqual(given);
  });
});
