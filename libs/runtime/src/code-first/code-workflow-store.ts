import { isWaymarkError, type WorkflowDefinition } from '@waymark/core';
import { pascalize, replaceReferences } from '@waymark/core/adapter';
import type { WorkflowClock } from '../clock/workflow-clock.js';
import { isUnreadableRow, readVersionsOf } from '../definitions/readable-definitions.js';
import { DefinitionInvalidError } from '../services/definition-errors.js';
import type { IWorkflowDefinitionService } from '../services/definition-services.js';
import { type DefinitionValidator, storeProblem } from '../definitions/definition-validator.js';
import type { WorkflowActivities } from '../definitions/workflow-activities.js';
import type { WorkflowEngine } from '../engine/workflow-engine.js';
import type { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import { DefinitionChanged, WorkflowEvent } from '../events/workflow-events.js';
import {
  type DefinitionChange,
  type DefinitionFilter,
  type DefinitionVersion,
  type LoadedDefinition,
  type SavedDefinition,
  unusedRevision,
} from '../persistence/definition-store.js';
import type { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { triggerChange } from '../triggers/trigger-indexer.js';
import { UsedWorkflowNotFoundError } from './code-first-errors.js';
import { codeProblems } from './code-problems.js';
import { chooseVersion } from './code-version.js';
import type { CodeWorkflow } from './code-workflow.js';
import { keyOf, type UsedWorkflow, usedWorkflow } from './used-workflow.js';
import {
  CODE_PROPERTY,
  type CodeVersion,
  codeVersionOf,
  type DeploymentFacts,
} from '../definitions/code-version-facts.js';
import { FILE_PROVIDER } from './definition-files/file-provider.js';
import { mayReplace } from './publishing-order.js';
import { CODE_MATERIALIZER, type CodeWorkflows } from '../definitions/code-workflows.js';
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
    private readonly code: CodeWorkflows,
    private readonly deployment: DeploymentFacts | undefined,
  ) {}

  /**
   * Stores the workflow as a version of its definition. Nothing is written when it is there already.
   * @param isCurrent true: that version is to be the published one, unless a newer deployment has published another
   * @returns undefined: what is stored of it, or of a workflow that it uses, cannot be read, which is logged
   * @throws DefinitionInvalidError, WorkflowVersionChangedError, UsedWorkflowNotFoundError
   */
  async ensure(workflow: CodeWorkflow, isCurrent: boolean): Promise<LoadedDefinition | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.tryEnsure(workflow, isCurrent);
      } catch (error) {
        if (isUnreadableRow(error)) return this.leaveAsStored(workflow, error.message);
        if (!isWaymarkError(error, 'WM7001') || attempt >= MAX_CONFLICTS) throw error;
      }
    }
  }

  /** One row that cannot be read must not keep the node, with all other workflows, from starting (ADR 156). The reason says what to do. */
  private leaveAsStored({ definitionId, source }: CodeWorkflow, reason: string): undefined {
    this.logger.error(
      `Workflow '${definitionId}' (${source}) stays as it is stored, and this node publishes nothing of it: ${reason}`,
    );
  }

  private async tryEnsure(workflow: CodeWorkflow, isCurrent: boolean): Promise<LoadedDefinition | undefined> {
    const { definitionId, content } = workflow;
    const used = await this.findUsed(workflow);
    // Files may hold what stored definitions may, such as activities of types that are not registered.
    const problems = workflow.file ? [] : codeProblems(content, this.engine);
    if (problems.length > 0) throw new DefinitionInvalidError(definitionId, problems);
    const { stored, unreadable } = await readVersionsOf(this.persistence.definitions, definitionId);
    const versions = [...stored, ...unreadable.map(({ version }) => version)];
    const uses = Object.fromEntries([...used].map(([key, { id }]) => [key, id]));
    const choice = chooseVersion(workflow, uses, stored, unreadable);
    const published = stored.find((d) => d.isPublished);
    const { declaredVersion } = workflow;
    if (choice.kind === 'stored') {
      const { definition } = choice;
      if (!isCurrent) return definition;
      if (definition.isPublished) return this.noteDeployment(definition);
      const { version } = definition;
      if (!mayReplace(published, { declaredVersion, version, isNew: false }, this.deployment))
        return this.leave(definition, published!);
      const { revision, ...row } = definition;
      return this.publish(workflow, row, revision, stored);
    }
    const { version } = choice;
    const row = await this.toRow(workflow, version, used, versions);
    if (!isCurrent) return this.insert(row, stored);
    if (mayReplace(published, { declaredVersion, version, isNew: true }, this.deployment))
      return this.publish(workflow, row, undefined, stored);
    return this.leave(await this.insert(row, stored), published!);
  }

  /** Another deployment's version stays published; this one is for the instances that run on it, and for requests here. */
  private leave(definition: LoadedDefinition, { version, ...published }: LoadedDefinition): LoadedDefinition {
    const { deployment } = codeVersionOf({ ...published, version }) ?? {};
    this.logger.warn(
      `Workflow '${definition.definitionId}': this node has version ${definition.version}, and version ${version} stays published` +
        `${deployment ? `, by deployment '${deployment.id}'` : ''}: it may be newer. To publish this one, deploy with a higher ` +
        "'order' in the option 'deployment' of WorkflowModule.",
    );
    return definition;
  }

  /** The published version is this node's, too: from now on older deployments do not replace it. */
  private async noteDeployment(loaded: LoadedDefinition): Promise<LoadedDefinition> {
    const { deployment } = this;
    const code = codeVersionOf(loaded)!;
    if (!deployment || deployment.order <= (code.deployment?.order ?? -Infinity)) return loaded;
    const { revision, ...row } = loaded;
    const definition = this.ofThisDeployment(row);
    const saved = [{ definition, expectedRevision: revision }];
    await this.persistence.definitions.apply({ saved, deletedIds: [], addedTriggers: [], removedTriggerIds: [] });
    this.definitions.evict([loaded.definitionId]);
    return this.definitions.require({ definitionVersionId: loaded.id });
  }

  private ofThisDeployment(definition: WorkflowDefinition): WorkflowDefinition {
    const { deployment: _, ...code } = codeVersionOf(definition)!;
    const noted: CodeVersion = this.deployment ? { ...code, deployment: this.deployment } : code;
    return { ...definition, customProperties: { ...definition.customProperties, [CODE_PROPERTY]: noted } };
  }

  /** The versions of the workflows that it uses. */
  private async findUsed({ definitionId, uses }: CodeWorkflow): Promise<Map<string, LoadedDefinition>> {
    const used = new Map<string, LoadedDefinition>();
    for (const use of uses) {
      const found = await this.persistence.definitions.find(this.filterOf(use));
      if (!found?.options.usableAsActivity)
        throw new UsedWorkflowNotFoundError(definitionId, use.definitionId, use.version);
      used.set(keyOf(use), found);
    }
    return used;
  }

  /** The version that this node's code is comes first: another one may be published by a newer deployment. */
  private filterOf({ definitionId, version }: UsedWorkflow): DefinitionFilter {
    const [own] = this.code.versionsOf(definitionId);
    if (version === undefined && own !== undefined) return { id: own };
    return { definitionId, versionOptions: version ?? 'Published' };
  }

  private async toRow(
    { content, structure, fingerprint, declaredVersion, file }: CodeWorkflow,
    version: number,
    used: ReadonlyMap<string, LoadedDefinition>,
    versions: readonly DefinitionVersion[],
  ): Promise<WorkflowDefinition> {
    const uses = Object.fromEntries([...used].map(([key, { id }]) => [key, id]));
    const code: CodeVersion = {
      fingerprint,
      structure,
      uses,
      ...(declaredVersion === undefined ? {} : { declaredVersion }),
    };
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
      id: (await this.freeId(file?.versionId, content.definitionId, versions)) ?? `${content.definitionId}:v${version}`,
      version,
      createdAt: new Date(this.clock.now()),
      isLatest: versions.every((d) => d.version < version),
      isPublished: false,
      isReadonly: true,
      materializerName: file ? 'Json' : CODE_MATERIALIZER,
      providerName: file ? FILE_PROVIDER : CODE_MATERIALIZER,
      customProperties: { ...content.customProperties, [CODE_PROPERTY]: code },
      root,
    };
  }

  /** The version id that a file states, unless another version has it. Of nodes that start at once, one inserts it. */
  private async freeId(
    id: string | undefined,
    definitionId: string,
    versions: readonly DefinitionVersion[],
  ): Promise<string | undefined> {
    if (id === undefined || versions.some((d) => d.id === id)) return undefined;
    const [other] = await this.persistence.definitions.findVersions({ id });
    return other && other.definitionId !== definitionId ? undefined : id;
  }

  /** An older version, whose code is there for the instances that still run on it. */
  private async insert(definition: WorkflowDefinition, stored: readonly LoadedDefinition[]): Promise<LoadedDefinition> {
    const saved = [await this.newRow(definition), ...withoutFlags(definition, stored)];
    await this.persistence.definitions.apply({ saved, deletedIds: [], addedTriggers: [], removedTriggerIds: [] });
    return this.announce(definition, 'stored');
  }

  /** Its id is that of its code or file: a version that is deleted may have had it. */
  private async newRow(definition: WorkflowDefinition): Promise<SavedDefinition> {
    const firstRevision = await unusedRevision(this.persistence.definitions);
    return { definition, expectedRevision: undefined, firstRevision };
  }

  /** In one transaction with its triggers, which are announced when the node starts. */
  private async publish(
    { file, source }: CodeWorkflow,
    content: WorkflowDefinition,
    expectedRevision: number | undefined,
    stored: readonly LoadedDefinition[],
  ): Promise<LoadedDefinition> {
    const definition = { ...this.ofThisDeployment(content), isPublished: true };
    const { problems, warnings, triggers } = await this.validator.validate(definition);
    if (!triggers) throw new DefinitionInvalidError(definition.definitionId, problems);
    const row = expectedRevision === undefined ? await this.newRow(definition) : { definition, expectedRevision };
    const saved = [row, ...withoutFlags(definition, stored)];
    try {
      await this.persistence.definitions.apply({ saved, deletedIds: [], ...triggerChange(triggers) });
    } catch (error) {
      const problem = storeProblem(error);
      throw problem ? new DefinitionInvalidError(definition.definitionId, [problem]) : error;
    }
    for (const { message } of warnings)
      this.logger.warn(
        `Workflow '${definition.definitionId}', version ${definition.version}${file ? `, in ${source}` : ''}: ${message}`,
      );
    return this.announce(definition, 'published');
  }

  private async announce({ id, definitionId, version }: WorkflowDefinition, what: string): Promise<LoadedDefinition> {
    await this.activities.refresh([definitionId]).finally(() => this.definitions.evict([definitionId]));
    const loaded = await this.definitions.require({ definitionVersionId: id });
    const from = loaded.providerName === FILE_PROVIDER ? 'its file' : 'the code';
    this.logger.log(`Workflow '${definitionId}': version ${version} is ${what}, as in ${from}.`);
    if (loaded.isPublished) await this.events.emit(WorkflowEvent.DefinitionPublished, new DefinitionChanged(loaded));
    return loaded;
  }
}

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
