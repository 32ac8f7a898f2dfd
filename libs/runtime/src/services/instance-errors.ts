import { type ActivityIncident, WaymarkError } from '@waymark/core';

/** Thrown when an instance does not exist; it may have been deleted. */
export class InstanceNotFoundError extends WaymarkError {
  readonly code = 'WM3001';
  constructor(
    /** Id of the workflow instance. */
    readonly workflowInstanceId: string,
  ) {
    super(
      `There is no workflow instance "${workflowInstanceId}". It may have been deleted, by a caller or after its retention time.`,
    );
  }
}

/** Thrown when an instance with that id already exists. */
export class InstanceExistsError extends WaymarkError {
  readonly code = 'WM3002';
  constructor(
    /** Id of the workflow instance. */
    readonly workflowInstanceId: string,
  ) {
    super(`Workflow instance "${workflowInstanceId}" already exists. Choose another id, or run the existing one.`);
  }
}

/** Thrown when an instance has ended, so that it cannot be resumed. */
export class InstanceNotRunningError extends WaymarkError {
  readonly code = 'WM3003';
  constructor(
    /** Id of the workflow instance. */
    readonly workflowInstanceId: string,
    /** Sub-status of the instance. */
    readonly subStatus: string,
  ) {
    super(
      `Workflow instance "${workflowInstanceId}" has ended (${subStatus}) and cannot be run. Retry it if it is faulted.`,
    );
  }
}

/** Thrown when a bookmark does not exist, or was already consumed. */
export class BookmarkNotFoundError extends WaymarkError {
  readonly code = 'WM3004';
  constructor(
    /** Id of the bookmark. */
    readonly bookmarkId: string,
    /** Id of the workflow instance. */
    readonly workflowInstanceId?: string,
  ) {
    super(
      `No workflow instance waits at bookmark "${bookmarkId}"${workflowInstanceId ? ` (instance "${workflowInstanceId}")` : ''}. ` +
        'It was consumed by another request, cancelled, or never existed.',
    );
  }
}

/** Thrown when the runtime is paused or shutting down. */
export class RuntimeNotAcceptingWorkError extends WaymarkError {
  readonly code = 'WM3005';
  constructor(
    /** Whether the runtime is paused or shuts down. */
    readonly reason: 'paused' | 'draining',
  ) {
    super(`The workflow runtime is ${reason} and accepts no new work. Try again later.`);
  }
}

/** Thrown when a variable is set from outside whose value is not stored, so that the new value would be lost at once. */
export class VariableNotStoredError extends WaymarkError {
  readonly code = 'WM3009';
  constructor(
    /** Name of the variable. */
    readonly variableName: string,
  ) {
    super(
      `Variable "${variableName}" is not stored between bursts, so its value cannot be changed from outside. Give the ` +
        'variable "storageDriverTypeName": "WorkflowInstanceStorageDriver", publish the workflow, and start or migrate to that version.',
    );
  }
}

/** Thrown when an instance is to be imported whose bookmark has the id of another one. Nothing is stored. */
export class BookmarkTakenError extends WaymarkError {
  readonly code = 'WM3010';
  constructor(
    /** Id of the bookmark. */
    readonly bookmarkId: string,
    /** Id of the workflow instance that is to be imported. */
    readonly workflowInstanceId: string,
    /** Id of the workflow instance that has the bookmark. */
    readonly ownerId: string,
  ) {
    super(
      ownerId === workflowInstanceId
        ? `Workflow instance "${workflowInstanceId}" has two bookmarks "${bookmarkId}". Give each an id of its own.`
        : `Bookmark "${bookmarkId}" of workflow instance "${workflowInstanceId}" belongs to instance "${ownerId}": a copy under another id ` +
            'needs bookmarks with ids of their own. Change them in the file, or import it with the id that it was exported with.',
    );
  }
}

/** Thrown when a file is to be imported over an instance that runs, and that has gone on since the file was written. Nothing is stored. */
export class InstanceMovedOnError extends WaymarkError {
  readonly code = 'WM3011';
  constructor(
    /** Id of the workflow instance. */
    readonly workflowInstanceId: string,
  ) {
    super(
      `Workflow instance "${workflowInstanceId}" runs, and is not as the file has it: it has gone on since, and what it has done would be ` +
        'done again. Export it anew, or import with "replace" (?replace=true) to set it back to the file.',
    );
  }
}

