import { isWaymarkError, pascalize, replaceReferences, type WorkflowDefinition } from '@waymark/core';
import type { WorkflowClock } from '../clock/workflow-clock.js';
import { DefinitionInvalidError } from '../services/definition-errors.js';
import type { IWorkflowDefinitionService } from '../services/definition-services.js';
import { type DefinitionValidator, storeProblem } from '../definitions/definition-validator.js';
import type { WorkflowActivities } from '../definitions/workflow-activities.js';
import type { WorkflowEngine } from '../engine/workflow-engine.js';
import type { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import { DefinitionChanged, WorkflowEvent } from '../events/workflow-events.js';
import type { DefinitionChange, LoadedDefinition } from '../persistence/definition-store.js';
import type { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { triggerChange } from '../triggers/trigger-indexer.js';
import { UsedWorkflowNotFoundError } from './code-first-errors.js';
import { codeProblems } from './code-problems.js';
import { chooseVersion, CODE_PROPERTY, type CodeVersion } from './code-version.js';
import { type CodeWorkflow, type UsedWorkflow, usedWorkflow } from './code-workflow.js';
import { CODE_MATERIALIZER } from '../definitions/code-workflows.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

const MAX_CONFLICTS = 10;

/** Brings the store in line with a workflow in code. Several nodes may do so at once: one writes, the others find it done. */
export class CodeWorkflowStore {
  private readonly logger = new WorkflowLogger('Workflow');

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly validator: DefinitionValidator,
    private readonly activities: WorkflowActivities,
    private readonly events: WorkflowEventEmitter,
    private readonly engine: WorkflowEngine,
    private readonly clock: WorkflowClock,
  ) {}

  /**
   * Stores the workflow as a version of its definition. Nothing is written when it is there already.
   * @param isCurrent true: that version is to be the published one
   * @throws DefinitionInvalidError, WorkflowVersionChangedError, UsedWorkflowNotFoundError
   */
  async ensure(workflow: CodeWorkflow, isCurrent: boolean): Promise<LoadedDefinition> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.tryEnsure(workflow, isCurrent);
      } catch (error) {
        if (!isWaymarkError(error, 'WM7001') || attempt >= MAX_CONFLICTS) throw error;
      }
    }
  }

  private async tryEnsure(workflow: CodeWorkflow, isCurrent: boolean): Promise<LoadedDefinition> {
    const { definitionId, content } = workflow;
    const used = await this.findUsed(workflow);
    const problems = codeProblems(content, this.engine);
    if (problems.length > 0) throw new DefinitionInvalidError(definitionId, problems);
    const { items: stored } = await this.persistence.definitions.findMany({ definitionId });
    const uses = Object.fromEntries([...used].map(([key, { id }]) => [key, id]));
    const choice = chooseVersion(workflow, uses, stored);
    if (choice.kind === 'stored') {
      const { revision, ...row } = choice.definition;
      return row.isPublished || !isCurrent ? choice.definition : this.publish(row, revision, stored);
    }
    const row = this.toRow(workflow, choice.version, used, stored);
    return isCurrent ? this.publish(row, undefined, stored) : this.insert(row, stored);
  }

  /** The versions that used workflows have now. */
  private async findUsed({ definitionId, uses }: CodeWorkflow): Promise<Map<string, LoadedDefinition>> {
    const used = new Map<string, LoadedDefinition>();
    for (const use of uses) {
      const found = await this.persistence.definitions.find({
        definitionId: use.definitionId,
        versionOptions: use.version ?? 'Published',
      });
      if (!found?.options.usableAsActivity)
        throw new UsedWorkflowNotFoundError(definitionId, use.definitionId, use.version);
      used.set(keyOf(use), found);
    }
    return used;
  }

  private toRow(
    { content, fingerprint, declaredVersion }: CodeWorkflow,
    version: number,
    used: ReadonlyMap<string, LoadedDefinition>,
    stored: readonly LoadedDefinition[],
  ): WorkflowDefinition {
    const uses = Object.fromEntries([...used].map(([key, { id }]) => [key, id]));
    const code: CodeVersion = { fingerprint, uses, ...(declaredVersion === undefined ? {} : { declaredVersion }) };
    const root = replaceReferences(content.root, (reference) => {
      const use = usedWorkflow(reference);
      const found = use && used.get(keyOf(use));
      return (
        found && {
          definitionVersionId: found.id,
          version: found.version,
          type: pascalize(found.name || found.definitionId),
        }
      );
    });
    return {
      ...content,
      id: `${content.definitionId}:v${version}`,
      version,
      createdAt: new Date(this.clock.now()),
      isLatest: stored.every((d) => d.version < version),
      isPublished: false,
      isReadonly: true,
      materializerName: CODE_MATERIALIZER,
      providerName: CODE_MATERIALIZER,
      customProperties: { ...content.customProperties, [CODE_PROPERTY]: code },
      root,
    };
  }

  /** An older version, whose code is there for the instances that still run on it. */
  private async insert(definition: WorkflowDefinition, stored: readonly LoadedDefinition[]): Promise<LoadedDefinition> {
    const saved = [{ definition, expectedRevision: undefined }, ...withoutFlags(definition, stored)];
    await this.persistence.definitions.apply({ saved, deletedIds: [], addedTriggers: [], removedTriggerIds: [] });
    return this.announce(definition, 'stored');
  }

  /** In one transaction with its triggers, which are announced by whoever starts the node. */
  private async publish(
    row: WorkflowDefinition,
    expectedRevision: number | undefined,
    stored: readonly LoadedDefinition[],
  ): Promise<LoadedDefinition> {
    const definition = { ...row, isPublished: true };
    const { problems, triggers } = await this.validator.validate(definition);
    if (!triggers) throw new DefinitionInvalidError(definition.definitionId, problems);
    const saved = [{ definition, expectedRevision }, ...withoutFlags(definition, stored)];
    try {
      await this.persistence.definitions.apply({ saved, deletedIds: [], ...triggerChange(triggers) });
    } catch (error) {
      const problem = storeProblem(error);
      throw problem ? new DefinitionInvalidError(definition.definitionId, [problem]) : error;
    }
    return this.announce(definition, 'published');
  }

  private async announce({ id, definitionId, version }: WorkflowDefinition, what: string): Promise<LoadedDefinition> {
    await this.activities.refresh([definitionId]).finally(() => this.definitions.evict([definitionId]));
    const loaded = await this.definitions.require({ definitionVersionId: id });
    this.logger.log(`Workflow '${definitionId}': version ${version} is ${what}, as the code has it.`);
    if (loaded.isPublished) await this.events.emit(WorkflowEvent.DefinitionPublished, new DefinitionChanged(loaded));
    return loaded;
  }
}

const keyOf = ({ definitionId, version }: UsedWorkflow): string =>
  version === undefined ? definitionId : `${definitionId}@${version}`;

/** Versions that give up being published or the latest to that one. */
function withoutFlags(definition: WorkflowDefinition, stored: readonly LoadedDefinition[]): DefinitionChange['saved'] {
  const { id, isPublished, isLatest } = definition;
  return stored
    .filter((d) => d.id !== id && ((isPublished && d.isPublished) || (isLatest && d.isLatest)))
    .map(({ revision, ...d }) => ({
      definition: { ...d, isPublished: d.isPublished && !isPublished, isLatest: d.isLatest && !isLatest },
      expectedRevision: revision,
    }));
}
