import { isWaymarkError } from '@waymark/core';
import { idOfRequest } from '../engine/request-id.js';
import type { InstanceStore } from '../persistence/instance-store.js';
import { ActivationRefusedError, RequestKeyUsedError } from '../persistence/persistence-errors.js';
import { InstanceExistsError } from '../services/instance-errors.js';
import type { CreateInstanceRequest } from '../services/instance-services.js';
import type { ActivationRule } from './activation.js';
import type { BurstExtras } from './burst-commit-builder.js';

/** Whether the id of a start is known to be free, and whether that still has to be asked because its parent gave it. */
interface StartingId {
  readonly isFree: boolean;
  readonly isOfChild: boolean;
}

/**
 * Asks what would refuse a start before anything of it runs: a child of the same id, or an instance that its activation strategy excludes. At
 * once where there is nothing to ask, as for most starts.
 * @returns whether its id is known to be free
 * @throws InstanceExistsError, ActivationRefusedError, RequestKeyUsedError
 */
export function requireStartable(
  instances: InstanceStore,
  instanceId: string,
  request: CreateInstanceRequest,
  rule: ActivationRule | undefined,
  { isNewId }: BurstExtras,
): boolean | Promise<boolean> {
  const isFree = isNewId === true && request.requestKey === undefined;
  const isOfChild = Boolean(request.parentWorkflowInstanceId) && !isFree;
  if (!isOfChild && !rule) return isFree;
  return askStartable(instances, instanceId, request.requestKey, rule, { isFree, isOfChild });
}

async function askStartable(
  instances: InstanceStore,
  instanceId: string,
  requestKey: string | undefined,
  rule: ActivationRule | undefined,
  { isFree, isOfChild }: StartingId,
): Promise<boolean> {
  // Its id follows from what its parent did: a parent that runs again must not run the child again before it is refused.
  if (isOfChild && (await instances.count({ ids: [instanceId] })) > 0) throw new InstanceExistsError(instanceId);
  const isIdFree = isFree || isOfChild;
  if (rule && (await instances.count(rule.conflicting)) > 0) {
    // It may be what the same request has started: then it is not refused, but repeated, as the commit would say.
    await requireUnused(instances, instanceId, requestKey, isIdFree);
    throw new ActivationRefusedError(rule.key);
  }
  return isIdFree;
}

/** @throws RequestKeyUsedError, InstanceExistsError */
export async function requireUnused(
  instances: InstanceStore,
  instanceId: string,
  requestKey: string | undefined,
  isIdFree: boolean,
): Promise<void> {
  const [startedBefore, revision] = await Promise.all([
    requestKey === undefined ? undefined : instances.findKeyUser(requestKey),
    isIdFree ? undefined : instances.readRevision(instanceId),
  ]);
  if (startedBefore !== undefined) throw new RequestKeyUsedError(requestKey!, startedBefore);
  if (revision !== undefined) throw existsError(instanceId, requestKey);
}

/** Why a new instance was not stored: there is one of its id. Other errors stay as they are. */
export function refusalOf(error: unknown, instanceId: string, requestKey: string | undefined): unknown {
  return isWaymarkError(error, 'WM7001') ? existsError(instanceId, requestKey) : error;
}

function existsError(instanceId: string, requestKey: string | undefined): Error {
  // The key has been forgotten, and what it started is still there.
  if (requestKey !== undefined && instanceId === idOfRequest(requestKey))
    return new RequestKeyUsedError(requestKey, instanceId);
  return new InstanceExistsError(instanceId);
}
