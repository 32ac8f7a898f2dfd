import { nearestName } from './nearest-name.js';

/** The names of options: each with its kind, which has the names of its members where it is a group. */
export type OptionNames = Readonly<Record<string, unknown>>;

/** The names of the members of a group; undefined for any other option. */
export const membersOf = (kind: unknown): OptionNames | undefined =>
  (kind as { readonly members?: OptionNames } | null | undefined)?.members;

/** How many letters a name in another group may differ by: with more, the two have little to do with each other. */
const FAR_SLIPS = 1;

/** The paths of the options with exactly that name: the outermost ones. */
export function pathsNamed(name: string, outermost: OptionNames): string[] {
  const paths = pathsOf(outermost).filter((path) => lastOf(path) === name);
  return paths.includes(name) ? [name] : paths;
}

/**
 * The paths of the options that a mistyped name may stand for: the nearest one of its own group, else those of other groups that
 * differ by a slip.
 * @param group path of the group that has the name, `''` for the options themselves
 */
export function pathsNear(name: string, group: string, outermost: OptionNames): string[] {
  const all = pathsOf(outermost);
  const near = nearestName(name, all.filter((path) => groupOf(path) === group).map(lastOf));
  if (near !== undefined) return [pathIn(group, near)];
  return all.filter((path) => nearestName(name, [lastOf(path)], FAR_SLIPS) !== undefined);
}

function pathsOf(names: OptionNames, group = ''): string[] {
  return Object.entries(names).flatMap(([name, kind]) => {
    const path = pathIn(group, name);
    return [path, ...pathsOf(membersOf(kind) ?? {}, path)];
  });
}

export const pathIn = (group: string, name: string): string => (group === '' ? name : `${group}.${name}`);
export const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
export const groupOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')));
