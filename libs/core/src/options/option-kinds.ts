import { isPlainObject } from '../values/plain-object.js';
import { inWords, isObject } from './option-words.js';
import { refuseUnknown } from './refuse-unknown.js';

export { inWords };

/** The owner of options, and the errors with which it refuses their values. */
export interface OptionOwner {
  /** As messages name it, such as `WorkflowModule`. */
  readonly name: string;
  /** Creates the error. @param given the given value as text, without secrets */
  refuse(option: string, requirement: string, given: string): Error;
}

/** How a value is checked. */
export interface ValueCheck {
  /** The text that follows "must be" in messages. */
  readonly requirement: string;
  /** If true, the message repeats a value that does not fit. Not for texts and objects, which may be secrets. @default false */
  readonly isShown?: boolean;
  /** The names of a group's members, by which names in the wrong group are recognised. @default none, as of an option that has no members */
  readonly members?: Readonly<Record<string, unknown>>;
  /** If true, the message says how long a text is that does not fit. @default false */
  readonly isLengthShown?: boolean;
  /** Returns true if a value is of this kind, whatever its members or items are. */
  fits(value: unknown): boolean;
  /** Checks the members or items of a value that fits. */
  inside?(value: unknown, option: string, owner: OptionOwner): void;
}

/**
 * Describes the values that an option accepts. Created by the functions of this file; a table of them describes a group of
 * options.
 */
export interface OptionKind<T> extends ValueCheck {
  /** Never set. It lets the compiler compare a table with the types of its options. */
  readonly takes?: (value: T) => T;
}

/** The kind of an option that must be given. */
export interface RequiredKind {
  /** Marks the kind. */
  readonly isRequired: true;
}

/** A kind for each option of `T`: one that is missing, or of another type, does not compile. */
export type OptionKinds<T> = {
  readonly [K in keyof T]-?: OptionKind<Exclude<T[K], undefined | null>> &
    (object extends Pick<T, K> ? unknown : RequiredKind);
};

/** A kind of its own. @param fits whether a value is of it */
export const kind = <T>(requirement: string, fits: (value: unknown) => boolean, isShown = false): OptionKind<T> => ({
  requirement,
  fits,
  isShown,
});

const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

/** Accepts any value; for options that another check of the owner validates. */
export const anything = <T>(): OptionKind<T> => kind('anything', () => true);
export const text = kind<string>('a string', (value) => typeof value === 'string');
export const filledText = kind<string>('a non-empty string', (v) => typeof v === 'string' && v.trim() !== '');
/** `String(process.env.API_KEY)` of a variable that is not set would be a key that everyone can guess. */
export const credential = kind<string>(
  "a non-empty string, and not 'undefined' or 'null', the texts of variables that are not set",
  (v) => typeof v === 'string' && v.trim() !== '' && !/^(undefined|null)$/.test(v.trim()),
);
export const flag = kind<boolean>('true or false', (value) => typeof value === 'boolean', true);
export const off = kind<false>('false', (value) => value === false, true);
/** Of which another check of the owner knows the range. */
export const aNumber = kind<number>('a number', (value) => typeof value === 'number', true);
export const whole = kind<number>('an integer', isWhole, true);
export const count = kind<number>('an integer greater than 0', (v) => isWhole(v) && v > 0, true);
export const countOrNone = kind<number>('an integer of 0 or more', (v) => isWhole(v) && v >= 0, true);
export const positive = kind<number>('a finite number greater than 0', (v) => isNumber(v) && v > 0, true);
/** Of sizes and counts: `Infinity` takes the limit away. */
export const limit = kind<number>('a number greater than 0', (v) => typeof v === 'number' && v > 0, true);
export const limitOrNone = kind<number>('a number of 0 or more', (v) => typeof v === 'number' && v >= 0, true);
export const notNegative = kind<number>('a finite number of 0 or more', (v) => isNumber(v) && v >= 0, true);
export const atLeast = (least: number): OptionKind<number> =>
  kind(`a finite number of ${least} or more`, (value) => isNumber(value) && value >= least, true);
export const wholeFrom = (least: number, most: number): OptionKind<number> =>
  kind(`a whole number from ${least} to ${most}`, (value) => isWhole(value) && value >= least && value <= most, true);
export const aFunction = <T>(): OptionKind<T> => kind('a function', (value) => typeof value === 'function');
export const aClass = <T>(): OptionKind<T> => kind('a class', (value) => typeof value === 'function');

