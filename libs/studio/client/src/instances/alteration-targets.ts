import type { ActivityJson, DefinitionModel } from '../api/definitions.js';
import type { Alteration } from '../api/alterations.js';
import type { InstanceSummary } from '../api/instances.js';
import { distinct } from '../parts/distinct.js';
import { childrenOf, connectionsOf } from '../graph/picture.js';

/** Those that have ended well, or were cancelled, stay as they are. */
export const canBeAltered = ({ status, subStatus }: Pick<InstanceSummary, 'status' | 'subStatus'>): boolean =>
  status === 'Running' || subStatus === 'Faulted';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Every activity of a definition, however deep, by its id; one id once. */
export function activityChoices(root: ActivityJson | undefined): Choice[] {
  const found = new Map<string, string>();
  const add = (activity: ActivityJson): void => {
    const { id, name } = activity;
    if (!found.has(id)) found.set(id, name && name !== id ? `${name} (${id})` : id);
    for (const child of childrenOf(activity)) add(child.activity);
  };
  if (root) add(root);
  return [...found].map(([value, label]) => ({ value, label }));
}

/** The ways out of an activity that connections of the definition take. */
export function outcomeChoices(root: ActivityJson | undefined, activityId: string): string[] {
  if (!root) return [];
  const own = (root.type === 'Elsa.Flowchart' ? connectionsOf(root) : [])
    .filter(({ source }) => source === activityId)
    .map(({ outcome }) => outcome);
  const below = childrenOf(root).flatMap(({ activity }) => outcomeChoices(activity, activityId));
  return [...new Set([...own, ...below])];
}

export const variableChoices = (definition: DefinitionModel | undefined): Choice[] =>
  distinct(
    ((definition?.variables ?? []) as readonly { readonly id?: string; readonly name: string }[]).map(
      ({ id, name }) => ({ value: id ?? name, label: name }),
    ),
  );

/** Those to which at least one of the instances can move. */
export const versionsFor = <V extends { readonly version: number }>(
  targets: readonly Pick<InstanceSummary, 'version'>[],
  versions: readonly V[],
): V[] => versions.filter(({ version }) => targets.some((target) => target.version !== version));

/** The instances that the alteration is about: those of the version to which others move are there already. */
export const targetsOf = <T extends Pick<InstanceSummary, 'version'>>(
  targets: readonly T[],
  alteration: Alteration | undefined,
): readonly T[] =>
  alteration?.type === 'Migrate' ? targets.filter(({ version }) => version !== alteration.targetVersion) : targets;

/** One of the newest version among them: its activities and variables are offered. */
export const newestOf = <T extends Pick<InstanceSummary, 'version'>>(targets: readonly T[]): T | undefined =>
  targets.reduce<T | undefined>((newest, one) => (newest && newest.version >= one.version ? newest : one), undefined);
