import { UnknownOptionError } from './option-errors.js';
import { groupOf, lastOf, membersOf, type OptionNames, pathIn, pathsNamed, pathsNear } from './option-places.js';
import { inWords, isObject } from './option-words.js';

/** What is known of options that do not stand among those that are checked. */
export interface OtherOptions {
  /** Those that stand beside the factory of `forRootAsync`, with a member for each name. @default none */
  readonly beside?: object;
  /** What to do with an option of something else, as a sentence; undefined for an unknown name. @default nothing is known */
  adviceOn?(name: string): string | undefined;
}

/**
 * Refuses options with unknown names, also inside groups: the default would silently stay in effect.
 * @param owner what has the options, as the message says it, such as `WorkflowModule`
 * @param known an object with a member for each name; that of a group has its `members`
 * @param others which names belong elsewhere
 * @throws UnknownOptionError (`WM1091`) with the name, and the option that it may stand for, or all where none is near
 */
export function refuseUnknown(
  owner: string,
  options: object | null | undefined,
  known: object,
  { beside = {}, adviceOn }: OtherOptions = {},
): void {
  const outermost = { ...known, ...beside };
  refuseIn(options ?? {}, known as OptionNames, '');

  function refuseIn(given: object, names: OptionNames, group: string): void {
    for (const name of Object.keys(given)) {
      if (!Object.hasOwn(names, name)) throw refusal(name, Object.keys(group === '' ? outermost : names), group);
      const members = membersOf(names[name]);
      const value = members && (given as Record<string, unknown>)[name];
      if (members && isObject(value) && !Array.isArray(value)) refuseIn(value, members, pathIn(group, name));
    }
  }

  function refusal(name: string, names: readonly string[], group: string): UnknownOptionError {
    const whole = group === '' ? owner : `Option '${group}' of ${owner}`;
    const refused = (nearest?: string, advice?: string) => new UnknownOptionError(whole, name, nearest, names, advice);
    if (group === '' && Object.hasOwn(beside, name)) return refused(undefined, "Give it beside 'useFactory'.");
    const misplaced = pathsNamed(name, outermost);
    const advice = misplaced.length > 0 ? undefined : adviceOn?.(name);
    if (advice !== undefined) return refused(undefined, advice);
    const paths = misplaced.length > 0 ? misplaced : pathsNear(name, group, outermost);
    const [nearest] = paths;
    if (nearest === undefined) return refused();
    if (groupOf(nearest) === group) return refused(lastOf(nearest));
    return refused(nearest, elsewhere(paths, owner));
  }
}

function elsewhere([path, ...others]: readonly string[], owner: string): string {
  if (others.length > 0) return `Did you mean ${inWords([path!, ...others])}?`;
  const group = groupOf(path!);
  if (group === '') return `Did you mean '${path}' of ${owner} itself?`;
  const spelled = group.split('.').reduceRight((inner, name) => `${name}: { ${inner} }`, `${lastOf(path!)}: …`);
  return `Did you mean '${path}'? Write ${spelled}.`;
}
