import { WaymarkError } from '@waymark/core';

export class NoWorkflowBuilderError extends WaymarkError {
  readonly code = 'WM1210';
  constructor(readonly className: string) {
    super(
      `Class ${className} is decorated with @Workflow() but has no method build(w). Implement WorkflowBuilder and describe the workflow there.`,
    );
  }
}

/** `@Workflow({ version })` cannot be stored. */
export class WorkflowVersionOptionError extends WaymarkError {
  readonly code = 'WM1043';
  constructor(version: unknown) {
    super(
      `The version in @Workflow() must be a whole number from 1 to 2147483647, not ${String(version)}. Correct it, or leave it out to number versions automatically.`,
    );
  }
}

/** Running instances rely on a version staying what it is. */
export class WorkflowVersionChangedError extends WaymarkError {
  readonly code = 'WM1211';
  constructor(
    readonly definitionId: string,
    readonly version: number,
    readonly nextVersion: number,
  ) {
    super(
      `Version ${version} of workflow "${definitionId}" is already stored with content that differs from the code. ` +
        `Raise the version in @Workflow() to ${nextVersion}, or leave it out to number versions automatically.`,
    );
  }
}

export class DuplicateWorkflowError extends WaymarkError {
  readonly code = 'WM1212';
  constructor(
    readonly definitionId: string,
    readonly classNames: readonly string[],
  ) {
    super(
      `Several classes define workflow "${definitionId}": ${classNames.join(', ')}. ` +
        'Give each its own id, or its own version in @Workflow() if they are versions of one workflow.',
    );
  }
}

/** A workflow in code uses another one as an activity. */
export class UsedWorkflowNotFoundError extends WaymarkError {
  readonly code = 'WM1213';
  constructor(
    readonly definitionId: string,
    readonly usedDefinitionId: string,
    readonly usedVersion: number | undefined,
  ) {
    super(
      `Workflow "${definitionId}" uses workflow "${usedDefinitionId}" as an activity, which has no ` +
        `${usedVersion === undefined ? 'published version' : `version ${usedVersion}`}, or is not usable as an activity. ` +
        'Publish it, and set its option usableAsActivity.',
    );
  }
}
