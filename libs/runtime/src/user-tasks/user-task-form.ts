import { type Schema, Validator } from '@cfworker/json-schema';
import { REDACTED } from '@waymark/core/adapter';
import { type FormProblem, InvalidUserTaskError } from '../persistence/user-task-errors.js';

/** A schema, or a part of one. */
type FormSchema = Readonly<Record<string, unknown>>;

const MAX_FIELDS = 500;
const MAX_DEPTH = 8;
/** An answer names so many problems at most. */
const MAX_PROBLEMS = 50;
/** Of so many values all problems are looked for. */
const MAX_EXAMINED = 1000;
/** Each value may be compared with each choice of a list: so many comparisons are made. */
const MAX_COMPARISONS = 10_000_000;

/** For the page that shows the form; the validator does not look at them. */
const NOTES = ['title', 'description', 'default', 'examples', 'readOnly', 'writeOnly', '$schema', '$comment'];

/**
 * What a form may say. All of it is checked in time that grows with the text that was filled in: not so `pattern`, which can take
 * hours on a short text, combinations and references, which multiply, and `uniqueItems`, which compares all pairs.
 */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...NOTES,
  ...['type', 'enum', 'const', 'format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'items', 'minItems', 'maxItems', 'properties', 'required', 'additionalProperties'],
]);

const TYPES: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
/** `password` says that the field is sensitive. */
const FORMATS: ReadonlySet<unknown> = new Set(['date', 'time', 'date-time', 'email', 'uuid', 'password']);

/** Of what kind notes and limits are: the validator takes an object among them for a schema, whatever is in it. */
const KINDS: readonly (readonly [kind: string, fits: (value: unknown) => boolean, keywords: readonly string[]])[] = [
  ['a string', (value) => typeof value === 'string', ['title', 'description', '$schema', '$comment']],
  ['true or false', (value) => typeof value === 'boolean', ['readOnly', 'writeOnly']],
  ['a list', Array.isArray, ['examples', 'enum', 'required']],
  ['a number', Number.isFinite, ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
  ['a number', Number.isFinite, ['minLength', 'maxLength', 'minItems', 'maxItems']],
];

/** How the validator says which member is missing: it stands at the object that lacks it. */
const MISSING = /required property "(.*)"\.?$/s;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws InvalidUserTaskError with the path of what is not supported */
export function requireForm(form: FormSchema): void {
  let fields = 0;
  const check = (schema: unknown, path: string, depth: number): void => {
    const refuse = (what: string): never => {
      throw new InvalidUserTaskError(`The form of the task cannot be used: ${path} ${what}.`);
    };
    if (!isObject(schema)) return refuse('must be an object');
    if (depth > MAX_DEPTH) refuse(`is nested more than ${MAX_DEPTH} levels deep`);
    if (++fields > MAX_FIELDS) refuse(`exceeds the ${MAX_FIELDS} fields that a form may have`);
    for (const keyword of Object.keys(schema))
      if (!KEYWORDS.has(keyword))
        refuse(`has "${keyword}", which forms do not support: use only ${[...KEYWORDS].join(', ')}`);
    for (const [kind, fits, keywords] of KINDS)
      for (const keyword of keywords)
        if (schema[keyword] !== undefined && !fits(schema[keyword])) refuse(`has a "${keyword}" that is not ${kind}`);
    const { type, format, items, properties, additionalProperties } = schema;
    const types = Array.isArray(type) ? type : [type ?? 'null'];
    if (!types.every((each) => TYPES.has(each))) refuse('has a "type" that JSON Schema does not know');
    if (format !== undefined && !FORMATS.has(format)) refuse(`has a "format" other than ${[...FORMATS].join(', ')}`);
    if (additionalProperties !== undefined && typeof additionalProperties !== 'boolean')
      refuse('has "additionalProperties" other than true and false');
    if (items !== undefined) check(items, `${path}.items`, depth + 1);
    if (properties === undefined) return undefined;
    if (!isObject(properties)) return refuse('has "properties" that are not an object');
    for (const [name, field] of Object.entries(properties)) check(field, `${path}.${name}`, depth + 1);
    return undefined;
  };
  check(form, 'form', 0);
}

/** What is wrong with what was filled in; empty: nothing. Values of sensitive fields are not repeated. */
export function formProblems(form: FormSchema | undefined, values: unknown): FormProblem[] {
  if (!form) return [];
  // In the JSON sense: what the caller's object has besides is not looked at.
  const given: unknown = values === undefined ? {} : values;
  const most = Math.floor(MAX_COMPARISONS / mostCompared(form));
  if (countUpTo(most, given) >= most)
    return [{ field: '', message: `has more values than are checked against lists as long as in this form: ${most}` }];
  const { valid, errors: first } = new Validator(form as Schema, '2020-12', true).validate(given);
  if (valid) return [];
  // All problems of what a person may have filled in. Of what is longer the first one: there may be one for each of its values, and
  // the validator hands all of them on as arguments of a call.
  const isLong = countUpTo(MAX_EXAMINED, given) >= MAX_EXAMINED;
  const errors = isLong ? first : new Validator(form as Schema, '2020-12', false).validate(given).errors;
  const problems = errors
    // These only say that there are others.
    .filter(({ keyword }) => keyword !== 'properties' && keyword !== 'items' && keyword !== 'additionalProperties')
    .map(({ keyword, instanceLocation, error }) => {
      const steps = stepsOf(instanceLocation);
      const missing = keyword === 'required' ? MISSING.exec(error)?.[1] : undefined;
      if (missing !== undefined) return { field: [...steps, missing].join('.'), message: 'is missing' };
      const isHidden = isSensitiveAt(form, steps);
      if (keyword === 'false') return { field: steps.join('.'), message: 'is not a field of the form' };
      return { field: steps.join('.'), message: isHidden ? `is not valid (${keyword})` : worded(error) };
    });
  const all = problems.length > 0 ? problems : [{ field: '', message: 'The values are not valid' }];
  return all.slice(0, MAX_PROBLEMS);
}

/** Values in the choices of a field, with which each value may be compared, or the fields that are required. */
function mostCompared(schema: unknown): number {
  if (!isObject(schema)) return 1;
  const { enum: choices, const: only, required, items, properties } = schema;
  const below = [items, ...(isObject(properties) ? Object.values(properties) : [])];
  const own = [choices, [only], required].map((list) => countUpTo(MAX_COMPARISONS, list) - 1);
  return Math.max(1, ...own, ...below.map(mostCompared));
}

/** How many values there are, members and items included: `most` when there are more. */
function countUpTo(most: number, given: unknown): number {
  const rest = [given];
  let count = 0;
  while (rest.length > 0 && count < most) {
    const value = rest.pop();
    count++;
    if (typeof value !== 'object' || value === null) continue;
    const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (members.length + rest.length >= most) return most;
    for (const member of members) rest.push(member);
  }
  return count;
}

/** The values as they are stored with the task: sensitive fields are redacted. */
export function withoutSensitive(form: FormSchema | undefined, values: unknown): unknown {
  if (!form || values === undefined || values === null) return values;
  if (isSensitive(form)) return REDACTED;
  const { properties, items } = form;
  if (Array.isArray(values))
    return isObject(items) ? values.map((value: unknown) => withoutSensitive(items, value)) : values;
  if (!isObject(values) || !isObject(properties)) return values;
  const members = Object.entries(values).map(([name, value]) => {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, isObject(field) ? withoutSensitive(field, value) : value];
  });
  return Object.fromEntries(members);
}

