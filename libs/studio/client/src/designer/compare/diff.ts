import type { ActivityJson } from '../../api/definitions.js';
import type { Design } from '../model/change.js';
import { contentOf, sorted } from '../../api/design-content.js';
import { nameOf } from '../canvas/names.js';
import { isActivity } from '../model/ports.js';
import { compareTexts as texts } from '../../texts/compare.js';
import { titleOf, withMachineParts } from './machine-parts.js';

export interface PropertyDifference {
  /** `text`, `customProperties.canStartWorkflow`. */
  readonly name: string;
  /** `undefined`: it was not there. */
  readonly from: unknown;
  readonly to: unknown;
}

export type DifferenceKind = 'added' | 'removed' | 'changed' | 'moved';

export interface ActivityDifference {
  readonly kind: DifferenceKind;
  /** Ids from the root down: the same in both versions. */
  readonly key: string;
  /** Key of the container. */
  readonly parent: string;
  /** Names of what it stands in, from the outside in, without the root: `If1: then`. */
  readonly trail: readonly string[];
  /** As it is after the change; of a removed one, as it was. */
  readonly activity: ActivityJson;
  readonly properties: readonly PropertyDifference[];
}

export interface ConnectionDifference {
  readonly kind: 'added' | 'removed';
  readonly parent: string;
  readonly source: string;
  readonly port: string;
  readonly target: string;
}

export interface Differences {
  readonly activities: readonly ActivityDifference[];
  readonly connections: readonly ConnectionDifference[];
  /** Of the definition itself: variables, inputs, settings. */
  readonly settings: readonly PropertyDifference[];
  readonly isSame: boolean;
}

/** What is different in the second definition. */
export function compare(from: Design, to: Design): Differences {
  const [before, after] = [activitiesOf(withMachineParts(from.root)), activitiesOf(withMachineParts(to.root))];
  const activities: ActivityDifference[] = [];
  const connections: ConnectionDifference[] = [];
  for (const [key, placed] of before)
    if (!after.has(key)) activities.push({ kind: 'removed', key, ...placed, properties: [] });
  for (const [key, placed] of after) {
    const { activity } = placed;
    const old = before.get(key)?.activity;
    connections.push(...connectionDifferences(key, old, activity));
    if (!old) {
      activities.push({ kind: 'added', key, ...placed, properties: [] });
      continue;
    }
    const properties = [...propertyDifferences(ownOf(old), ownOf(activity)), ...orderDifferences(old, activity)];
    if (properties.length === 0) continue;
    const isMoved = properties.every(({ name }) => name.startsWith('metadata.designer'));
    activities.push({ kind: isMoved ? 'moved' : 'changed', key, ...placed, properties });
  }
  const [{ root: _from, ...settingsFrom }, { root: _to, ...settingsTo }] = [contentOf(from), contentOf(to)];
  const settings = propertyDifferences(byName(settingsFrom), byName(settingsTo));
  return {
    activities,
    connections,
    settings,
    isSame: activities.length + connections.length + settings.length === 0,
  };
}

type Placed = Pick<ActivityDifference, 'activity' | 'parent' | 'trail'>;

/** Members whose activities stand side by side on the picture: where they are found needs no name. */
const LISTS: ReadonlySet<string> = new Set(['', 'activities', 'transitions']);

/** All activities by the ids from the root down. */
function activitiesOf(root: ActivityJson): Map<string, Placed> {
  const found = new Map<string, Placed>();
  const visit = (value: unknown, parent: string, port: string, trail: readonly string[]) => {
    if (Array.isArray(value)) for (const item of value) visit(item, parent, port, trail);
    else if (isActivity(value)) {
      const key = keyFor(parent, port, value.id);
      found.set(key, { activity: value, parent, trail });
      const name = nameOf(value);
      for (const [member, inner] of Object.entries(value)) {
        const own = LISTS.has(member) ? name : `${name}: ${member}`;
        if (member !== 'metadata') visit(inner, key, member, parent === '' && LISTS.has(member) ? [] : [...trail, own]);
      }
    } else if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) visit(inner, parent, port, trail);
  };
  visit(root, '', '', []);
  return found;
}

/** What the comparison calls an activity: by the ids and ports from the root down. */
export const keyFor = (parent: string, port: string, id: string): string =>
  `${parent}/${port === 'activities' || port === '' ? '' : `${port}.`}${id}`;

