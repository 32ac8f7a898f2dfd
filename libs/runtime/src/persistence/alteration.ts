import type { MigrationMapping } from '@waymark/core';

/** Names an activity: one execution of it, or all by its id in the definition. */
export interface ActivityTarget {
  readonly activityId?: string | undefined;
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
  | ({ readonly type: 'ScheduleActivity' } & ActivityTarget)
  | ({ readonly type: 'CancelActivity' } & ActivityTarget)
  /** Completes it as if it had been done, failed or waiting as it is, so that what follows goes on. */
  | ({
      readonly type: 'SkipActivity';
      /** @default ['Done'] */ readonly outcomes?: readonly string[] | undefined;
    } & ActivityTarget)
  | { readonly type: 'Cancel' };

export interface AlterationLogEntry {
  readonly message: string;
  readonly logLevel: 'Information' | 'Error';
  readonly timestamp: Date;
  readonly eventName: string;
}

/** What alterations of one instance came to. */
export interface AlterationResult {
  readonly workflowInstanceId: string;
  readonly log: { readonly logEntries: readonly AlterationLogEntry[] };
  readonly workflowHasScheduledWork: boolean;
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