/** The values of sensitive fields: what the journal must not show, wherever it turns up. */
export function sensitiveValues(form: FormSchema | undefined, values: unknown): unknown[] {
  if (!form || values === undefined || values === null) return [];
  if (isSensitive(form)) return [values];
  const { properties, items } = form;
  if (Array.isArray(values)) return isObject(items) ? values.flatMap((value) => sensitiveValues(items, value)) : [];
  if (!isObject(values) || !isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, field]) =>
    isObject(field) && Object.hasOwn(values, name) ? sensitiveValues(field, values[name]) : [],
  );
}

const isSensitive = ({ writeOnly, format }: FormSchema): boolean => writeOnly === true || format === 'password';

function isSensitiveAt(form: FormSchema, steps: readonly string[]): boolean {
  let schema: unknown = form;
  for (const step of steps) {
    if (!isObject(schema)) return false;
    if (isSensitive(schema)) return true;
    const { properties, items } = schema;
    schema = isObject(properties) && Object.hasOwn(properties, step) ? properties[step] : items;
  }
  return isObject(schema) && isSensitive(schema);
}

/** `#/address/street` */
function stepsOf(pointer: string): string[] {
  const steps = pointer.replace(/^#\/?/, '').split('/');
  return steps.filter((step) => step !== '').map((step) => decoded(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** In the words of a form. */
function worded(error: string): string {
  const told = error.replace(/^Instance (type|does|has|is)/, 'the value: $1').replace(/\.$/, '');
  return `is not valid: ${told.charAt(0).toLowerCase()}${told.slice(1)}`;
}
