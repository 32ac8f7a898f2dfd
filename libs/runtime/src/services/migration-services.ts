import { type MigrationMapping, type MigrationProblem, type MigrationReport, WaymarkError } from '@waymark/core';

/** Describes a migration: the target version, and a mapping for renamed activities and variables. */
export interface MigrationRequest {
  /** Number of a version of the same definition, newer or older. */
  readonly targetVersion: number;
  /** Maps activities and variables whose ids differ in the target version. @default by id */
  readonly mapping?: MigrationMapping | undefined;
}

/** Options of a migration. */
export interface MigrationOptions {
  /** Who asks for it, for the journal. */
  readonly by?: string | undefined;
}

/**
 * Moves instances that wait or have failed to other versions of their workflow. Nothing is run: executions, bookmarks and due
 * times stay unchanged, and continue with the other version.
 */
export abstract class IInstanceMigrator {
  /** Returns what a migration would do. Nothing is changed. @throws InstanceNotFoundError (`WM3001`) */
  abstract dryRun(workflowInstanceId: string, request: MigrationRequest): Promise<MigrationReport>;

  /**
   * Moves the instance.
   * @returns what was done
   * @throws InstanceNotFoundError (`WM3001`)
   * @throws MigrationRefusedError (`WM2050`) if the instance could not continue with that version
   * @throws InstanceBusyError (`WM2051`) while a burst of it is under way
   * @throws MigrationTooLargeError (`WM1056`) if the state before, which is kept for undoing, does not fit beside the new one
   */
  abstract migrate(
    workflowInstanceId: string,
    request: MigrationRequest,
    options?: MigrationOptions,
  ): Promise<MigrationReport>;

  /**
   * Restores the state before the last migration, including the values of variables.
   * @throws InstanceNotFoundError (`WM3001`)
   * @throws MigrationNotUndoableError (`WM2052`) if there was none, or the instance has changed since
   */
  abstract undo(workflowInstanceId: string, options?: MigrationOptions): Promise<void>;
}

/** Thrown when an instance could not continue with the target version. Nothing was changed. */
export class MigrationRefusedError extends WaymarkError {
  readonly code = 'WM2050';
  /** Why it cannot move. */
  readonly problems: readonly MigrationProblem[];
  constructor(
    /** What the migration would have done. */
    readonly report: MigrationReport,
  ) {
    const { workflowInstanceId, fromVersion, toVersion, problems } = report;
    super(
      `Workflow instance "${workflowInstanceId}" cannot move from version ${fromVersion} to ${toVersion}: ` +
        problems.map(({ message }) => message).join(' '),
    );
    this.problems = problems;
  }
}

/** Thrown while a burst of the instance is running, or is about to be recovered after an interruption. */
export class InstanceBusyError extends WaymarkError {
  readonly code = 'WM2051';
  constructor(
    /** Id of the workflow instance. */
    readonly workflowInstanceId: string,
  ) {
    super(
      `Workflow instance "${workflowInstanceId}" is busy and cannot move to another version now. Try again when it waits.`,
    );
  }
}

/** Thrown when the instance has no migration that could be undone, or the instance has changed since. */
export class MigrationNotUndoableError extends WaymarkError {
  readonly code = 'WM2052';
  constructor(
    /** Id of the workflow instance. */
    readonly workflowInstanceId: string,
  ) {
    super(
      `There is no migration of workflow instance "${workflowInstanceId}" to be undone: it was not migrated, or it was resumed ` +
        'or changed since. Migrate it to the version that you want.',
    );
  }
}

/**
 * Thrown when the state before a migration, which is stored with the instance so that the migration can be undone, does not fit beside the
 * state after it. Nothing was changed.
 */
export class MigrationTooLargeError extends WaymarkError {
  readonly code = 'WM1056';
  constructor(
    /** Id of the workflow instance. */
    readonly workflowInstanceId: string,
    /** Bytes of the state before. */
    readonly keptBytes: number,
    /** The `ValueTooLargeError` of the store. */
    options?: { readonly cause?: unknown },
  ) {
    super(
      `Workflow instance "${workflowInstanceId}" cannot be migrated: its state before the migration (${keptBytes} bytes) is stored with it, ` +
        'so that the migration can be undone, and both together are larger than what can be stored. Raise maxStateBytes on all nodes until ' +
        'the instance has been resumed, which gives up the state before; or make its variables smaller first.',
      options,
    );
  }
}