/** An activity without the activities in it, and without what follows from its place. */
function ownOf(activity: ActivityJson): Readonly<Record<string, unknown>> {
  const { nodeId: _nodeId, activities: _activities, connections: _connections, ...own } = activity;
  return withoutActivities(own) as Readonly<Record<string, unknown>>;
}

function withoutActivities(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !isActivity(item)).map(withoutActivities);
  if (typeof value !== 'object' || value === null || 'rawJSON' in value) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (isActivity(member) ? [] : [[name, withoutActivities(member)]])),
  );
}

/** Members whose order says nothing: connections lead from one to the other. */
const UNORDERED: Readonly<Record<string, ReadonlySet<string>>> = {
  'Elsa.Flowchart': new Set(['activities']),
  'Elsa.StateMachine': new Set(['activities']),
};

/** Of lists whose activities run, or are asked, one after the other: the order of those that are in both. */
function orderDifferences(from: ActivityJson, to: ActivityJson): PropertyDifference[] {
  return Object.entries(to).flatMap(([member, list]) => {
    if (UNORDERED[to.type]?.has(member)) return [];
    const [before, after] = [listOf(from[member]), listOf(list)];
    const [old, known] = [before, after].map((own) => new Set(own.map(({ id }) => id)));
    const [a, b] = [before.filter(({ id }) => known!.has(id)), after.filter(({ id }) => old!.has(id))];
    const isOther = (one: ActivityJson, index: number) => one.id !== b[index]?.id;
    const first = a.findIndex(isOther);
    if (first < 0) return [];
    const end = a.findLastIndex(isOther) + 1;
    const shown = (own: readonly ActivityJson[]) =>
      [...(first > 0 ? ['…'] : []), ...own.slice(first, end).map(titleOf), ...(end < own.length ? ['…'] : [])].join(
        ', ',
      );
    return [{ name: texts.orderOf(member), from: shown(a), to: shown(b) }];
  });
}

const listOf = (value: unknown): readonly ActivityJson[] => (Array.isArray(value) ? value.filter(isActivity) : []);

/** Lists of things with names as objects, so that a new one in the middle is one difference. */
function byName(value: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(value).map(([name, list]: [string, unknown]) => [
      name,
      Array.isArray(list) && list.every((item) => typeof (item as { name?: unknown })?.name === 'string')
        ? Object.fromEntries((list as { name: string }[]).map((item) => [item.name, item]))
        : list,
    ]),
  );
}

/** Expressions and lists are one value each; objects are looked into. */
export function propertyDifferences(from: unknown, to: unknown, name = ''): PropertyDifference[] {
  if (isBranch(from) && isBranch(to)) {
    const members = new Set([...Object.keys(from), ...Object.keys(to)]);
    return [...members].flatMap((member) =>
      propertyDifferences(from[member], to[member], name === '' ? member : `${name}.${member}`),
    );
  }
  const isSame = (from ?? undefined) === (to ?? undefined) || textOf(from) === textOf(to);
  return isSame ? [] : [{ name, from: from ?? undefined, to: to ?? undefined }];
}

const isBranch = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !('expression' in value) &&
  !('rawJSON' in value);

const textOf = (value: unknown): string => JSON.stringify(sorted(value)) ?? '';

function connectionDifferences(
  parent: string,
  from: ActivityJson | undefined,
  to: ActivityJson,
): ConnectionDifference[] {
  const [before, after] = [connectionsOf(from), connectionsOf(to)];
  const of = (kind: 'added' | 'removed', own: Connections, other: Connections) =>
    [...own].filter(([key]) => !other.has(key)).map(([, ends]) => ({ kind, parent, ...ends }));
  return [...of('removed', before, after), ...of('added', after, before)];
}

type Connections = ReadonlyMap<string, { source: string; port: string; target: string }>;

function connectionsOf(activity: ActivityJson | undefined): Connections {
  const list = (Array.isArray(activity?.connections) ? activity.connections : []) as {
    source?: { activity?: string; port?: string };
    target?: { activity?: string };
  }[];
  return new Map(
    list.map(({ source, target }) => {
      const ends = { source: source?.activity ?? '', port: source?.port || 'Done', target: target?.activity ?? '' };
      return [`${ends.source} ${ends.port} ${ends.target}`, ends];
    }),
  );
}
