import type { DefinitionModel } from '../../api/definitions.js';
import { getAt, type Path, setAt } from './json-path.js';

/** A definition as it is drawn: Elsa's JSON itself. */
export type Design = DefinitionModel;

/** One place of the document, which exists before and after. */
export interface Patch {
  readonly path: Path;
  readonly from: unknown;
  readonly to: unknown;
}

/** What a command did: everything that is needed to do it again, and to take it back. */
export interface Change {
  readonly patches: readonly Patch[];
  /** Changes in a row with the same key are one step of undo: the letters of a word. */
  readonly key?: string | undefined;
}

/**
 * The change that puts what `next` makes of the value at a path in its place. A member is added or removed by editing the
 * object that holds it: only so does undo find its place among the others again.
 */
export function edit(design: Design, path: Path, next: (value: never) => unknown, key?: string): Change {
  const from = getAt(design, path);
  return { patches: [{ path, from, to: next(from as never) }], key };
}

export function apply(design: Design, { patches }: Change): Design {
  let result = design;
  for (const { path, to } of patches) result = setAt(result, path, to);
  return result;
}

/** Several commands as one step: each sees what those before it did. */
export function together(design: Design, ...commands: readonly ((design: Design) => Change | undefined)[]): Change {
  const patches: Patch[] = [];
  let now = design;
  for (const command of commands) {
    const change = command(now);
    if (!change) continue;
    patches.push(...change.patches);
    now = apply(now, change);
  }
  return { patches };
}

export const invert = ({ patches, key }: Change): Change => ({
  patches: patches.map(({ path, from, to }) => ({ path, from: to, to: from })).reverse(),
  key,
});

/** If true, nothing would be different. */
export const isIdle = ({ patches }: Change): boolean =>
  patches.every(({ from, to }) => from === to || JSON.stringify(from) === JSON.stringify(to));

/** Both as one step, if the second continues with the first. */
export function merge(first: Change, second: Change): Change | undefined {
  const [a] = first.patches;
  const [b] = second.patches;
  const isMore =
    first.key !== undefined &&
    first.key === second.key &&
    first.patches.length === 1 &&
    second.patches.length === 1 &&
    a!.path.join('/') === b!.path.join('/');
  return isMore ? { key: first.key, patches: [{ ...a!, to: b!.to }] } : undefined;
}