/** Thrown when a file is to be imported over an instance of which a burst is under way. Nothing is stored. */
export class InstanceExecutingError extends WaymarkError {
  readonly code = 'WM3012';
  constructor(
    /** Id of the workflow instance. */
    readonly workflowInstanceId: string,
  ) {
    super(
      `Workflow instance "${workflowInstanceId}" is executing: what is under way would be repeated from the imported state. ` +
        'Import it when it waits or has ended; cancel or delete it first if it does not come to that.',
    );
  }
}

/** Thrown when the inputs of a start do not match the declared inputs of the workflow. Nothing is started. */
export class WorkflowInputError extends WaymarkError {
  readonly code = 'WM1036';
  constructor(
    /** Logical id of the workflow definition, which all its versions share. */
    readonly definitionId: string,
    /** What is wrong with the inputs. */
    readonly problems: readonly string[],
  ) {
    super(`Workflow "${definitionId}" cannot be started with these inputs: ${problems.join('; ')}. Correct them.`);
  }
}

/** Thrown when an instance has not ended within the time limit. The instance continues. */
export class WorkflowResultTimeoutError extends WaymarkError {
  readonly code = 'WM1037';
  constructor(
    /** Id of the workflow instance. */
    readonly workflowInstanceId: string,
    /** How long it was waited, in milliseconds. */
    readonly timeoutMs: number,
  ) {
    super(
      `Workflow instance "${workflowInstanceId}" did not end within ${timeoutMs} ms. It keeps running: ask for its result again, or wait longer (timeoutMs).`,
    );
  }
}

/** Thrown when an instance has ended without a result, because it was faulted or cancelled. */
export class WorkflowNotFinishedError extends WaymarkError {
  readonly code = 'WM1038';
  constructor(
    /** Id of the workflow instance. */
    readonly workflowInstanceId: string,
    /** Whether it was faulted or cancelled. */
    readonly subStatus: 'Faulted' | 'Cancelled',
    /** Its recorded faults. */
    readonly incidents: readonly ActivityIncident[],
  ) {
    const reasons = incidents.map(({ activityId, message }) => `${activityId}: ${message}`);
    super(
      `Workflow instance "${workflowInstanceId}" was ${subStatus === 'Faulted' ? 'faulted' : 'cancelled'}${reasons.length > 0 ? ` (${reasons.join('; ')})` : ''}. ` +
        `${subStatus === 'Faulted' ? 'Correct the cause and retry it, or ask for result(), which does not throw.' : 'Start it again if it was cancelled by mistake.'}`,
    );
  }
}

/** Thrown when the client of one workflow is used for an instance of another one. */
export class ForeignInstanceError extends WaymarkError {
  readonly code = 'WM1041';
  constructor(
    /** Id of the workflow instance. */
    readonly workflowInstanceId: string,
    /** Logical id of the workflow definition, which all its versions share. */
    readonly definitionId: string,
    wanted: string,
  ) {
    super(
      `Workflow instance "${workflowInstanceId}" belongs to workflow "${definitionId}", not to "${wanted}". Ask the client of that workflow for it.`,
    );
  }
}

/** Thrown for an invalid `timeoutMs`. */
export class ResultTimeoutOptionError extends WaymarkError {
  readonly code = 'WM1042';
  constructor(timeoutMs: unknown) {
    const shown = typeof timeoutMs === 'number' ? String(timeoutMs) : typeof timeoutMs;
    super(`timeoutMs must be 0 or a positive number of milliseconds, not ${shown}. Leave it out to wait for a minute.`);
  }
}

/** Thrown when a client is requested for a class that is not a workflow. */
export class NotAWorkflowError extends WaymarkError {
  readonly code = 'WM1039';
  constructor(
    /** Name of the class. */
    readonly className: string,
  ) {
    super(`Class ${className} is not a workflow. Decorate it with @Workflow().`);
  }
}
