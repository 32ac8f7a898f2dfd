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
      `The version in @Workflow() must be a whole number from 1 to 2147483647, not ${String(version)}. Correct it, or leave it out to have it counted.`,
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
      `Workflow "${definitionId}" is stored as version ${version} with other content than that of the code. ` +
        `Raise the version in @Workflow() to ${nextVersion}, or leave it out to have it counted.`,
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
      `Several classes are workflow "${definitionId}": ${classNames.join(', ')}. ` +
        'Give each an id of its own, or a version of its own in @Workflow() if they are versions of one workflow.',
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
      `Workflow "${definitionId}" uses "${usedDefinitionId}" as an activity, of which ` +
        `${usedVersion === undefined ? 'no version is published' : `there is no version ${usedVersion}`}, or which is not usable as an activity. ` +
        'Publish it, and set its option usableAsActivity.',
    );
  }
}
