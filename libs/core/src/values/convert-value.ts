import { acceptedForms } from './accepted-forms.js';
import { decodeBase64 } from './base64.js';
import { convertNumber, hasFraction, isInt32, mayHaveLostDigits, parseNumber } from './convert-number.js';
import { convertDictionary, convertList } from './convert-collection.js';
import { parseDate } from './date-text.js';
import { enumMember } from './enum-value.js';
import { parseGuid } from './guid-text.js';
import { CONVERTED_TEXT, JsonSyntaxError, parseJsonText } from './json-text.js';
import { objectKind } from './object-kind.js';
import { formatTimeSpan, isCanonicalTimeSpan, type SpanReading, toMilliseconds } from './time-span.js';
import { ValueConversionError } from './value-conversion-error.js';
import { scalarText, valueText } from './value-text.js';
import type { ValueType } from './value-type.js';

/** How a value is converted to a type. */
export interface ConversionOptions extends SpanReading {
  /**
   * If true, text that is not a number, date, time span … is an error. If false, it silently becomes the default of the type
   * (0, false, `00:00:00`, for nullable types null), as in Elsa.
   * @default as the registry of the type says
   */
  readonly strict?: boolean;
  /**
   * If true, a conversion that would lose information is an error as well: a fraction for an integer, a number of 2^53 or more for an
   * `Int64`, true for a number, a number for a boolean, an object or list for text. `7.0` is an integer then.
   * @default as `strict`
   */
  readonly lossless?: boolean;
}

/**
 * Converts a value to the form in which the given type holds it in memory (see `ValueType`). A value that already has this form
 * is returned unchanged, also lists and dictionaries. `null` and `undefined` give `null`.
 * @throws JsonTooLargeError (`WM1105`), ValueConversionError (`WM1101`) for malformed JSON, base64 and enum names, for numbers
 *   out of range and for values that have no form in the type; in strict mode for all other text that does not parse, too
 */
export function convertValue(value: unknown, type: ValueType, options?: ConversionOptions): unknown {
  if (value === null || value === undefined) return null;
  return fits(value, type) ? value : convert(value, type, options);
}

/** As most values do at first sight: the compiler puts this look into its callers, which the rest is too long for. */
function fits(value: unknown, { kind, alias }: ValueType): boolean {
  switch (typeof value) {
    case 'string':
      return kind === 'string' || alias === 'Object';
    case 'number':
      return alias === 'Int32' ? isInt32(value) : alias === 'Object';
    case 'boolean':
      return kind === 'boolean' || alias === 'Object';
    default:
      return alias === 'Object';
  }
}

function convert(value: unknown, type: ValueType, options: ConversionOptions | undefined): unknown {
  switch (type.kind) {
    case 'string':
      return toText(value, type, options);
    case 'boolean':
      return toBoolean(value, type, options);
    case 'integer':
    case 'bigint':
    case 'double':
      return toNumber(value, type, options);
    case 'date':
      return toDate(value, type, options);
    case 'timespan':
      return toTimeSpan(value, type, options);
    case 'guid':
      return toGuid(value, type, options);
    case 'bytes':
      return toBytes(value, type);
    case 'enum':
      return toEnum(value, type);
    case 'object':
      return type.alias === 'Object?' ? value : toInstance(parsed(value, type), type);
    case 'json':
    case 'opaque':
      return parsed(value, type);
    case 'dictionary':
      return convertDictionary(parsed(value, type), type, (member, memberType) =>
        convertValue(member, memberType, options),
      );
    case 'list':
      return convertList(parsed(value, type), type, (item, itemType) => convertValue(item, itemType, options));
  }
}

/** What text that does not parse becomes: an error or the default of the type. Blank text is not a mistake. */
function unparsed(text: string, type: ValueType, options: ConversionOptions | undefined, fallback: unknown): unknown {
  if (text.trim() === '') return null;
  if (options?.strict ?? type.isStrict) throw unsuitable(text, type);
  return type.nullable ? null : fallback;
}

function unsuitable(value: unknown, type: ValueType, cause?: unknown): ValueConversionError {
  const forms = acceptedForms(type);
  const reason = forms === undefined ? 'correct the value or choose another type' : `write ${forms}`;
  return new ValueConversionError(value, type, reason, { cause });
}

const isLossless = (type: ValueType, options: ConversionOptions | undefined): boolean =>
  options?.lossless ?? options?.strict ?? type.isStrict ?? false;

function toText(value: unknown, type: ValueType, options?: ConversionOptions): string {
  const text = isLossless(type, options) ? scalarText(value) : valueText(value);
  if (text === undefined) throw unsuitable(value, type);
  return text;
}

