import { checkOptions } from '@waymark/core/adapter';
import { SCHEDULING_OPTION_KINDS } from './scheduling-option-kinds.js';
import { MisfirePolicy } from '../triggers/misfire-policy.js';

/** What a host may set for timers. Everything has a default. */
export interface SchedulingOptions {
  /** False: this node fires nothing; other nodes do. @default true */
  enabled?: boolean;
  /**
   * How often an idle node asks whether other nodes have written anything that is due, in milliseconds: what they do not
   * live to fire is late by that at the most. One small query each time. @default 1000
   */
  pollIntervalMs?: number;
  /**
   * Triggers fired at the same time, and as many bookmarks. Firing one takes as long as its burst; commits of several share a
   * transaction on PostgreSQL and MariaDB. @default 64
   */
  concurrency?: number;
  /** What happens to occurrences that passed unfired. A trigger's custom property `misfire` goes before it. @default see its members */
  misfire?: {
    /** Of timers. @default 'once': one firing for all that passed */
    timer?: MisfirePolicy;
    /** Of cron expressions. @default 'skip': none */
    cron?: MisfirePolicy;
  };
  /** Later than this, an occurrence counts as missed: the policy `skip` leaves it out. @default 60000 */
  misfireThresholdMs?: number;
  /** A StartAt trigger whose time was over when the workflow was published: never (`skip`), or at once (`catchup`). @default 'skip' */
  startAtInPast?: 'skip' | 'catchup';
  /**
   * Longest pause after the first failed firing, in milliseconds; it doubles with every further one, and half of it is random.
   * Faults of the store do not count. @default 1000
   */
  retryMinMs?: number;
  /** Longest pause between two attempts, in milliseconds. @default 300000 */
  retryMaxMs?: number;
  /** How long shutdown waits for what is being fired, in milliseconds. @default 30000 */
  drainTimeoutMs?: number;
}

/** `SchedulingOptions` with the defaults applied, as it is under `SCHEDULING_OPTIONS`. */
export interface ResolvedSchedulingOptions extends Readonly<Required<SchedulingOptions>> {
  /** What happens to occurrences that passed unfired. */
  readonly misfire: Readonly<{ timer: MisfirePolicy; cron: MisfirePolicy }>;
}

/**
 * Applies defaults and rejects values that cannot work.
 * @throws InvalidOptionError (`WM1090`), UnknownOptionError (`WM1091`)
 */
export function resolveSchedulingOptions(given: SchedulingOptions = {}): ResolvedSchedulingOptions {
  const options = checkOptions({ name: 'WorkflowModule', option: 'scheduling' }, given, SCHEDULING_OPTION_KINDS);
  return {
    enabled: options.enabled ?? true,
    pollIntervalMs: options.pollIntervalMs ?? 1000,
    concurrency: options.concurrency ?? 64,
    misfire: {
      timer: options.misfire?.timer ?? MisfirePolicy.Once,
      cron: options.misfire?.cron ?? MisfirePolicy.Skip,
    },
    misfireThresholdMs: options.misfireThresholdMs ?? 60_000,
    startAtInPast: options.startAtInPast ?? 'skip',
    retryMinMs: options.retryMinMs ?? 1000,
    retryMaxMs: options.retryMaxMs ?? 300_000,
    drainTimeoutMs: options.drainTimeoutMs ?? 30_000,
  };
}

/** Token of the resolved options. */
export const SCHEDULING_OPTIONS = Symbol.for('@waymark/scheduling:options');
