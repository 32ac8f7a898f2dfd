import type { TriggerIndexingContext } from '@waymark/core';
import { shareOf, type TriggerTiming } from '../triggers/trigger-timing.js';

type Given = Partial<Record<'misfire' | 'overlap' | 'jitter' | 'validFrom' | 'validUntil', unknown>>;

/**
 * What the custom properties of an activity say about its times, for its payload; whether the values are any is for the
 * validator to say.
 */
export function timingOf({ execution }: TriggerIndexingContext): TriggerTiming {
  const { misfire, overlap, jitter, validFrom, validUntil } = execution.node.customProperties as Given;
  const given = { misfire, overlap, jitter, validFrom, validUntil };
  const known = Object.entries(given).filter(([, value]) => value != null);
  const timing = Object.fromEntries(known.map(([name, value]) => [name, plain(value)])) as TriggerTiming;
  if (jitter == null) return timing;
  const { workflow, node } = execution;
  return { ...timing, jitterMs: shareOf(jitter, [workflow.graph.definition.definitionId, node.id]) };
}

// An invalid one has no text of a date: the validator refuses what it says in place of that.
const plain = (value: unknown): unknown =>
  value instanceof Date ? (Number.isNaN(value.getTime()) ? String(value) : value.toISOString()) : value;
