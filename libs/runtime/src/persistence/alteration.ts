import type { MigrationMapping } from '@waymark/core';

/** Names an activity: one execution of it, or all by its id in the definition. */
export interface ActivityTarget {
  /** Of the activity in the definition. */
  readonly activityId?: string | undefined;
  /** Of one execution. */
  readonly activityInstanceId?: string | undefined;
}

/** A repair of a running or faulted instance. */
export type Alteration =
  | {
      readonly type: 'Migrate';
      readonly targetVersion: number;
      /** What is called otherwise there. @default all names are the same */
      readonly mapping?: MigrationMapping | undefined;
    }
  /** Brings back what the last migration has found, if nothing has changed the instance since. */
  | { readonly type: 'UndoMigration' }
  | { readonly type: 'ModifyVariable'; readonly variableId: string; readonly value?: unknown }
  | ({
      readonly type: 'ScheduleActivity';
      /** If true, only executions that have failed and not been retried since run again; another one is left as it is. @default false */
      readonly onlyFaulted?: boolean | undefined;
    } & ActivityTarget)
  | ({ readonly type: 'CancelActivity' } & ActivityTarget)
  /** Completes it as if it had been done, failed or waiting as it is, so that what follows goes on. */
  | ({
      readonly type: 'SkipActivity';
      /** If true, only executions that have failed and not been retried since are completed. @default false */
      readonly onlyFaulted?: boolean | undefined;
      /** With which it completes. @default ['Done'], by which connections without a port leave as well */ readonly outcomes?:
        | readonly string[]
        | undefined;
    } & ActivityTarget)
  | { readonly type: 'Cancel' };

/** An entry in the log of an alteration of one instance. */
export interface AlterationLogEntry {
  /** A sentence for people. */
  readonly message: string;
  /** `Error`: it could not be done. */
  readonly logLevel: 'Information' | 'Error';
  /** When it was done, or given up. */
  readonly timestamp: Date;
  /** Names the alteration and how it ended. */
  readonly eventName: string;
  /** Of the error, where it concerns the instance and not one of the alterations. */
  readonly code?: string | undefined;
}

/** Result of the alterations of one instance. */
export interface AlterationResult {
  /** Id of the instance. */
  readonly workflowInstanceId: string;
  /** An entry for each alteration; when one cannot be done, for that one. */
  readonly log: { readonly logEntries: readonly AlterationLogEntry[] };
  /** If true, an activity was scheduled, and the instance continues. */
  readonly workflowHasScheduledWork: boolean;
  /** If false, nothing was changed. */
  readonly isSuccessful: boolean;
}

/** An alteration that cannot be done; none of its list is, then. */
export class AlterationFailure extends Error {
  constructor(
    readonly alteration: Alteration['type'],
    message: string,
  ) {
    super(message);
    this.name = 'AlterationFailure';
  }
}
