import { setMember } from '../values/plain-object.js';

/** A state has the variables of an execution among its properties, under this name. */
export const VARIABLES = 'Variables';
/** Names that an activity gives its own properties: these are stored with one `\` more. */
const LIKE_VARIABLES = /^\\*Variables$/;

type Properties = Readonly<Record<string, unknown>>;

/** Properties of an activity as they are stored: the same object, unless one is called like the variables. */
export function storedProperties<T extends Properties>(properties: T): T {
  for (const name in properties)
    if (name.endsWith(VARIABLES) && LIKE_VARIABLES.test(name)) return renamed(properties) as T;
  return properties;
}

function renamed(properties: Properties): Record<string, unknown> {
  const stored: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(properties))
    setMember(stored, LIKE_VARIABLES.test(name) ? `\\${name}` : name, value);
  return stored;
}

/** A copy. Most have none, or nothing else: to leave out one member of several costs more than the rest of the context. */
export function withoutVariables(stored: Properties): Record<string, unknown> {
  const own: Record<string, unknown> = {};
  for (const name in stored)
    if (name !== VARIABLES)
      setMember(own, name.startsWith('\\') && LIKE_VARIABLES.test(name) ? name.slice(1) : name, stored[name]);
  return own;
}
