import { type ActivityJson } from '../api/definitions.js';

/** The name of the activity at a node, as its author gave it; its id without one, and where the definition is not known. */
export function nameOfActivity(
  root: ActivityJson | undefined,
  { activityId, activityNodeId }: { readonly activityId: string; readonly activityNodeId: string },
): string {
  const known = [...withId(root, activityId)];
  // Ids are unique in their container only.
  const found = known.find(({ nodeId }) => nodeId === activityNodeId) ?? known[0];
  return found?.name || activityId;
}

function* withId(value: unknown, id: string): Generator<ActivityJson> {
  if (typeof value !== 'object' || value === null) return;
  const { id: own, type } = value as Partial<ActivityJson>;
  if (own === id && typeof type === 'string') yield value as ActivityJson;
  for (const member of Object.values(value)) yield* withId(member, id);
}
