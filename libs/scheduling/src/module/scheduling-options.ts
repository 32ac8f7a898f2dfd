import { checkOptions } from '@waymark/core/adapter';
import { SCHEDULING_OPTION_KINDS } from './scheduling-option-kinds.js';
import { MisfirePolicy } from '../triggers/misfire-policy.js';

/** Options for timers. All of them have defaults. */
export interface SchedulingOptions {
  /** If false, this node fires no timers; other nodes do. @default true */
  enabled?: boolean | undefined;
  /**
   * Interval at which an idle node looks for due work that other nodes have written, in milliseconds. It limits the delay of
   * work whose node has died. Each look is one small query. @default 1000
   */
  pollIntervalMs?: number | undefined;
  /**
   * How many triggers are fired at the same time, and how many bookmarks. Firing one takes as long as its burst; commits of
   * several share a transaction on PostgreSQL and MariaDB. What takes longer than a minute no longer counts, up to four for each place.
   * @default 64
   */
  concurrency?: number | undefined;
  /**
   * What happens to occurrences that were missed. The custom property `misfire` of a trigger takes precedence. @default see its
   * members
   */
  misfire?:
    | {
        /** Policy of timers. @default 'once': one firing for all missed occurrences */
        timer?: MisfirePolicy | undefined;
        /** Policy of cron expressions. @default 'skip': missed occurrences are not fired */
        cron?: MisfirePolicy | undefined;
      }
    | undefined;
  /**
   * Delay after which an occurrence counts as missed, in milliseconds; the policy `skip` then skips it. Delays by load do not count: see
   * `misfire` in the documentation of scheduling. @default 60000
   */
  misfireThresholdMs?: number | undefined;
  /**
   * Whether a StartAt trigger whose time had passed when the workflow was published never fires (`skip`) or fires at once
   * (`catchup`). @default 'skip'
   */
  startAtInPast?: 'skip' | 'catchup' | undefined;
  /**
   * Longest pause after the first failed firing, in milliseconds; it doubles with every further one, and half of it is random.
   * Faults of the store do not count. @default 1000
   */
  retryMinMs?: number | undefined;
  /** Longest pause between two attempts, in milliseconds. @default 300000 */
  retryMaxMs?: number | undefined;
  /**
   * How long a shutdown waits for work that is being fired, in milliseconds. After that its claims end, and other nodes fire it again. At
   * most the runtime's `drainTimeoutMs`. @default `drainTimeoutMs`
   */
  drainTimeoutMs?: number | undefined;
}

/** `SchedulingOptions` with the defaults applied, as it is under `SCHEDULING_OPTIONS`. */
export interface ResolvedSchedulingOptions extends Readonly<Required<SchedulingOptions>> {
  /** What happens to occurrences that were missed. */
  readonly misfire: Readonly<{ timer: MisfirePolicy; cron: MisfirePolicy }>;
}

/**
 * Applies defaults and rejects values that cannot work.
 * @param runtime how long the shutdown waits for bursts, those of timers included. @default 30 seconds
 * @throws InvalidOptionError (`WM1090`), UnknownOptionError (`WM1091`)
 */
export function resolveSchedulingOptions(
  given: SchedulingOptions = {},
  { drainTimeoutMs = 30_000 }: { readonly drainTimeoutMs?: number } = {},
): ResolvedSchedulingOptions {
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
    drainTimeoutMs: Math.min(options.drainTimeoutMs ?? drainTimeoutMs, drainTimeoutMs),
  };
}

/** Token of the resolved options. */
export const SCHEDULING_OPTIONS = Symbol.for('@waymark/scheduling:options');
