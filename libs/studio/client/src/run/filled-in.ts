import { fieldKind, type FormSchema, initialValue, membersOf, UnreadableJson } from '../parts/form-values.js';

/** What people have filled in, by name; undefined where they have emptied a field. */
export type Filled = Readonly<Record<string, unknown>>;

/**
 * The value of a form whose fields change while it is open: of the inputs that are declared now, with their defaults where nothing was filled in.
 * What was filled in for an input that is gone, or has another type by now, would be sent unseen.
 */
export function filledIn(schema: FormSchema, filled: Filled): Record<string, unknown> | undefined {
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, field]): [string, unknown][] => {
    const value = !Object.hasOwn(filled, name)
      ? initialValue(field)
      : fits(field, filled[name])
        ? filled[name]
        : undefined;
    return value === undefined ? [] : [[name, value]];
  });
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}

/** With what was changed in the form. Defaults that were not touched stay those of the workflow. */
export function withFilled(schema: FormSchema, filled: Filled, next: unknown): Filled {
  const [before, after] = [membersOf(filledIn(schema, filled)), membersOf(next)];
  const changed = Object.keys(schema.properties ?? {}).filter((name) => before[name] !== after[name]);
  return { ...filled, ...Object.fromEntries(changed.map((name) => [name, after[name]])) };
}

/** Whether the field shows a value as it is. Null is an empty field: left out, the default would take its place. */
export function fits(field: FormSchema, value: unknown): boolean {
  if (value === null) return true;
  switch (fieldKind(field)) {
    case 'flag':
      return typeof value === 'boolean';
    case 'number':
      return typeof value === 'number' || value instanceof UnreadableJson;
    case 'texts':
      return Array.isArray(value) && value.every((item) => typeof item === 'string');
    case 'json':
    case 'object':
    case 'choice':
      return true;
    default:
      return typeof value === 'string';
  }
}
