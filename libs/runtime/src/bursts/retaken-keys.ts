import { isWaymarkError, type WorkflowExecutionContext } from '@waymark/core';
import type { InstanceStore } from '../persistence/instance-store.js';
import { ActivationRefusedError } from '../persistence/persistence-errors.js';
import type { LoadedInstance } from '../persistence/records.js';
import { type ActivationRule, activationRule } from './activation.js';

/** Property of an instance: the key that its trigger or schedule gave it. That of an activation strategy follows from the definition. */
const KEY_PROPERTY = 'Waymark:ActivationKey';

/** The properties of a start, with the key that the instance has for as long as it runs. */
export function withActivationKey(
  properties: Readonly<Record<string, unknown>> | undefined,
  activationKey: string | undefined,
): Readonly<Record<string, unknown>> | undefined {
  return activationKey === undefined ? properties : { ...properties, [KEY_PROPERTY]: activationKey };
}

/**
 * The key that a change takes again which lets a finished instance run: its end has released it, and what it excludes would run beside it.
 * Asked before anything of it runs: an activity that has run, and whose commit is refused then, would be run again by the next retry.
 * @throws ActivationRefusedError when another instance holds it
 */
export async function retakenKey(
  instances: InstanceStore,
  wec: WorkflowExecutionContext,
  before: LoadedInstance,
): Promise<string | undefined> {
  if (before.status === 'Running' || !wec.isRunning) return undefined;
  const rule = activationRule(wec.graph.definition, wec.correlationId);
  const { [KEY_PROPERTY]: given } = wec.properties;
  const key = rule?.key ?? (typeof given === 'string' ? given : undefined);
  if (key === undefined) return undefined;
  const holder = (await instances.findKeyHolder(key)) ?? (await withoutKey(instances, rule));
  if (holder !== undefined && holder !== wec.id) throw new ActivationRefusedError(key, { holder, repaired: wec.id });
  return key;
}

/** As `retakenKey` says it, for a commit that another one has preceded. */
export async function refusedKey(instances: InstanceStore, repaired: string, error: unknown): Promise<unknown> {
  if (!isWaymarkError(error, 'WM7005')) return error;
  const { activationKey } = error as unknown as ActivationRefusedError;
  return new ActivationRefusedError(activationKey, { holder: await instances.findKeyHolder(activationKey), repaired });
}

/**
 * A running instance of the same definition that holds no key: started under another version, or repaired by an older node. Where a
 * strategy excludes other definitions, too, children of the instance itself have its correlation id, and are not in its way.
 */
async function withoutKey(instances: InstanceStore, rule: ActivationRule | undefined): Promise<string | undefined> {
  if (!rule?.conflicting.definitionIds) return undefined;
  const [first] = await instances.findIds(rule.conflicting, { limit: 1 });
  return first;
}
