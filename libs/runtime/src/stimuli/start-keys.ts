import { canonicalJson } from '@waymark/core/adapter';
import { sha256 } from '../engine/identity.js';
import type { InstanceStore } from '../persistence/instance-store.js';
import type { StoredTrigger } from '../persistence/records.js';

const DIGEST_LENGTH = 32;

/** The request key of what one row of a trigger starts. Another publish may have other rows. */
export const keyOfRow = (key: string, { id }: StoredTrigger): string => `${key}/${id}`;

/**
 * The request key with which a stimulus of an idempotency key starts a workflow: one for each trigger, also after its definition was
 * retracted and published again, or imported anew. A key that nodes of the version before have used still counts.
 */
export async function startKeyOf(instances: InstanceStore, key: string, trigger: StoredTrigger): Promise<string> {
  const before = keyOfRow(key, trigger);
  if ((await instances.findKeyUser(before)) !== undefined) return before;
  const { workflowDefinitionId, activityId, hash } = trigger;
  return `${key}/${sha256(canonicalJson([workflowDefinitionId, activityId, hash]))
    .slice(0, DIGEST_LENGTH)
    .toLowerCase()}`;
}
