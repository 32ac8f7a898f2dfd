import type { ActivityJson } from '../api/definitions.js';

/** What people call an activity: what its author has written on it, else its name, else its id. */
export function nameOf({ metadata, name, id }: ActivityJson): string {
  const text = metadata?.displayText;
  return typeof text === 'string' && text !== '' ? text : name || id;
}

/** The name of the activity at a node, as its author gave it; its id without one, and where the definition is not known. */
export function nameOfActivity(
  root: ActivityJson | undefined,
  { activityId, activityNodeId }: { readonly activityId: string; readonly activityNodeId: string },
): string {
  const known = root ? (indexOf(root).get(activityId) ?? []) : [];
  // Ids are unique in their container only.
  const found = known.find(({ nodeId }) => nodeId === activityNodeId) ?? known[0];
  return found ? nameOf(found) : activityId;
}

/** The activity with that node id, whose last part is its own id. */
export const nameAtNode = (root: ActivityJson | undefined, nodeId: string): string =>
  nameOfActivity(root, { activityId: nodeId.split(':').at(-1)!, activityNodeId: nodeId });

/** By id. A journal asks for the name of each of its entries. */
const indexes = new WeakMap<ActivityJson, ReadonlyMap<string, readonly ActivityJson[]>>();

function indexOf(root: ActivityJson): ReadonlyMap<string, readonly ActivityJson[]> {
  const known = indexes.get(root);
  if (known) return known;
  const index = new Map<string, ActivityJson[]>();
  for (const activity of activitiesIn(root)) {
    const same = index.get(activity.id);
    if (same) same.push(activity);
    else index.set(activity.id, [activity]);
  }
  indexes.set(root, index);
  return index;
}

function* activitiesIn(value: unknown): Generator<ActivityJson> {
  if (typeof value !== 'object' || value === null) return;
  const { id, type } = value as Partial<ActivityJson>;
  if (typeof id === 'string' && typeof type === 'string') yield value as ActivityJson;
  for (const member of Object.values(value)) yield* activitiesIn(member);
}
