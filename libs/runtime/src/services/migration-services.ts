import { type MigrationMapping, type MigrationProblem, type MigrationReport, WaymarkError } from '@waymark/core';

/** To which version, and what is called otherwise there. */
export interface MigrationRequest {
  /** Number of a version of the same definition, newer or older. */
  readonly targetVersion: number;
  /** Counterparts that have other ids. @default by id */
  readonly mapping?: MigrationMapping | undefined;
}

/** Who migrates an instance. */
export interface MigrationOptions {
  /** Who asks for it, for the journal. */
  readonly by?: string | undefined;
}

/**
 * Moves instances that wait, or have failed, to other versions of their workflow. Nothing of them is run: executions, bookmarks
 * and due times stay as they are, and go on by the other version.
 */
export abstract class IInstanceMigrator {
  /** What a migration would do. Nothing is changed. @throws InstanceNotFoundError (`WM3001`) */
  abstract dryRun(workflowInstanceId: string, request: MigrationRequest): Promise<MigrationReport>;

  /**
   * Moves the instance.
   * @returns what was done
   * @throws InstanceNotFoundError (`WM3001`)
   * @throws MigrationRefusedError (`WM2050`) when the instance could not go on
   * @throws InstanceBusyError (`WM2051`) while a burst of it is under way
   */
  abstract migrate(
    workflowInstanceId: string,
    request: MigrationRequest,
    options?: MigrationOptions,
  ): Promise<MigrationReport>;

  /**
   * Brings back what the last migration has found, the values of variables included.
   * @throws InstanceNotFoundError (`WM3001`)
   * @throws MigrationNotUndoableError (`WM2052`) when there was none, or something has changed the instance since
   */
  abstract undo(workflowInstanceId: string, options?: MigrationOptions): Promise<void>;
}

/** The instance could not go on by that version. Nothing was changed. */
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

/** A burst of it is under way, or was interrupted and is about to be recovered. */
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

/** There is no migration to undo, or the instance has changed since. */
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
