import { type VersionOptions } from '@waymark/core';
import { parseVersionOptions } from '@waymark/core/adapter';
import type { OpenApiSchema } from '@waymark/runtime';
import { GENERAL, InvalidRequestError, type MemberErrors } from '../answers/api-errors.js';
import { dateOf, isObject, kindOf, membersOf } from './json-values.js';
import { shaped, shapeOf, shapeOfMembers } from './reader-schemas.js';

/**
 * Reads one value of a request: of a JSON body or of a query, where every value is text. Names and enum values are
 * matched in any casing; null and a missing member are `undefined`.
 */
export type Reader<T> = (value: unknown, path: string) => T;

export type ReadBy<R> = R extends Reader<infer T> ? T : never;

type Readers = Readonly<Record<string, Reader<unknown>>>;
type Members<R extends Readers> = { readonly [K in keyof R]: ReadBy<R[K]> };

const wrong = (path: string, expected: string, value: unknown): InvalidRequestError =>
  InvalidRequestError.at(path, `'${path}' must be ${expected}, but it is ${kindOf(value)}.`);

const optional = <T>(read: Reader<T>): Reader<T | undefined> =>
  shaped(shapeOf(read), (value, path) => (value === undefined || value === null ? undefined : read(value, path)));

const optionalOf = <T>(schema: OpenApiSchema, read: Reader<T>): Reader<T | undefined> =>
  optional(shaped({ schema }, read));

/** @throws InvalidRequestError when it is missing */
export const required = <T>(read: Reader<T>): Reader<NonNullable<T>> =>
  shaped({ schema: shapeOf(read).schema, isRequired: true }, (value, path) => {
    const result = read(value, path);
    if (result === undefined || result === null || result === '')
      throw InvalidRequestError.at(path, `'${path}' must not be empty.`);
    return result;
  });

export const withDefault = <T>(read: Reader<T>, fallback: NonNullable<T>): Reader<NonNullable<T>> =>
  shaped({ schema: { ...shapeOf(read).schema, default: fallback } }, (value, path) => read(value, path) ?? fallback);

export const anything: Reader<unknown> = (value) => value ?? undefined;

export const text = optionalOf({ type: 'string' }, (value, path) => {
  if (typeof value === 'string') return value;
  throw wrong(path, 'a string', value);
});

/**
 * A text that means nothing when it is blank, as empty query parameters do. Otherwise it is taken as it is: a correlation id may begin or
 * end with a blank, and one without would be another.
 */
export const name = optionalOf({ type: 'string' }, (value, path) => {
  const given = text(value, path);
  return given === undefined || given.trim() === '' ? undefined : given;
});

/** The same without blanks around it, as a person types it. */
export const typed: Reader<string | undefined> = shaped(shapeOf(name), (value, path) => name(value, path)?.trim());

/** As long as databases keep or search for: they would refuse a longer one. */
export const nameUpTo = (most: number, reader: Reader<string | undefined> = name): Reader<string | undefined> =>
  shaped(shapeOf(name), (value, path) => {
    const given = reader(value, path);
    if (given === undefined || given.length <= most) return given;
    throw InvalidRequestError.at(path, `'${path}' must have ${most} characters or less, but it has ${given.length}.`);
  });

/** A pattern of SQLite has 50,000 bytes at most. Terms that are longer than any column find nothing. */
const LONGEST_SEARCH_TERM = 10_000;

/** A part of a text that is looked for. */
export const searchTerm = nameUpTo(LONGEST_SEARCH_TERM, typed);

export const flag = optionalOf({ type: 'boolean' }, (value, path) => {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && /^(true|false)$/i.test(value.trim())) return value.trim().toLowerCase() === 'true';
  if (value === '') return undefined;
  throw wrong(path, 'true or false', value);
});

/** A whole number, also in quotes. */
export const integer = optionalOf({ type: 'integer' }, (value, path) => {
  if (value === '') return undefined;
  const number = typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  throw wrong(path, 'a whole number', value);
});

const LARGEST_COLUMN = 2 ** 31 - 1;

/** A whole number that is compared with a column, such as a version: databases refuse larger ones. */
export const columnInteger: Reader<number | undefined> = shaped(
  { schema: { type: 'integer', minimum: -LARGEST_COLUMN, maximum: LARGEST_COLUMN } },
  (value: unknown, path: string) => {
    const number = integer(value, path);
    if (number === undefined || Math.abs(number) <= LARGEST_COLUMN) return number;
    throw InvalidRequestError.at(
      path,
      `'${path}' must be a whole number up to ${LARGEST_COLUMN}, but it is ${number}.`,
    );
  },
);

export const integerFrom = (minimum: number): Reader<number | undefined> =>
  shaped({ schema: { type: 'integer', minimum } }, (value, path) => {
    const number = integer(value, path);
    if (number === undefined || number >= minimum) return number;
    throw InvalidRequestError.at(path, `'${path}' must be ${minimum} or more, but it is ${number}.`);
  });