/** A key or password of that many characters or more: the message says how long a shorter one is, and nothing else of it. */
export const secretFrom = (least: number): OptionKind<string> => ({
  requirement: `a string of at least ${least} characters`,
  isLengthShown: true,
  fits: (value) => typeof value === 'string' && value.length >= least,
});

/** One of a closed set. */
export const oneOf = <const T extends string>(...values: readonly T[]): OptionKind<T> =>
  kind(inWords(values), (value) => values.includes(value as T), true);

/** Something with methods: a provider, a strategy. @param what as the message says it, such as `a SecretProvider` */
export const withMethods = <T>(what: string, ...methods: readonly (keyof T & string)[]): OptionKind<T> =>
  kind(
    `${what}, which has ${methods.map((method) => `${method}()`).join(' and ')}`,
    (value) =>
      (isObject(value) || typeof value === 'function') &&
      methods.every((method) => typeof (value as Record<string, unknown>)[method] === 'function'),
  );

export const either = <A, B>(one: OptionKind<A>, other: OptionKind<B>): OptionKind<A | B> => ({
  requirement: `${one.requirement}, or ${other.requirement}`,
  isShown: one.isShown === true && other.isShown === true,
  members: one.members ?? other.members,
  fits: (value) => one.fits(value) || other.fits(value),
  inside: (value, option, owner) => (one.fits(value) ? one : other).inside?.(value, option, owner),
});

export const orFalse = <T>(of: OptionKind<T>): OptionKind<T | false> => either(of, off);

export const listOf = <T>(of: OptionKind<T>): OptionKind<readonly T[]> => ({
  requirement: 'a list',
  fits: Array.isArray,
  inside: (value, option, owner) => {
    for (const [index, item] of (value as readonly unknown[]).entries())
      requireKind(of, item, `${option}[${index}]`, owner);
  },
});

/** An object whose names are the application's own, such as ids of definitions. */
export const recordOf = <T>(of: OptionKind<T>): OptionKind<Readonly<Record<string, T>>> => ({
  requirement: 'an object with names and values',
  fits: isPlainObject,
  inside: (value, option, owner) => {
    for (const [name, item] of Object.entries(value as object)) requireKind(of, item, `${option}.${name}`, owner);
  },
});

/** Options inside an option. */
export const group = <T extends object>(kinds: OptionKinds<T>): OptionKind<T> => ({
  requirement: `an object with ${inWords(Object.keys(kinds))}`,
  members: kinds,
  fits: (value) => isObject(value) && !Array.isArray(value),
  inside: (value, option, owner) => {
    refuseUnknown(`Option '${option}' of ${owner.name}`, value as object, kinds);
    checkMembers<T>(value as T, kinds, `${option}.`, owner);
  },
});

/** The kind of an option that must be given. */
export const required = <T>(of: OptionKind<T>): OptionKind<T> & RequiredKind => ({ ...of, isRequired: true });

/** Checks the values of options, not their names. @param prefix what stands before their names in messages */
export function checkMembers<T extends object>(
  options: T,
  kinds: OptionKinds<T>,
  prefix: string,
  owner: OptionOwner,
): void {
  for (const [name, of] of Object.entries(kinds as object) as [string, ValueCheck & Partial<RequiredKind>][]) {
    const value = (options as Record<string, unknown>)[name];
    if ((value === undefined || value === null) && !of.isRequired) continue;
    requireKind(of, value, prefix + name, owner);
  }
}

function requireKind(of: ValueCheck, value: unknown, option: string, owner: OptionOwner): void {
  if (!of.fits(value)) throw owner.refuse(option, of.requirement, wordsFor(of, value));
  of.inside?.(value, option, owner);
}

function wordsFor({ isShown, isLengthShown }: ValueCheck, value: unknown): string {
  if (isShown) return shown(value);
  if (isLengthShown && typeof value === 'string') return `one of ${value.length}`;
  return described(value);
}

function shown(value: unknown): string {
  // Of settings that come as texts, the quotation marks alone are easily overlooked.
  if (typeof value === 'string' && /^(true|false|-?[\d.]+)$/.test(value)) return `the string '${value.slice(0, 40)}'`;
  if (typeof value === 'string') return `'${value.length > 40 ? `${value.slice(0, 40)}…` : value}'`;
  return isObject(value) || typeof value === 'function' ? described(value) : String(value);
}

/** What kind of value it is, such as `a list`: never the value, which may be a secret. */
export function described(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (value === '') return 'an empty text';
  if (typeof value === 'string') return 'a string';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
