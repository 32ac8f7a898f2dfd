import { localOf, momentIn } from './local-moment.js';

/** A JSON Schema, of the keywords that forms of tasks have. */
export interface FormSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly readOnly?: boolean;
  readonly properties?: Readonly<Record<string, FormSchema>>;
  readonly required?: readonly string[];
  readonly items?: FormSchema;
}

/** Text in place of a value that is not JSON, or not the number that was typed: it must not be sent as if it were one. */
export class UnreadableJson {
  constructor(readonly text: string) {}
}

/** JSON with a number that JavaScript would round: an account that is sent with another last digit is another account. */
export class InexactJson extends UnreadableJson {}

export type FieldKind =
  | 'object'
  | 'choice'
  | 'flag'
  | 'number'
  | 'text'
  | 'long-text'
  | 'password'
  | 'email'
  | 'date'
  | 'time'
  | 'date-time'
  | 'texts'
  | 'json';

/** Texts may be longer than a line from here on. */
const LONG_TEXT = 200;

/** With what a value is filled in. */
export function fieldKind(schema: FormSchema): FieldKind {
  const { format, items, properties, maxLength } = schema;
  if (isChoice(schema)) return 'choice';
  switch (typeOf(schema)) {
    case 'object':
      return properties ? 'object' : 'json';
    case 'boolean':
      return 'flag';
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return items && typeOf(items) === 'string' && !items.enum ? 'texts' : 'json';
    case 'string':
      if (format === 'date' || format === 'time' || format === 'date-time' || format === 'email') return format;
      if (format === 'password') return 'password';
      return maxLength === undefined || maxLength < LONG_TEXT ? 'text' : 'long-text';
    default:
      return 'json';
  }
}

/** Null is not a choice of its own: nothing is chosen then. Yes and no are a check box. */
function isChoice(schema: FormSchema): boolean {
  const values = choicesOf(schema);
  if (values.every((value) => typeof value === 'boolean')) return false;
  return values.every((value) => ['string', 'number', 'boolean'].includes(typeof value));
}

/** What can be chosen of an enumeration. */
export const choicesOf = (schema: FormSchema): readonly unknown[] =>
  (schema.enum ?? []).filter((value) => value !== null);

/** If true, nothing is a choice as well, and is sent as null where there has to be a value. */
export const mayBeNull = (schema: FormSchema): boolean => schema.enum?.includes(null) === true;

/** The one type that it has besides null. */
export function typeOf({ type, properties }: FormSchema): string | undefined {
  if (type === undefined) return properties ? 'object' : undefined;
  if (typeof type === 'string') return type;
  const types = type.filter((each) => each !== 'null');
  return types.length === 1 ? types[0] : undefined;
}

/** What is there before anything is filled in: defaults, and constants. */
export function initialValue(schema: FormSchema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (fieldKind(schema) !== 'object') return undefined;
  const members = Object.entries(schema.properties ?? {})
    .map(([name, field]) => [name, initialValue(field) ?? emptyValue(field, schema.required?.includes(name))] as const)
    .filter(([, value]) => value !== undefined);
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}

/** An empty check box says no, and a choice that may be null says that; both look the same when they were never touched. */
function emptyValue(schema: FormSchema, isRequired = false): false | null | undefined {
  if (!isRequired) return undefined;
  const kind = fieldKind(schema);
  if (kind === 'flag') return false;
  return kind === 'choice' && mayBeNull(schema) ? null : undefined;
}

/** The object with one member changed; `undefined` leaves it out, and an object without members is left out. */
export function withMember(value: unknown, name: string, member: unknown): Record<string, unknown> | undefined {
  const members = Object.entries({ ...membersOf(value), [name]: member }).filter(([, each]) => each !== undefined);
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}

export const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** If true, it can be sent. */
export function isReadable(value: unknown): boolean {
  if (value instanceof UnreadableJson) return false;
  return Object.values(membersOf(value)).every(isReadable);
}

/** What was typed as JSON. */
export function readJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isExact(text) ? value : new InexactJson(text);
  } catch {
    return new UnreadableJson(text);
  }
}

/** Of a text that is JSON. */
const STRINGS_AND_NUMBERS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
const WHOLE = /^-?\d+$/;

/** Whether each number is the one that is written, when it has been read. */
function isExact(text: string): boolean {
  for (const [literal] of text.matchAll(STRINGS_AND_NUMBERS))
    if (!literal.startsWith('"') && !isExactNumber(literal)) return false;
  return true;
}

function isExactNumber(literal: string): boolean {
  const value = Number(literal);
  if (!Number.isFinite(value)) return false;
  if (WHOLE.test(literal)) return BigInt(value) === BigInt(literal);
  return digitsOf(literal) === digitsOf(String(value));
}

/** `-012.50`, `-12.5` and `-1.25e1` are `-125e-1`. */
function digitsOf(literal: string): string {
  const [, sign = '', whole = '', decimals = '', power = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  const digits = (whole + decimals).replace(/^0+/, '');
  const shown = digits.replace(/0+$/, '');
  if (shown === '') return '0';
  return `${sign === '-' ? '-' : ''}${shown}e${Number(power) - decimals.length + digits.length - shown.length}`;
}

/**
 * What was typed as a number, also when it is only the beginning of one, such as `12.`. A number that JavaScript would round stays a text: an
 * account that is sent with another last digit is another account.
 */
export function readNumber(text: string): number | UnreadableJson | undefined {
  const number = text === '' ? Number.NaN : Number(text);
  if (Number.isNaN(number)) return undefined;
  const isRounded = Math.abs(number) > Number.MAX_SAFE_INTEGER || !isExactNumber(text.trim());
  return isRounded ? new UnreadableJson(text) : number;
}

/** `costCentre` → Cost centre. */
export function labelOf(name: string, { title }: FormSchema): string {
  if (title) return title;
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A moment as `datetime-local` fields want it: of the reader's zone, without it. */
export function localText(value: unknown): string {
  const date = momentIn(typeof value === 'string' ? value : '');
  return date ? localOf(date) : '';
}
