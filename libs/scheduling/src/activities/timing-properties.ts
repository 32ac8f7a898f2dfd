import { type TriggerIndexingContext } from '@waymark/core';
import { toMilliseconds } from '@waymark/core/adapter';
import { sha256 } from '@waymark/runtime/adapter';
import type { TriggerTiming } from '../triggers/trigger-timing.js';

type Given = Partial<Record<'misfire' | 'overlap' | 'jitter' | 'validFrom' | 'validUntil', unknown>>;

/** Numbers that 32 bits can make. */
const SPREAD = 0x1_0000_0000;

/**
 * What the custom properties of an activity say about its times, for its payload; whether the values are any is for the
 * validator to say.
 */
export function timingOf({ execution }: TriggerIndexingContext): TriggerTiming {
  const { misfire, overlap, jitter, validFrom, validUntil } = execution.node.customProperties as Given;
  const given = { misfire, overlap, jitter, validFrom, validUntil };
  const known = Object.entries(given).filter(([, value]) => value != null);
  const timing = Object.fromEntries(known.map(([name, value]) => [name, plain(value)])) as TriggerTiming;
  return jitter == null ? timing : { ...timing, jitterMs: shareOf(jitter, execution) };
}

const plain = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value);

/**
 * The same part of the jitter each time, and another one for other triggers: thousands that are due at midnight are spread,
 * and each keeps its distance from one time to the next. It follows from what does not change when a workflow is published again.
 */
function shareOf(jitter: unknown, { workflow, node }: TriggerIndexingContext['execution']): number {
  const ms = toMilliseconds(jitter) ?? 0;
  const name = JSON.stringify([workflow.graph.definition.definitionId, node.id]);
  return Math.floor((Math.max(0, ms) * Number.parseInt(sha256(name).slice(0, 8), 16)) / SPREAD);
}
