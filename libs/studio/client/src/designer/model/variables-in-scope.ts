import type { Design } from './change.js';
import { getAt, type Path } from './json-path.js';
import { isActivity } from './ports.js';

export interface ScopedVariable {
  readonly id: string;
  readonly name: string;
  /** Name of the container that declares it; undefined for those of the workflow. */
  readonly of?: string;
  /** As it is declared. */
  readonly json: Readonly<Record<string, unknown>>;
}

/**
 * The variables that activities of a level can read and set: those of the workflow, and those of the containers around them, the nearest first.
 * Left out, a reference to one of these would look as if nothing were chosen.
 * @param path of the level
 */
export function variablesInScope(design: Design, path: Path): ScopedVariable[] {
  const found = namedIn(design.variables);
  const ids = new Set<string>();
  const inner: ScopedVariable[] = [];
  for (let length = path.length; length >= 1; length -= 1) {
    const holder = getAt(design, path.slice(0, length));
    if (!isActivity(holder)) continue;
    const of = typeof holder.name === 'string' && holder.name !== '' ? holder.name : holder.id;
    inner.push(...namedIn(holder.variables).map((variable) => ({ ...variable, of })));
  }
  return [...found, ...inner].filter(({ id }) => !ids.has(id) && ids.add(id));
}

function namedIn(variables: unknown): ScopedVariable[] {
  if (!Array.isArray(variables)) return [];
  return variables.flatMap((json: ScopedVariable['json'] | null) => {
    const [id, name] = [textIn(json?.id), textIn(json?.name)];
    return json && id !== undefined ? [{ id, name: name ?? id, json }] : [];
  });
}

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;
