import type { ValueKind, ValueType } from './value-type.js';

const FORMS: Partial<Record<ValueKind, string>> = {
  string: 'text, a number, a date or another value with a text form',
  boolean: 'true or false',
  integer: 'a whole number such as 42',
  bigint: 'a whole number such as 42',
  double: 'a number such as 1.5',
  date: "a date such as '2026-08-01' or '2026-08-01T10:00:00Z'",
  timespan: "a time span such as '00:05:00', '3 days', '1h 30m' or 'PT72H'",
  guid: "a GUID such as '6f9619ff-8b86-d011-b42d-00c04fc964ff'",
  bytes: 'bytes, or text in base64',
  dictionary: 'an object, or its JSON',
  list: 'a list, or its JSON',
};

/** What may be written for a value of the type, as a part of a sentence; `undefined` where anything may. */
export const acceptedForms = (type: ValueType): string | undefined => FORMS[type.kind];

const NOUNS: Partial<Record<ValueKind, string>> = {
  string: 'text',
  boolean: 'true or false',
  integer: 'a whole number',
  bigint: 'a whole number',
  double: 'a number',
  date: 'a date',
  timespan: 'a time span',
  guid: 'a GUID',
  bytes: 'bytes',
  dictionary: 'an object',
  list: 'a list',
};

/** The type in plain words, and as definitions name it: `a date (DateTimeOffset)`. */
export const typeInWords = ({ kind, alias }: ValueType): string => {
  const noun = NOUNS[kind];
  return noun === undefined ? alias : `${noun} (${alias})`;
};
