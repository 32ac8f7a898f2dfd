import type { WorkflowPersistence } from '@waymark/runtime';
import type { LivePosition } from './live-position.js';

/** Most instances or definitions that are reported at once. With more, clients receive a reset and read everything again. */
export const MOST_CHANGES = 2_000;

// What changed since a position; undefined: more than `MOST_CHANGES`, or the position is from another store.

export async function definitionsSince(
  persistence: WorkflowPersistence,
  { definitions }: LivePosition,
): Promise<readonly string[] | undefined> {
  const { position, definitionIds } = await persistence.definitions.findChanges(definitions);
  const isOther = definitions.counter > position.counter;
  return isOther || !definitionIds || definitionIds.length > MOST_CHANGES ? undefined : definitionIds;
}

export async function writtenSince(
  persistence: WorkflowPersistence,
  { write }: LivePosition,
): Promise<string[] | undefined> {
  const writes = await persistence.journal.findWrites(write, MOST_CHANGES + 1);
  const isOther = writes.length === 0 && (await persistence.journal.lastWrite()) < write;
  if (isOther || writes.length > MOST_CHANGES) return undefined;
  return [...new Set(writes.map(({ workflowInstanceId }) => workflowInstanceId))];
}
