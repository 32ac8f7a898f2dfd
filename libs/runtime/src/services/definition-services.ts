import type { WorkflowDefinition, WorkflowGraph } from '@waymark/core';
import type { BulkFailure, PlanRequester } from '../persistence/bulk-plan-store.js';
import type { DefinitionStore, DefinitionVersion, LoadedDefinition } from '../persistence/definition-store.js';
import type { WorkflowDefinitionHandle } from './definition-handle.js';

/** Finds definitions and their compiled graphs. They are cached, and changes take effect on every node within a second (W6). */
export abstract class IWorkflowDefinitionService {
  /**
   * Finds a version; undefined if none matches. Only versions that were found are cached.
   * @param source read instead of the store, such as a transaction; what is found there is not cached. @default the store
   */
  abstract find(
    handle: WorkflowDefinitionHandle,
    source?: Pick<DefinitionStore, 'find'>,
  ): Promise<LoadedDefinition | undefined>;
  /** Finds a version, as `find` does. @throws DefinitionNotFoundError (`WM1020`) */
  abstract require(handle: WorkflowDefinitionHandle, source?: Pick<DefinitionStore, 'find'>): Promise<LoadedDefinition>;
  /** Returns the compiled graph of a version. @throws DefinitionNotFoundError (`WM1020`), WorkflowCompileError (`WM1010`) */
  abstract graph(definitionVersionId: string): Promise<WorkflowGraph>;
  /** Compiles a definition that need not be stored. */
  abstract compile(definition: WorkflowDefinition): Promise<WorkflowGraph>;
  /**
   * Clears the cache, so that the next look-up reads the store.
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
  /**
   * Ids of the versions of these definitions of which something is cached: only of them does `evict` need to know how they are
   * stored. Unless it is overridden, undefined: of all of them.
   */
  cachedVersions(_definitionIds: readonly string[]): readonly string[] | undefined {
    return undefined;
  }
}

/** One thing wrong with a definition. */
export interface DefinitionProblem {
  /** What is wrong, in a sentence. */
  readonly message: string;
  /** Id of the activity in its definition. */
  readonly activityId?: string;
  /** Code of the error, or of the error that it causes at run time, if there is one. */
  readonly code?: string;
  /** Its path in the JSON of the definition, such as `root.activities[0].text`, if known. */
  readonly path?: string;
}

/** Result of validating a definition. */
export interface ValidatedDefinition {
  /** Problems that prevent publishing. */
  readonly problems: readonly DefinitionProblem[];
  /**
   * Problems that do not prevent publishing, but may surprise the author or fail at run time: activities of unregistered types,
   * scripts that cannot be parsed, connections that are never followed.
   */
  readonly warnings: readonly DefinitionProblem[];
}

/** Result of publishing. */
export interface PublishResult {
  /** If true, the version is published. */
  readonly succeeded: boolean;
  /** The published version, or the unchanged draft if publishing failed. */
  readonly definition: LoadedDefinition;
  /** If true, it was published before, and nothing was changed. */
  readonly alreadyPublished: boolean;
  /** Why nothing was published. */
  readonly problems: readonly DefinitionProblem[];
  /**
   * Problems that did not prevent publishing, such as `72:00:00`, which is 72 days in a definition of Elsa: see
   * `ValidatedDefinition`.
   */
  readonly warnings?: readonly DefinitionProblem[];
  /** Definitions that use this one as an activity, directly or through others, and were moved to the new version. */
  readonly updatedConsumers: readonly LoadedDefinition[];
  /** Those that could not be moved, by definition id. @default none */
  readonly failedConsumers?: readonly BulkFailure[];
  /** Of the bulk plan that moves them, where there are more than 50. @default they have been moved */
  readonly consumerPlanId?: string | undefined;
}

/** What became of the definitions that use one as an activity. */
export interface UpdatedConsumers {
  /** Those that were moved to its published version. */
  readonly updated: readonly LoadedDefinition[];
  /** Those that could not be moved, by definition id. They did not affect the others. */
  readonly failures: readonly BulkFailure[];
  /** Of the bulk plan that moves them, where there are more than 50. Undefined: they have been moved. */
  readonly planId?: string | undefined;
}

/** What became of definitions that were to be retracted, by their ids. */
export interface RetractedDefinitions {
  /** Those that were published until now. */
  readonly retracted: readonly string[];
  /** Those that were not published. */
  readonly notPublished: readonly string[];
  /** Ids of definitions that do not exist. */
  readonly notFound: readonly string[];
  /** Those that could not be retracted, such as one whose row was damaged: they stay as they are. */
  readonly failures: readonly BulkFailure[];
}

/** Why the triggers of a definition could not be recomputed. */
export interface RefreshFailure extends DefinitionProblem {
  /** The definition, which keeps the triggers that it had. */
  readonly definitionId: string;
  /** Code of the error, where it has one. */
  readonly code?: string;
}

/** Result of recomputing triggers. */
export interface RefreshResult {
  /** Ids of definitions whose triggers are up to date. */
  readonly refreshed: string[];
  /** Ids of definitions that do not exist. */
  readonly notFound: string[];
  /** Definitions whose triggers were left unchanged. */
  readonly failed: RefreshFailure[];
}

/** The content of a definition that may be saved: everything except the members that the publisher sets. */
export type DefinitionDraft = Partial<Omit<WorkflowDefinition, 'createdAt' | 'isLatest' | 'isPublished'>> &
  Pick<WorkflowDefinition, 'root'>;

