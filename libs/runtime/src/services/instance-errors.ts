import { WaymarkError } from '@waymark/core';

export class InstanceNotFoundError extends WaymarkError {
  readonly code = 'WM3001';
  constructor(readonly workflowInstanceId: string) {
    super(
      `There is no workflow instance "${workflowInstanceId}". It may have been deleted, or its retention time is over.`,
    );
  }
}

export class InstanceExistsError extends WaymarkError {
  readonly code = 'WM3002';
  constructor(readonly workflowInstanceId: string) {
    super(`A workflow instance "${workflowInstanceId}" exists already. Choose another id, or run the existing one.`);
  }
}

export class InstanceNotRunningError extends WaymarkError {
  readonly code = 'WM3003';
  constructor(
    readonly workflowInstanceId: string,
    readonly subStatus: string,
  ) {
    super(
      `Workflow instance "${workflowInstanceId}" has ended (${subStatus}) and cannot be run. Retry it if it is faulted.`,
    );
  }
}

/** The bookmark is not there: never was, or was consumed. */
export class BookmarkNotFoundError extends WaymarkError {
  readonly code = 'WM3004';
  constructor(
    readonly bookmarkId: string,
    readonly workflowInstanceId?: string,
  ) {
    super(
      `No workflow instance waits at bookmark "${bookmarkId}"${workflowInstanceId ? ` (instance "${workflowInstanceId}")` : ''}. ` +
        'It was consumed by another request, cancelled, or never existed.',
    );
  }
}

/** The runtime is paused or shutting down. */
export class RuntimeNotAcceptingWorkError extends WaymarkError {
  readonly code = 'WM3005';
  constructor(readonly reason: 'paused' | 'draining') {
    super(`The workflow runtime is ${reason} and takes no new work. Try again later.`);
  }
}

/** A value that is set from outside would be lost at once: it is kept for no longer than a burst. */
export class VariableNotStoredError extends WaymarkError {
  readonly code = 'WM3009';
  constructor(readonly variableName: string) {
    super(
      `The value of variable "${variableName}" lasts as long as a burst and cannot be changed between two of them. Give the ` +
        'variable "storageDriverTypeName": "WorkflowInstanceStorageDriver", publish the workflow, and start or migrate to that version.',
    );
  }
}
