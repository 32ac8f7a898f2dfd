import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { isWaymarkError, type WorkflowDefinition } from '@waymark/core';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { loopTurns } from '../event-loop/loop-turns.js';
import { WorkflowEvent } from '../events/workflow-events.js';
import { afterCommit } from '../persistence/after-commit.js';
import { type DefinitionChange, type LoadedDefinition, unusedRevision } from '../persistence/definition-store.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import { repeatOnConflict } from '../persistence/repeat-on-conflict.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { triggerChange } from '../triggers/trigger-indexer.js';
import { ITriggerIndexer } from '../services/trigger-services.js';
import { DeletionsUnderWay } from './deletions-under-way.js';
import { publishedBy } from './code-version-facts.js';
import { completeDraft } from './complete-draft.js';
import { hasSameContent } from './has-same-content.js';
import { ConsumerFollowing, consumersIn } from './consumer-following.js';
import { ConsumerUpdater, isFollowed } from './consumer-updater.js';
import {
  ConsumerInvalidError,
  DefinitionNotFoundError,
  requireDefinitionId,
  DefinitionReadonlyError,
} from '../services/definition-errors.js';
import {
  type DefinitionDraft,
  type DefinitionProblem,
  type DeleteOptions,
  IWorkflowDefinitionPublisher,
  IWorkflowDefinitionService,
  type PublishResult,
  type RefreshResult,
  type RetractedDefinitions,
  type SaveOptions,
  type UpdatedConsumers,
  type ValidatedDefinition,
} from '../services/definition-services.js';
import { DefinitionValidator, storeProblem } from './definition-validator.js';
import { placed } from './placed-problems.js';
import { refreshFailure } from './refresh-failure.js';
import { requireExpected } from './require-expected.js';
import { requireFewActivities } from './require-few-activities.js';
import { DefinitionRemoval } from './definition-removal.js';
import { DefinitionWrites } from './definition-writes.js';

const NO_TRIGGERS = { addedTriggers: [], removedTriggerIds: [] };

type SavedRow = DefinitionChange['saved'][number];
interface PublishRowOptions extends Pick<SaveOptions, 'requestedBy'> {
  readonly isAmongConsumers?: boolean;
}
/** A draft as a row to be stored. */
interface Prepared {
  readonly row: SavedRow;
  /** The latest version as it is stored, which is replaced or followed; undefined for a new definition. */
  readonly latest: LoadedDefinition | undefined;
}

/**
 * A definition may have ten thousand activities: to check, to store and to read one takes a tenth of a second each. Between
 * two of them others get their turn.
 */
@Injectable()
export class WorkflowDefinitionPublisher extends IWorkflowDefinitionPublisher {
  private readonly logger = new WorkflowLogger('Workflow');

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly validator: DefinitionValidator,
    private readonly indexer: ITriggerIndexer,
    private readonly consumersOf: ConsumerUpdater,
    private readonly following: ConsumerFollowing,
    private readonly writes: DefinitionWrites,
    private readonly removal: DefinitionRemoval,
    private readonly deletions: DeletionsUnderWay,
    private readonly engine: WorkflowEngine,
    private readonly clock: WorkflowClock,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {
    super();
    consumersOf.saveWith((draft, made) => this.saveConsumer(draft, made));
  }

  saveDraft(draft: DefinitionDraft, options: SaveOptions = {}): Promise<LoadedDefinition> {
    return repeatOnConflict(async () => {
      const { row, latest } = await this.prepare(draft, options);
      if (options.unlessSame && latest?.isPublished && hasSameContent(row.definition, latest)) return latest;
      await this.deletions.requireNone(row.definition);
      const followed = latest && latest.id !== row.definition.id ? [this.notLatest(latest)] : [];
      await this.writes.apply({ saved: [row, ...followed], deletedIds: [], ...NO_TRIGGERS });
      return this.writes.stored(row.definition, WorkflowEvent.DefinitionDraftSaved);
    });
  }

  saveAndPublish(draft: DefinitionDraft, options: SaveOptions = {}): Promise<PublishResult> {
    return repeatOnConflict(async () => this.publishRow(await this.prepare(draft, options), options));
  }

  publish(
    definitionId: string,
    { over, requestedBy }: Pick<SaveOptions, 'over' | 'requestedBy'> = {},
  ): Promise<PublishResult> {
    return repeatOnConflict(async () => {
      const latest = await this.writes.requireLatest(definitionId);
      requireExpected(definitionId, latest, over);
      if (latest.isPublished) {
        const consumers = consumersIn(await this.following.follow(latest, { requestedBy }));
        return { succeeded: true, definition: latest, alreadyPublished: true, problems: [], ...consumers };
      }
      const { revision, ...definition } = latest;
      return this.publishRow({ row: { definition, expectedRevision: revision }, latest }, { requestedBy });
    });
  }

