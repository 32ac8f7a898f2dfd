import type { WorkflowDefinition, WorkflowGraph } from '@waymark/core';
import type { DefinitionVersion, LoadedDefinition } from '../persistence/definition-store.js';
import type { WorkflowDefinitionHandle } from './definition-handle.js';

/** Finds definitions and their compiled graphs; cached, and fresh on every node within a second (W6). */
export abstract class IWorkflowDefinitionService {
  /** Undefined when nothing matches; a miss is never cached. */
  abstract find(handle: WorkflowDefinitionHandle): Promise<LoadedDefinition | undefined>;
  /** The version that matches. @throws DefinitionNotFoundError (`WM1020`) */
  abstract require(handle: WorkflowDefinitionHandle): Promise<LoadedDefinition>;
  /** The compiled graph of that version. @throws DefinitionNotFoundError (`WM1020`), WorkflowCompileError (`WM1010`) */
  abstract graph(definitionVersionId: string): Promise<WorkflowGraph>;
  /** Compiles a definition that need not be stored. */
  abstract compile(definition: WorkflowDefinition): Promise<WorkflowGraph>;
  /**
   * Forgets what is cached, so that the next look-up reads the store.
   * @param definitionIds only these and what uses them as activities; default: everything
   * @param stored their versions as they are in the store now: what is cached of one at that revision stays
   */
  abstract evict(definitionIds?: readonly string[], stored?: readonly DefinitionVersion[]): void;
  /**
   * Forgets what is cached of these versions, and what may be another version now: the other versions of these definitions
   * stay. Unless it is overridden, nothing of the definitions stays.
   * @param _versionIds those that were written or deleted
   */
  evictVersions(definitionIds: readonly string[], _versionIds: readonly string[]): void {
    this.evict(definitionIds);
  }
}

/** One thing wrong with a definition. */
export interface DefinitionProblem {
  /** What is wrong, in a sentence. */
  readonly message: string;
  /** Id of the activity in its definition. */
  readonly activityId?: string;
  /** Code of the error that it is, or that it leads to when it runs; undefined: it has none. */
  readonly code?: string;
  /** Where it stands in the JSON of the definition, such as `root.activities[0].text`, where that is known. */
  readonly path?: string;
}

/** What validating a definition has found. */
export interface ValidatedDefinition {
  /** What would keep it from being published. */
  readonly problems: readonly DefinitionProblem[];
  /**
   * What may be published, and may not mean what its author thinks, or goes wrong when it runs: activities of types that are not
   * registered here, scripts that cannot be parsed, connections that are not followed.
   */
  readonly warnings: readonly DefinitionProblem[];
}

/** What came of publishing. */
export interface PublishResult {
  /** True: the version is published. */
  readonly succeeded: boolean;
  /** The version that is published now; the unchanged draft when it failed. */
  readonly definition: LoadedDefinition;
  /** True: it was published before, and nothing was changed. */
  readonly alreadyPublished: boolean;
  /** Why nothing was published. */
  readonly problems: readonly DefinitionProblem[];
  /**
   * What was published although it may not mean what its author thinks, such as `72:00:00`, which is 72 days in a definition of Elsa,
   * or goes wrong when it runs: see `ValidatedDefinition`.
   */
  readonly warnings?: readonly DefinitionProblem[];
  /** Definitions that use this one as an activity and were moved to the new version. */
  readonly updatedConsumers: readonly LoadedDefinition[];
}

/** Why the triggers of a definition could not be worked out again. */
export interface RefreshFailure extends DefinitionProblem {
  /** The definition, which keeps the triggers that it had. */
  readonly definitionId: string;
  /** Code of the error, where it has one. */
  readonly code?: string;
}

/** What came of working out triggers again. */
export interface RefreshResult {
  /** Ids of definitions whose triggers are up to date. */
  readonly refreshed: string[];
  /** Ids of definitions that are not there. */
  readonly notFound: string[];
  /** Definitions whose triggers stayed as they were. */
  readonly failed: RefreshFailure[];
}

/** What may be saved: everything of a definition except what the publisher decides. */
export type DefinitionDraft = Partial<Omit<WorkflowDefinition, 'createdAt' | 'isLatest' | 'isPublished'>> &
  Pick<WorkflowDefinition, 'root'>;

/**
 * Life cycle of definitions. Every operation is one transaction together with the trigger rows it implies; events are
 * emitted after it.
 */
export abstract class IWorkflowDefinitionPublisher {
  /**
   * Overwrites the draft, or makes a new version when the latest one is published.
   * @param options.keepId take over the draft's version id for a new version (import does, save does not)
   */
  abstract saveDraft(draft: DefinitionDraft, options?: { keepId?: boolean }): Promise<LoadedDefinition>;
  /** Publishes the latest version. Nothing is changed when a problem is found. @throws DefinitionNotFoundError (`WM1020`) */
  abstract publish(definitionId: string): Promise<PublishResult>;
  /** Saves and publishes in one transaction: a draft that cannot be published is not saved either. */
  abstract saveAndPublish(draft: DefinitionDraft, options?: { keepId?: boolean }): Promise<PublishResult>;
  /**
   * Takes the published version back: nothing starts it any more, and instances go on.
   * @throws DefinitionNotFoundError (`WM1020`), DefinitionNotPublishedError (`WM1021`)
   */
  abstract retract(definitionId: string): Promise<LoadedDefinition>;
  /** Copies an old version as the new latest one, unpublished. @throws DefinitionNotFoundError (`WM1020`) */
  abstract revert(definitionId: string, version: number): Promise<LoadedDefinition>;
  /** All versions with their triggers, instances (cancelled first, with their children) and bookmarks. Returns how many versions were deleted. */
  abstract delete(definitionIds: readonly string[]): Promise<number>;
  /** Single versions with their instances; the highest remaining one becomes the latest. */
  abstract deleteVersions(versionIds: readonly string[]): Promise<number>;
  /** What would keep a definition from being published, and what may surprise once it is. Nothing is saved. */
  abstract validate(draft: DefinitionDraft): Promise<ValidatedDefinition>;
  /** Ids of definitions that use that one as an activity, directly or through others; the nearest first, 1,000 at most. */
  abstract consumers(definitionId: string): Promise<string[]>;
  /** Moves consumers to the published version, if the definition asks for it. Returns those that changed. */
  abstract updateReferences(definitionId: string): Promise<LoadedDefinition[]>;
  /**
   * Works out the triggers of published definitions again, of all of them without ids. One that would be refused if it was published
   * today keeps the triggers that it has, and does not keep the others from it. Errors of the store end it.
   */
  abstract refresh(definitionIds?: readonly string[]): Promise<RefreshResult>;
}
