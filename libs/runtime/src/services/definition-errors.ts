import { WaymarkError } from '@waymark/core';
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