function toBoolean(value: unknown, type: ValueType, options?: ConversionOptions): unknown {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  if (isNumber && !isLossless(type, options)) return Number(value) !== 0;
  if (typeof value !== 'string') throw unsuitable(value, type);
  const text = value.trim().toLowerCase();
  return text === 'true' || (text === 'false' ? false : unparsed(value, type, options, false));
}

function toNumber(value: unknown, type: ValueType, options?: ConversionOptions): unknown {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      if (type.kind !== 'double' && isLossless(type, options)) {
        if (hasFraction(value)) throw unsuitable(value, type);
        if (type.kind === 'bigint' && mayHaveLostDigits(value)) throw rounded(value, type);
      }
      return convertNumber(value, type);
    case 'string':
      return parseNumber(value, type, isLossless(type, options)) ?? unparsed(value, type, options, 0);
    case 'boolean':
      if (isLossless(type, options)) throw unsuitable(value, type);
      return value ? 1 : 0;
    default:
      throw unsuitable(value, type);
  }
}

/** What was written may be another number: JSON and JavaScript round it before anything can see it. */
const rounded = (value: unknown, type: ValueType): ValueConversionError =>
  new ValueConversionError(
    value,
    type,
    'from 2^53 on a number may have lost digits before it came here; write it as text, or as a bigint in code',
  );

/** 0001-01-01, the default of .NET's dates. */
const DEFAULT_DATE_MS = -62_135_596_800_000;

function toDate(value: unknown, type: ValueType, options?: ConversionOptions): unknown {
  if (typeof value === 'string') return parseDate(value) ?? unparsed(value, type, options, new Date(DEFAULT_DATE_MS));
  const date = typeof value === 'number' ? new Date(value) : value;
  const isDate = typeof date === 'object' && date !== null && objectKind(date) === 'date';
  if (!isDate || Number.isNaN((date as Date).getTime())) throw unsuitable(value, type);
  return date;
}

function toTimeSpan(value: unknown, type: ValueType, options?: ConversionOptions): unknown {
  if (typeof value === 'string' && isCanonicalTimeSpan(value)) return value;
  const ms = toMilliseconds(value, options);
  if (ms !== undefined) return formatTimeSpan(ms);
  if (typeof value !== 'string') throw unsuitable(value, type);
  return unparsed(value, type, options, '00:00:00');
}

const EMPTY_GUID = '00000000-0000-0000-0000-000000000000';

function toGuid(value: unknown, type: ValueType, options?: ConversionOptions): unknown {
  if (typeof value !== 'string') throw unsuitable(value, type);
  return parseGuid(value) ?? unparsed(value, type, options, EMPTY_GUID);
}

function toBytes(value: unknown, type: ValueType): unknown {
  if (typeof value === 'object' && value !== null && objectKind(value) === 'bytes') return value;
  if (typeof value === 'string') {
    if (value.trim() === '') return null;
    const bytes = decodeBase64(value);
    if (bytes) return bytes;
  } else if (Array.isArray(value) && value.every((item) => Number.isInteger(item) && item >= 0 && item <= 255)) {
    return Uint8Array.from(value);
  }
  throw unsuitable(value, type);
}

function toEnum(value: unknown, type: ValueType): unknown {
  if (typeof value === 'string' && value.trim() === '') return null;
  const member = typeof value === 'string' || typeof value === 'number' ? enumMember(value, type) : undefined;
  if (member === undefined || (typeof member === 'number' && !Number.isInteger(member))) {
    const names = type.members?.join(', ') ?? '';
    throw new ValueConversionError(value, type, `use one of its members: ${names}`);
  }
  return member;
}

const JSON_START = /^\s*[{[]/;

/** Text that looks like a JSON object or list is taken for one; blank text for nothing; other values pass. */
function parsed(value: unknown, type: ValueType): unknown {
  if (typeof value !== 'string') return value;
  if (value.trim() === '') return null;
  if (!JSON_START.test(value)) return value;
  try {
    return parseJsonText(value, CONVERTED_TEXT);
  } catch (cause) {
    if (!(cause instanceof JsonSyntaxError)) throw cause;
    throw unsuitable(value, type, cause.cause);
  }
}

/**
 * Types with members: any object will do, since their members are read by name where they are used. For a class of the
 * application an instance is made of it.
 */
function toInstance(value: unknown, type: ValueType): unknown {
  if (value === null) return null;
  if (typeof value !== 'object' || Array.isArray(value)) throw unsuitable(value, type);
  const { storable } = type;
  if (!storable || value instanceof storable.type) return value;
  try {
    return storable.fromData(value);
  } catch (cause) {
    throw unsuitable(value, type, cause);
  }
}