  retract(definitionId: string, options: Pick<SaveOptions, 'over'> = {}): Promise<LoadedDefinition> {
    return this.removal.retract(definitionId, options);
  }

  retractMany(definitionIds: readonly string[]): Promise<RetractedDefinitions> {
    return this.removal.retractMany(definitionIds);
  }

  async revert(
    definitionId: string,
    version: number,
    { over }: Pick<SaveOptions, 'over'> = {},
  ): Promise<LoadedDefinition> {
    return repeatOnConflict(async () => {
      requireDefinitionId(definitionId);
      const old = await this.persistence.definitions.find({ definitionId, versionOptions: version });
      if (!old) throw new DefinitionNotFoundError({ definitionId, versionOptions: version });
      const latest = await this.writes.requireLatest(definitionId);
      requireExpected(definitionId, latest, over);
      const { revision: _, ...content } = old;
      const definition = {
        ...content,
        id: this.engine.newId(),
        version: latest.version + 1,
        // A new version, although its content is old: lists are sorted by it.
        createdAt: new Date(this.clock.now()),
        isLatest: true,
        isPublished: false,
      };
      await this.deletions.requireNone(definition);
      await this.writes.apply({
        saved: [{ definition, expectedRevision: undefined }, this.notLatest(latest)],
        deletedIds: [],
        ...NO_TRIGGERS,
      });
      return this.writes.stored(definition, WorkflowEvent.DefinitionDraftSaved);
    });
  }

  delete(definitionIds: readonly string[], options: DeleteOptions = {}): Promise<number> {
    return this.removal.delete(definitionIds, options);
  }

  deleteVersions(versionIds: readonly string[], options: DeleteOptions = {}): Promise<number> {
    return this.removal.deleteVersions(versionIds, options);
  }

  async validate(draft: DefinitionDraft): Promise<ValidatedDefinition> {
    requireFewActivities(draft.root, this.engine.activities, this.options.maxActivities);
    const definition: WorkflowDefinition = {
      ...completeDraft(draft, draft.definitionId || this.engine.newId()),
      id: draft.id ?? this.engine.newId(),
      version: draft.version ?? 1,
      createdAt: new Date(this.clock.now()),
      isPublished: true,
    };
    const { problems, warnings } = await this.validator.validate(definition, true);
    return { problems: placed(problems, definition, this.engine), warnings: placed(warnings, definition, this.engine) };
  }

  consumers(definitionId: string): Promise<string[]> {
    return this.consumersOf.find(definitionId);
  }

  async updateReferences(
    definitionId: string,
    { requestedBy }: Pick<SaveOptions, 'requestedBy'> = {},
  ): Promise<UpdatedConsumers> {
    requireDefinitionId(definitionId);
    const published = await this.persistence.definitions.find({ definitionId, versionOptions: 'Published' });
    if (!published) {
      await this.writes.requireLatest(definitionId);
      return { updated: [], failures: [] };
    }
    return this.following.follow(published, { requestedBy });
  }

  async refresh(definitionIds?: readonly string[]): Promise<RefreshResult> {
    const all =
      definitionIds ??
      (await this.persistence.definitions.findVersions({ versionOptions: 'Published' })).map((d) => d.definitionId);
    const result: RefreshResult = { refreshed: [], notFound: [], failed: [] };
    this.definitions.evict(definitionIds);
    for (const definitionId of all) {
      // Stores may answer without leaving the process.
      const turn = loopTurns.goOn();
      if (turn) await turn;
      try {
        await this.indexer.indexTriggers(definitionId);
        result.refreshed.push(definitionId);
      } catch (error) {
        if (isWaymarkError(error, 'WM1020')) result.notFound.push(definitionId);
        else result.failed.push(refreshFailure(definitionId, error));
      }
    }
    for (const { definitionId, message } of result.failed)
      this.logger.warn(`The triggers of workflow '${definitionId}' were left unchanged: ${message}`);
    return result;
  }

  // ----- steps -----

