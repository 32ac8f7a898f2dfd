import { type OptionKinds, optionKinds as is } from '@waymark/core/adapter';
import { MisfirePolicy } from '../triggers/misfire-policy.js';
import type { SchedulingOptions } from './scheduling-options.js';

const aMisfirePolicy = is.oneOf(...Object.values(MisfirePolicy));

/** What the options `scheduling` take. */
export const SCHEDULING_OPTION_KINDS: OptionKinds<SchedulingOptions> = {
  enabled: is.flag,
  pollIntervalMs: is.atLeast(1),
  concurrency: is.count,
  misfire: is.group<NonNullable<SchedulingOptions['misfire']>>({ timer: aMisfirePolicy, cron: aMisfirePolicy }),
  misfireThresholdMs: is.notNegative,
  startAtInPast: is.oneOf('skip', 'catchup'),
  retryMinMs: is.atLeast(1),
  retryMaxMs: is.atLeast(1),
  drainTimeoutMs: is.notNegative,
};
