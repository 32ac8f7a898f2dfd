import { WaymarkError, type WorkflowDefinition } from '@waymark/core';
import type { DefinitionProblem } from './definition-services.js';
import type { WorkflowDefinitionHandle } from './definition-handle.js';

export class DefinitionNotFoundError extends WaymarkError {
  readonly code = 'WM1020';
  constructor(readonly handle: WorkflowDefinitionHandle) {
    super(
      `No workflow definition matches ${typeof handle === 'string' ? `"${handle}" (published)` : JSON.stringify(handle)}. ` +
        'Check the id, and whether that version is published.',
    );
  }
}

export class DefinitionNotPublishedError extends WaymarkError {
  readonly code = 'WM1021';
  constructor(readonly definitionId: string) {
    super(`Workflow definition "${definitionId}" is not published, so it cannot be retracted.`);
  }
}

/** Definitions that come from code are changed in code. */
export class DefinitionReadonlyError extends WaymarkError {
  readonly code = 'WM1022';
  constructor(readonly definitionId: string) {
    super(
      `Workflow definition "${definitionId}" comes from code and is read-only here. Change the code, or save it under another id.`,
    );
  }
}

export class DefinitionInvalidError extends WaymarkError {
  readonly code = 'WM1023';
  constructor(
    readonly definitionId: string,
    readonly problems: readonly DefinitionProblem[],
  ) {
    super(`Workflow definition "${definitionId}" cannot be published: ${problems.map((p) => p.message).join(' · ')}`);
  }
}

/** What is saved or published now would be deleted with it. */
export class DefinitionBeingDeletedError extends WaymarkError {
  readonly code = 'WM7023';
  constructor(readonly definitionId: string) {
    super(
      `Workflow definition "${definitionId}" is being deleted by a bulk plan, with its instances. Save it again when the plan ` +
        'has ended, or cancel the plan and keep the definition.',
    );
  }
}

/** This node has not the code of that version. Nothing was begun: another node may do it, or this one after a deployment. */
export class WorkflowCodeMissingError extends WaymarkError {
  readonly code = 'WM2040';
  readonly definitionId: string;
  readonly definitionVersionId: string;
  readonly version: number;

  /** @param missing places of functions, and activity types */
  constructor(
    { id, definitionId, version }: Pick<WorkflowDefinition, 'id' | 'definitionId' | 'version'>,
    readonly missing: readonly string[],
  ) {
    super(
      `Version ${version} of workflow '${definitionId}' cannot be run by this node, which lacks: ${missing.join(', ')}. ` +
        'Leave it to a node that has that version, deploy its code (a class with the same id and its version in @Workflow()), ' +
        'or migrate the instance.',
    );
    this.definitionId = definitionId;
    this.definitionVersionId = id;
    this.version = version;
  }
}