  private async prepare(draft: DefinitionDraft, { keepId = false, over, complete }: SaveOptions): Promise<Prepared> {
    const definitionId = draft.definitionId || this.engine.newId();
    const latest = await this.persistence.definitions.find({ definitionId, versionOptions: 'Latest' });
    if (latest?.isReadonly) throw new DefinitionReadonlyError(definitionId);
    requireExpected(definitionId, latest, over);
    await nextTurn();
    requireFewActivities(draft.root, this.engine.activities, this.options.maxActivities);
    const base = completeDraft(latest && complete ? complete(draft, latest) : draft, definitionId);
    if (latest && !latest.isPublished) {
      const { id, version, createdAt, revision } = latest;
      return { row: { definition: { ...base, id, version, createdAt }, expectedRevision: revision }, latest };
    }
    const kept = keepId ? await this.freeId(draft.id) : undefined;
    const { id = this.engine.newId(), firstRevision } = kept ?? {};
    const definition = { ...base, id, version: (latest?.version ?? 0) + 1, createdAt: new Date(this.clock.now()) };
    return { row: { definition, expectedRevision: undefined, firstRevision }, latest };
  }

  /**
   * The version id of a file, unless a version has it. One that had it may be deleted: other nodes, and clients with its tag, know it at
   * revisions that this one must not have.
   */
  private async freeId(id: string | undefined): Promise<{ id: string; firstRevision: number } | undefined> {
    const { definitions } = this.persistence;
    if (!id || (await definitions.findVersions({ id })).length > 0) return undefined;
    return { id, firstRevision: await unusedRevision(definitions) };
  }

  private notLatest({ revision, ...definition }: LoadedDefinition): SavedRow {
    return { definition: { ...definition, isLatest: false }, expectedRevision: revision };
  }

  /**
   * Publishes a row in one transaction with its triggers, and with a message that leads to what follows it; a problem leaves everything as
   * it was.
   * @param options `isAmongConsumers`: what follows it is moved by the publish that moved it
   */
  private async publishRow(
    { row, latest }: Prepared,
    { isAmongConsumers = false, requestedBy }: PublishRowOptions,
  ): Promise<PublishResult> {
    const ofThisDeployment = publishedBy(row.definition, this.options.deployment);
    const definition = { ...ofThisDeployment, isPublished: true, isLatest: true };
    const failed = (problems: readonly DefinitionProblem[]): PublishResult => ({
      succeeded: false,
      definition: { ...row.definition, revision: row.expectedRevision ?? 0 },
      alreadyPublished: false,
      problems,
      updatedConsumers: [],
    });
    const { problems, warnings, triggers } = await this.validator.validate(definition);
    await nextTurn();
    if (!triggers) return failed(problems);
    const retracted = (await this.publishedBefore(latest)).map(({ revision, ...d }) => ({
      definition: { ...d, isPublished: false, isLatest: false },
      expectedRevision: revision,
    }));
    const saved = [{ ...row, definition }, ...retracted];
    await this.deletions.requireNone(definition);
    const follows = !isAmongConsumers && isFollowed(definition);
    const message = follows ? await this.following.prepare(definition, requestedBy) : undefined;
    const messages = message && [message];
    try {
      await this.writes.apply({ saved, deletedIds: [], ...triggerChange(triggers), messages }, [triggers]);
    } catch (error) {
      const problem = storeProblem(error);
      if (problem) return failed([problem]);
      throw error;
    }
    const stored = await this.writes.stored(definition, WorkflowEvent.DefinitionPublished);
    for (const { message } of warnings)
      this.logger.warn(`Workflow '${stored.definitionId}', version ${stored.version}: ${message}`);
    const followed = message && (await afterCommit(() => this.following.follow(stored, { message, requestedBy })));
    const consumers = consumersIn(followed);
    return { succeeded: true, definition: stored, alreadyPublished: false, problems: [], warnings, ...consumers };
  }

  /** What a publish retracts. Nothing is read twice: whatever became of the latest version since, its revision tells. */
  private async publishedBefore(latest: LoadedDefinition | undefined): Promise<readonly LoadedDefinition[]> {
    if (!latest) return [];
    if (latest.isPublished) return [latest];
    const { definitionId } = latest;
    const published = await this.persistence.definitions.findMany({ definitionId, versionOptions: 'Published' });
    return published.items.filter(({ id }) => id !== latest.id);
  }

  private async saveConsumer(draft: DefinitionDraft, made: LoadedDefinition): Promise<LoadedDefinition | undefined> {
    const options = { over: [made] };
    try {
      if (!made.isPublished) return await this.saveDraft(draft, options);
      const result = await repeatOnConflict(async () =>
        this.publishRow(await this.prepare(draft, options), { isAmongConsumers: true }),
      );
      if (!result.succeeded) throw new ConsumerInvalidError(made.definitionId, result.problems);
      return result.definition;
    } catch (error) {
      // A consumer that is being deleted stays as it is.
      if (isWaymarkError(error, 'WM7023')) return undefined;
      throw error;
    }
  }
}
