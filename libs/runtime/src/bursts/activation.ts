import { type WorkflowDefinition } from '@waymark/core';
import { MAX_TEXT_LENGTH } from '@waymark/core/adapter';
import { findActivationStrategy } from '../definitions/activation-strategies.js';
import { sha256 } from '../engine/identity.js';
import type { InstanceFilter } from '../persistence/instance-store.js';

/** What an activation strategy forbids at the same time. */
export interface ActivationRule {
  /** Held by one running instance at a time; the store enforces it, on all nodes. */
  readonly key: string;
  /** Running instances that forbid the start although they hold no key (started under another strategy or version). */
  readonly conflicting: InstanceFilter;
}

/**
 * The rule of the definition's strategy for a start with that correlation id; undefined: always allowed, as under
 * a strategy that is not known here, which only versions have that were published before such were refused. A start without a
 * correlation id never conflicts under Correlation: "no id" is not an id that two instances share.
 */
export function activationRule(
  definition: WorkflowDefinition,
  correlationId: string | undefined,
): ActivationRule | undefined {
  const { activationStrategyType } = definition.options;
  if (!activationStrategyType) return undefined;
  const running = { statuses: ['Running'] } as const;
  switch (findActivationStrategy(activationStrategyType)) {
    case 'singleton':
      return {
        key: `singleton:${definition.definitionId}`,
        conflicting: { ...running, definitionIds: [definition.definitionId] },
      };
    case 'correlatedsingleton':
      return {
        key: storable(`correlated-singleton:${definition.definitionId}:${correlationId ?? ''}`),
        conflicting: {
          ...running,
          definitionIds: [definition.definitionId],
          ...(correlationId ? { correlationIds: [correlationId] } : {}),
        },
      };
    case 'correlation':
      if (!correlationId) return undefined;
      return {
        key: storable(`correlation:${correlationId}`),
        conflicting: { ...running, correlationIds: [correlationId] },
      };
    default:
      return undefined;
  }
}

/**
 * Returns true if an instance that was begun with the one correlation id has another one now, and its key was made of that: it does not
 * stand in the way of a start with that id any more. What it conflicts with by its new one is found without a key.
 */
export function hasLeftKey(
  { options: { activationStrategyType } }: WorkflowDefinition,
  before: string | undefined,
  now: string | undefined,
): boolean {
  if (!activationStrategyType || (before ?? '') === (now ?? '')) return false;
  const strategy = findActivationStrategy(activationStrategyType);
  return strategy === 'correlatedsingleton' || (strategy === 'correlation' && Boolean(before));
}

/** Returns the activation key of an instance that a trigger has started, if two of them must not run at the same time. */
export const triggerKey = (definitionId: string, activityId: string): string =>
  storable(`trigger:${JSON.stringify([definitionId, activityId])}`);

/** Returns the activation key of an instance that a schedule of the application has started. */
export const scheduleKey = (scheduleId: string): string => storable(`schedule:${scheduleId}`);

/** A key made of several texts may exceed the length that each of them may have. */
function storable(key: string): string {
  return key.length <= MAX_TEXT_LENGTH ? key : `${key.slice(0, key.indexOf(':'))}:${sha256(key)}`;
}
