import { WaymarkError, type WorkflowDefinition } from '@waymark/core';
import type { DefinitionProblem } from './definition-services.js';
import { definitionIdOf, versionIdOf, type WorkflowDefinitionHandle } from './definition-handle.js';

/** Thrown when no definition, or no version of it, matches. */
export class DefinitionNotFoundError extends WaymarkError {
  readonly code = 'WM1020';
  constructor(
    /** What was looked for. */
    readonly handle: WorkflowDefinitionHandle,
  ) {
    super(
      definitionIdOf(handle) !== undefined || versionIdOf(handle) !== undefined
        ? `No workflow definition matches ${typeof handle === 'string' ? `"${handle}" (published)` : JSON.stringify(handle)}. ` +
            'Check the id, and whether that version is published.'
        : 'A workflow definition was looked for without an id. Give its definition id, or the id of a version, as text.',
    );
  }
}

/**
 * Refuses an id that is missing: a look-up without one finds any definition.
 * @throws DefinitionNotFoundError (`WM1020`)
 */
export function requireDefinitionId(definitionId: string): void {
  if (typeof definitionId !== 'string') throw new DefinitionNotFoundError({ definitionId });
}

/** Thrown when a definition that is not published is to be retracted. */
export class DefinitionNotPublishedError extends WaymarkError {
  readonly code = 'WM1021';
  constructor(
    /** Logical id of the workflow definition, which all its versions share. */
    readonly definitionId: string,
  ) {
    super(`Workflow definition "${definitionId}" is not published, so it cannot be retracted.`);
  }
}

/** Thrown when a definition that comes from code or from a file is to be changed through the API. */
export class DefinitionReadonlyError extends WaymarkError {
  readonly code = 'WM1022';
  constructor(
    /** Logical id of the workflow definition, which all its versions share. */
    readonly definitionId: string,
  ) {
    super(
      `Workflow definition "${definitionId}" comes from code or a file of the application, and is read-only here. Change it there, or save it under another id.`,
    );
  }
}

/** What was not done, and what to do about it. */
const REFUSED = {
  saved: 'has been changed since it was read. Nothing was saved: read it again, look at what changed, then decide.',
  deleted: 'has been changed since it was read. It was not deleted: read it again, look at what changed, then decide.',
  created: 'was to be new, and exists. Nothing was changed: take another id.',
} as const;

/**
 * Thrown when a definition was to be saved or published as it was read, and is another one by now, or deleted; and when it was to be new, and
 * there is one of that id.
 */
export class DefinitionChangedError extends WaymarkError {
  readonly code = 'WM7043';
  constructor(
    /** Logical id of the workflow definition, which all its versions share. */
    readonly definitionId: string,
    /** What was not done. */
    what: 'saved' | 'deleted' | 'created' = 'saved',
  ) {
    super(`Workflow definition "${definitionId}" ${REFUSED[what]}`);
  }
}

/** Says why a definition still uses an earlier version of another one: it cannot be published with the new version. */
export class ConsumerInvalidError extends WaymarkError {
  readonly code = 'WM4091';
  constructor(
    /** Logical id of the workflow definition that was to be moved. */
    readonly definitionId: string,
    /** Why it cannot be published. */
    readonly problems: readonly DefinitionProblem[],
  ) {
    super(
      `Workflow "${definitionId}" still uses an earlier version, because it cannot be published with the new one: ` +
        `${problems.map(({ message }) => message).join(' ')} Correct it, then publish it.`,
    );
  }
}

/** Says why a definition still uses an earlier version of another one: it was saved each time before it could be moved. */
export class ConsumerContendedError extends WaymarkError {
  readonly code = 'WM4092';
  constructor(
    /** Logical id of the workflow definition that was to be moved. */
    readonly definitionId: string,
    /** Logical id of the workflow definition that it uses. */
    readonly usedDefinitionId: string,
  ) {
    super(
      `Workflow "${definitionId}" still uses an earlier version: it was saved each time before it could be updated. ` +
        `Update it with POST workflow-definitions/${encodeURIComponent(usedDefinitionId)}/update-references.`,
    );
  }
}

/** Thrown when a definition cannot be published. */
export class DefinitionInvalidError extends WaymarkError {
  readonly code = 'WM1023';
  constructor(
    /** Logical id of the workflow definition, which all its versions share. */
    readonly definitionId: string,
    /** Why. */
    readonly problems: readonly DefinitionProblem[],
  ) {
    super(`Workflow definition "${definitionId}" cannot be published: ${problems.map((p) => p.message).join(' · ')}`);
  }
}

/** Thrown when a definition has more triggers than the limit allows. */
export class TooManyTriggersError extends WaymarkError {
  readonly code = 'WM5018';
  constructor(
    /** Of the definition. */
    readonly triggers: number,
    /** The limit. */
    readonly most: number,
  ) {
    super(
      `The workflow has ${triggers} triggers, and ${most} at most are published; an HTTP Endpoint has one for each of its methods. ` +
        'Divide it into several workflows.',
    );
  }
}

/** Thrown when a definition is saved or published while it is being deleted. */
export class DefinitionBeingDeletedError extends WaymarkError {
  readonly code = 'WM7023';
  constructor(
    /** Logical id of the workflow definition, which all its versions share. */
    readonly definitionId: string,
  ) {
    super(
      `Workflow definition "${definitionId}" is being deleted by a bulk plan, with its instances. Save it again when the plan ` +
        'has ended, or cancel the plan and keep the definition.',
    );
  }
}

/**
 * Thrown when this node does not have the code of a version. Nothing was started: another node may do it, or this node after a
 * deployment.
 */
export class WorkflowCodeMissingError extends WaymarkError {
  readonly code = 'WM2040';
  /** Logical id of the workflow definition, which all its versions share. */
  readonly definitionId: string;
  /** Id of one version of the workflow definition. */
  readonly definitionVersionId: string;
  /** Number of the version. */
  readonly version: number;

  /** @param missing places of functions, and activity types */
  constructor(
    { id, definitionId, version }: Pick<WorkflowDefinition, 'id' | 'definitionId' | 'version'>,
    /** Places of functions, and activity types, that this node lacks. */
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
