type Json = Readonly<Record<string, unknown>>;

/**
 * The place of the one text or number that is different, below a value that is edited as a whole, such as all variables of a workflow. What is
 * typed there is one step of undo. `undefined` for what is done at once, such as to add, remove or tick something: together with what was typed
 * before it, undo would take away more than people mean.
 */
export function typedAt(from: unknown, to: unknown): string | undefined {
  if (isText(from) && isText(to)) return '';
  // An expression comes with its first letter, and goes with its last.
  if (isNone(from)) return isExpression(to) ? TYPED : undefined;
  if (isNone(to)) return isExpression(from) ? TYPED : undefined;
  if (!isHolder(from) || !isHolder(to) || Array.isArray(from) !== Array.isArray(to)) return undefined;
  if (Array.isArray(from) && from.length !== (to as unknown as unknown[]).length) return undefined;
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].filter(
    (name) => !isSame(from[name], to[name]),
  );
  const [name] = names;
  if (name === undefined || names.length > 1) return undefined;
  const inner = typedAt(from[name], to[name]);
  return inner === undefined ? undefined : `/${name}${inner}`;
}

/** Where an expression has what is typed. */
const TYPED = '/expression/value';

/** By content: who edits a list may make its other items anew. */
const isSame = (from: unknown, to: unknown): boolean =>
  from === to || (isHolder(from) && isHolder(to) && JSON.stringify(from) === JSON.stringify(to));

const isNone = (value: unknown): boolean => value === undefined || value === null;
const isText = (value: unknown): boolean => isNone(value) || typeof value === 'string' || typeof value === 'number';
const isHolder = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !('rawJSON' in value);
const isExpression = (value: unknown): boolean => {
  const { expression } = (value ?? {}) as { expression?: { value?: unknown } | null };
  return isText(expression?.value);
};