/** As `integerFrom`, but a number that is too small is reported of the request as a whole, as lists of instances do. */
export const pagingFrom = (minimum: number): Reader<number | undefined> =>
  shaped({ schema: { type: 'integer', minimum } }, (value, path) => {
    const number = integer(value, path);
    return ofRequest(integerFrom(minimum))(number, path);
  });

/** Reports what is wrong with a member of the request as a whole: under `generalErrors`. */
export const ofRequest = <T>(read: Reader<T>): Reader<T> =>
  shaped(shapeOf(read), (value, path) => {
    try {
      return read(value, path);
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      throw new InvalidRequestError({ [GENERAL]: Object.values(error.errors).flat() }, { cause: error });
    }
  });

export const date = optionalOf({ type: 'string', format: 'date-time' }, (value, path) => {
  const found = dateOf(value);
  if (found) return found;
  throw InvalidRequestError.at(path, `'${path}' must be a date such as 2026-08-01T09:00:00+00:00.`);
});

/** One of a closed set. A number is the place in the list, as .NET numbers its enums. */
export const oneOf = <const T extends string>(names: readonly T[]): Reader<T | undefined> =>
  optionalOf({ type: 'string', enum: names }, (value, path) => {
    if (value === '') return undefined;
    const wanted = typeof value === 'string' ? value.trim() : value;
    const found =
      typeof wanted === 'number' || (typeof wanted === 'string' && /^\d+$/.test(wanted))
        ? names[Number(wanted)]
        : names.find((n) => n.toLowerCase() === String(wanted).toLowerCase());
    if (found !== undefined) return found;
    throw InvalidRequestError.at(path, `'${path}' must be one of ${names.join(', ')}, but it is ${kindOf(value)}.`);
  });

const VERSIONS: OpenApiSchema = {
  type: 'string',
  description:
    'Latest, Published, LatestOrPublished, LatestAndPublished, Draft, AllVersions or the number of a version',
};

export const versionOptions: Reader<VersionOptions | undefined> = optionalOf(VERSIONS, (value, path) => {
  if (value === '') return undefined;
  const found = typeof value === 'string' || typeof value === 'number' ? parseVersionOptions(String(value)) : undefined;
  if (found !== undefined) return found;
  throw InvalidRequestError.at(
    path,
    `'${path}' must be Latest, Published, LatestOrPublished, LatestAndPublished, Draft, AllVersions or a version number.`,
  );
});

/** A list; a single value, as in a query, is a list of one. */
export const list = <T>(item: Reader<T>): Reader<NonNullable<T>[] | undefined> =>
  optionalOf({ type: 'array', items: shapeOf(item).schema }, (value, path) => {
    if (isObject(value)) throw wrong(path, 'a list', value);
    const values: unknown[] = Array.isArray(value) ? value : [value];
    const results = collect(values.map((v, i) => () => item(v, Array.isArray(value) ? `${path}[${i}]` : path)));
    return results.flatMap((result) => (result === undefined || result === null ? [] : [result as NonNullable<T>]));
  });

/** Names that a list selects by: databases, or what talks to them, refuse statements with tens of thousands. */
const MOST_NAMES = 10_000;

export const names: Reader<string[] | undefined> = shaped(shapeOf(list(name)), (value, path) => {
  const all = list(name)(value, path);
  if (!all || all.length <= MOST_NAMES) return all;
  throw InvalidRequestError.at(path, `'${path}' must have ${MOST_NAMES} members or fewer, but it has ${all.length}.`);
});

/** An object of which only the member names are text. */
export const dictionary = optionalOf({ type: 'object', additionalProperties: true }, (value, path) => {
  if (isObject(value)) return value;
  throw wrong(path, 'an object', value);
});

/** An object with known members; others are ignored. */
export const members = <R extends Readers>(readers: R): Reader<Members<R>> => {
  const names = Object.keys(readers);
  return shaped(shapeOfMembers(readers), (value, path) => {
    if (value !== undefined && value !== null && !isObject(value)) throw wrong(path, 'an object', value);
    const at = (member: string) => (path === '' ? member : `${path}.${member}`);
    const given = membersOf(value);
    const values = collect(names.map((member) => () => readers[member]!(given(member), at(member))));
    return Object.fromEntries(names.map((member, i) => [member, values[i]])) as Members<R>;
  });
};

export const optionalMembers = <R extends Readers>(readers: R): Reader<Members<R> | undefined> =>
  optional(members(readers));

/** Mistakes that are reported to a client: with one for each item of a long list, answering would take seconds. */
const MOST_MISTAKES = 100;

/** Reads everything, so that all mistakes are reported at once. */
function collect<T>(reads: readonly (() => T)[]): T[] {
  const errors: Record<string, readonly string[]>[] = [];
  const results: T[] = [];
  for (const read of reads) {
    try {
      results.push(read());
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      errors.push(error.errors);
      if (errors.length === MOST_MISTAKES) break;
    }
  }
  if (errors.length > 0) throw new InvalidRequestError(merge(errors));
  return results;
}

function merge(all: readonly MemberErrors[]): MemberErrors {
  const merged: Record<string, readonly string[]> = {};
  for (const errors of all)
    for (const [key, messages] of Object.entries(errors)) merged[key] = [...(merged[key] ?? []), ...messages];
  return merged;
}
