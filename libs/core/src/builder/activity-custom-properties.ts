import type { RetryOptions } from '../activities/decorators.js';
import type { LogPersistenceMode } from '../graph/log-persistence.js';

/** Modes of what records keep, by input, output or for all; see `logPersistenceMode`. */
export interface LogPersistenceModes {
  /** Of everything that has no mode of its own. @default that of the workflow */
  readonly default?: LogPersistenceMode | 'Configuration' | null | undefined;
  /** By the name of the input, in camelCase. */
  readonly inputs?: Readonly<Record<string, LogPersistenceMode | 'Configuration' | null>> | undefined;
  /** By the name of the output, in camelCase. */
  readonly outputs?: Readonly<Record<string, LogPersistenceMode | 'Configuration' | null>> | undefined;
  /** Of properties and journal data. */
  readonly internalState?: LogPersistenceMode | 'Configuration' | null | undefined;
}

/**
 * Custom properties of an activity that the engine reads. Libraries add those that they read, and applications may add their own, so that
 * wrong values do not compile. Others are allowed: they are data of the application.
 * @example
 * declare module '@waymark/core' {
 *   interface ActivityCustomProperties {
 *     readonly department?: 'sales' | 'stock' | undefined;
 *   }
 * }
 */
export interface ActivityCustomProperties {
  /** As the setting `timeout`. */
  readonly timeout?: string | number | null | undefined;
  /** As the setting `retry`. */
  readonly retryPolicy?: RetryOptions | null | undefined;
  /** When the burst is committed around this activity: a commit strategy by its name, such as `CommitAlways`. @default that of the workflow */
  readonly commitStrategyName?: string | null | undefined;
  /** How tokens that meet at this activity of a flowchart are treated. @default 'Stream', or what the mode of a FlowJoin means */
  readonly mergeMode?: 'Stream' | 'Merge' | 'Converge' | 'Cascade' | 'Race' | null | undefined;
  /** Which values its records keep. @default that of the workflow */
  readonly logPersistenceMode?: LogPersistenceMode | 'Configuration' | LogPersistenceModes | null | undefined;
  /** Data of the application, and what libraries read. */
  readonly [name: string]: unknown;
}