/**
 * The latest version on which a change is based: one of these, or, with `'any'`, whichever exists. If the store has another one, or
 * none, nothing is changed. `'none'`: the definition is new, and nothing is changed if there is one of that id.
 */
export type ExpectedDefinition = 'any' | 'none' | readonly Pick<LoadedDefinition, 'id' | 'revision'>[];

/** How a draft is saved. */
export interface SaveOptions {
  /** Who asks for it: for the bulk plan that moves its consumers. @default code of the application */
  readonly requestedBy?: PlanRequester | undefined;
  /** Take over the draft's version id for a new version (import does, save does not). @default false */
  readonly keepId?: boolean | undefined;
  /** The latest version on which the draft is based. @default not checked */
  readonly over?: ExpectedDefinition | undefined;
  /** Completes the draft by the latest version, such as with members that its author does not know. @default it is saved as it is */
  readonly complete?: ((draft: DefinitionDraft, latest: LoadedDefinition) => DefinitionDraft) | undefined;
  /**
   * A draft with the content of a published latest version is not saved: that version is the answer. For clients that save by themselves.
   * A publish makes a version in any case. @default false
   */
  readonly unlessSame?: boolean | undefined;
}

/** How definitions or versions are deleted. */
export interface DeleteOptions {
  /** What is deleted: the latest version of the definition, or the version, as it was read. @default whichever there is */
  readonly over?: ExpectedDefinition | undefined;
  /**
   * Asked when it is known what there is, and before anything of it is deleted; false: it stays. For work that another node may have
   * finished: what is there by then may be something new. @default always
   */
  readonly isWanted?: (() => Promise<boolean>) | undefined;
}

/**
 * Life cycle of definitions. Every operation is one transaction together with the trigger rows it implies; events are
 * emitted after it.
 * @example
 * const { succeeded, problems } = await publisher.saveAndPublish(JSON.parse(text) as DefinitionDraft);
 */
export abstract class IWorkflowDefinitionPublisher {
  /**
   * Overwrites the draft, or makes a new version when the latest one is published.
   * @throws DefinitionChangedError (`WM7043`) when `over` does not match
   */
  abstract saveDraft(draft: DefinitionDraft, options?: SaveOptions): Promise<LoadedDefinition>;
  /**
   * Publishes the latest version. Nothing is changed when a problem is found.
   * @throws DefinitionNotFoundError (`WM1020`), DefinitionChangedError (`WM7043`) when `over` does not match
   */
  abstract publish(definitionId: string, options?: Pick<SaveOptions, 'over' | 'requestedBy'>): Promise<PublishResult>;
  /**
   * Saves and publishes in one transaction: a draft that cannot be published is not saved either.
   * @throws DefinitionChangedError (`WM7043`) when `over` does not match
   */
  abstract saveAndPublish(draft: DefinitionDraft, options?: SaveOptions): Promise<PublishResult>;
  /**
   * Retracts the published version: nothing starts it any more, and running instances continue.
   * @param options `over` may name the published version, or the latest one
   * @throws DefinitionNotFoundError (`WM1020`), DefinitionNotPublishedError (`WM1021`), DefinitionChangedError (`WM7043`) when `over`
   * does not match
   */
  abstract retract(definitionId: string, options?: Pick<SaveOptions, 'over'>): Promise<LoadedDefinition>;
  /** Retracts many definitions, twenty in one transaction. One that is not published, or does not exist, leaves the others alone. */
  abstract retractMany(definitionIds: readonly string[]): Promise<RetractedDefinitions>;
  /**
   * Copies an old version as the new latest one, unpublished.
   * @throws DefinitionNotFoundError (`WM1020`), DefinitionChangedError (`WM7043`) when `over` does not match
   */
  abstract revert(
    definitionId: string,
    version: number,
    options?: Pick<SaveOptions, 'over'>,
  ): Promise<LoadedDefinition>;
  /**
   * Deletes all versions with their triggers, bookmarks and instances, which are cancelled first, with their children. Returns
   * how many versions were deleted. What is saved or published meanwhile is deleted as well, unless `over` is given.
   * @throws DefinitionChangedError (`WM7043`) when `over` does not match: the definition stays; instances of it may be deleted by then
   */
  abstract delete(definitionIds: readonly string[], options?: DeleteOptions): Promise<number>;
  /**
   * Deletes single versions with their instances. The highest remaining version becomes the latest.
   * @throws DefinitionChangedError (`WM7043`) when `over` does not match, as `delete` does
   */
  abstract deleteVersions(versionIds: readonly string[], options?: DeleteOptions): Promise<number>;
  /** Checks a definition without saving it: what prevents publishing, and what may fail at run time. */
  abstract validate(draft: DefinitionDraft): Promise<ValidatedDefinition>;
  /** Lists the ids of definitions that use that one as an activity, directly or through others, beginning with the nearest. */
  abstract consumers(definitionId: string): Promise<string[]>;
  /**
   * Moves consumers, direct ones and those of others, to the published version, if the definition asks for it. Up to 50 are moved before
   * it returns; beyond that a bulk plan moves them.
   */
  abstract updateReferences(
    definitionId: string,
    options?: Pick<SaveOptions, 'requestedBy'>,
  ): Promise<UpdatedConsumers>;
  /**
   * Recomputes the triggers of published definitions, of all of them without ids. A definition that would be refused today
   * keeps its triggers, without affecting the others. Errors of the store are thrown.
   */
  abstract refresh(definitionIds?: readonly string[]): Promise<RefreshResult>;
}
