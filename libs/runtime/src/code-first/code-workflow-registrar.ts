import { Inject, Injectable } from '@nestjs/common';
import { CircularWorkflowError, type Constructor } from '@waymark/core';
import { endsBurst } from '@waymark/core/adapter';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { IWorkflowDefinitionService } from '../services/definition-services.js';
import { DefinitionValidator } from '../definitions/definition-validator.js';
import { WorkflowActivities } from '../definitions/workflow-activities.js';
import type { ActivityExplorer } from '../discovery/activity-explorer.js';
import { DefinitionFiles } from './definition-files/definition-files.js';
import type { FileWorkflow } from './definition-files/file-workflow.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import type { LoadedDefinition } from '../persistence/definition-store.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { DuplicateWorkflowError } from './code-first-errors.js';
import { buildCodeWorkflow, type CodeWorkflow, definitionIdOf } from './code-workflow.js';
import { CodeWorkflowStore } from './code-workflow-store.js';
import { readDefinitions } from '../definitions/readable-definitions.js';
import { CODE_MATERIALIZER, CodeWorkflows } from '../definitions/code-workflows.js';
import { codeWorkflowOptions, type WorkflowBuilder } from './workflow-decorator.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

/** Makes definitions of the workflow classes among the providers, and of definition files, when the application starts. */
@Injectable()
export class CodeWorkflowRegistrar {
  private readonly logger = new WorkflowLogger('Workflow');

  private readonly store: CodeWorkflowStore;
  private readonly files: DefinitionFiles;

  constructor(
    private readonly code: CodeWorkflows,
    private readonly persistence: WorkflowPersistence,
    private readonly definitions: IWorkflowDefinitionService,
    validator: DefinitionValidator,
    activities: WorkflowActivities,
    events: WorkflowEventEmitter,
    private readonly engine: WorkflowEngine,
    clock: WorkflowClock,
    @Inject(RUNTIME_OPTIONS)
    {
      deployment,
      definitionFolders,
      maxActivities,
    }: Pick<ResolvedRuntimeOptions, 'deployment' | 'definitionFolders' | 'maxActivities'>,
  ) {
    this.files = new DefinitionFiles(persistence, engine, definitionFolders, maxActivities);
    this.store = new CodeWorkflowStore(
      persistence,
      definitions,
      validator,
      activities,
      events,
      engine,
      clock,
      code,
      deployment,
    );
  }

  /**
   * Builds all before it stores the first, so that a mistake in one changes nothing. An error keeps the application from
   * starting: a deployment whose workflows cannot run must not look healthy.
   */
  async registerAll(explorer: Pick<ActivityExplorer, 'find'>): Promise<void> {
    const found = explorer.find<Partial<WorkflowBuilder>>(
      (type) => codeWorkflowOptions(type) !== undefined,
      'Workflow',
    );
    const classes: CodeWorkflow[] = [];
    // Several modules may provide the same class.
    for (const [type, instance] of new Map(found.map((f) => [f.type, f.instance])))
      classes.push(await this.build(type, instance));
    const current = currentVersions(classes);
    const files = await this.files.readAll(classes);
    for (const file of files) current.add(file);
    const inOrder = usedFirst<CodeWorkflow | FileWorkflow>([...classes, ...files]);
    for (const workflow of classes) this.code.register(workflow.definitionId, workflow);
    // What was compiled before had no functions.
    this.definitions.evict();
    const stored: LoadedDefinition[] = [];
    for (const workflow of inOrder) {
      if ('reread' in workflow) {
        await this.files.ensure(workflow, this.store);
        continue;
      }
      const definition = await this.store.ensure(workflow, current.has(workflow));
      if (!definition) continue;
      this.code.bind(workflow.definitionId, workflow.declaredVersion, definition.id);
      stored.push(definition);
    }
    // What was compiled meanwhile may have taken functions of another version.
    this.definitions.evict();
    await this.reportMissingCode();
    await this.reportMissingKeys(stored);
    await this.files.reportRemoved(files);
  }

  /** An error of the class itself, such as a member of undefined, does not say which of many workflows it is about. */
  private async build(type: Constructor, instance: Partial<WorkflowBuilder>): Promise<CodeWorkflow> {
    try {
      return await buildCodeWorkflow(type, instance);
    } catch (error) {
      this.logger.error(`Workflow "${definitionIdOf(type)}" (class ${type.name}) cannot be built.`);
      throw error;
    }
  }

  /** What wants encryption is refused when it runs: an operator learns of it before a client does. */
  private async reportMissingKeys(stored: readonly LoadedDefinition[]): Promise<void> {
    if (this.engine.runner.engine.cipher) return;
    const ids = new Set<string>();
    for (const { id, definitionId } of stored)
      try {
        if ((await this.definitions.graph(id)).usesEncryption) ids.add(definitionId);
      } catch (error) {
        // One that does not compile says so when it is run.
        if (endsBurst(error)) throw error;
      }
    if (ids.size === 0) return;
    this.logger.warn(
      `Workflows from code encrypt values, but this host has no keys: '${[...ids].join("', '")}'. They fail with ` +
        "WM3043 when they start or resume. Set the option 'encryption' of WorkflowModule.",
    );
  }

  /** Tells an operator beforehand which workflows and instances will be stopped by code that is gone. */
  private async reportMissingCode(): Promise<void> {
    const { definitions } = this.persistence;
    const incomplete: LoadedDefinition[] = [];
    const versions = await definitions.findVersions({ materializerName: CODE_MATERIALIZER });
    // A version that cannot be read must not keep the node from starting. Its error is reported where it is used.
    await readDefinitions(definitions, versions, (d) => {
      if (this.code.missing(d).length > 0) incomplete.push(d);
    });
    const count = (ids: readonly string[]): Promise<number> =>
      this.persistence.instances.count({ definitionVersionIds: ids, statuses: ['Running'] });
    const isAnyRunning = incomplete.length > 0 && (await count(incomplete.map((d) => d.id))) > 0;
    for (const definition of incomplete) {
      const { id, definitionId, version, isPublished } = definition;
      const running = isAnyRunning ? await count([id]) : 0;
      if (running === 0 && !isPublished) continue;
      this.logger.warn(
        `Workflow '${definitionId}', version ${version}${isPublished ? ' (published)' : ''}, has ${running} running ${running === 1 ? 'instance' : 'instances'} ` +
          `and needs functions that are not loaded: ${this.code.missing(definition).join(', ')}. Its work is left to ` +
          'nodes that have them. Deploy the code of that version, too, or migrate the instances; retract workflows that are no longer needed.',
      );
    }
  }
}

/** The highest version of each workflow. @throws DuplicateWorkflowError versions that cannot be told apart */
function currentVersions(workflows: readonly CodeWorkflow[]): Set<CodeWorkflow> {
  const current = new Map<string, CodeWorkflow>();
  for (const workflow of workflows) {
    const { definitionId, declaredVersion = 0 } = workflow;
    const others = workflows.filter((w) => w !== workflow && w.definitionId === definitionId);
    if (others.some((w) => w.declaredVersion === workflow.declaredVersion || w.declaredVersion === undefined))
      throw new DuplicateWorkflowError(
        definitionId,
        [workflow, ...others].map((w) => w.source),
      );
    if (others.every((w) => (w.declaredVersion ?? 0) < declaredVersion)) current.set(definitionId, workflow);
  }
  return new Set(current.values());
}

/** A workflow after those that it uses as activities, and older versions first. @throws CircularWorkflowError */
function usedFirst<T extends CodeWorkflow>(workflows: readonly T[]): T[] {
  const ordered = new Set<T>();
  const sourceOf = (id: string): string => workflows.find((w) => w.definitionId === id)!.source;
  const visit = (definitionId: string, chain: readonly string[]): void => {
    if (chain.includes(definitionId)) {
      const circle = [...chain.slice(chain.indexOf(definitionId)), definitionId];
      throw new CircularWorkflowError(circle, circle.map(sourceOf));
    }
    const versions = workflows.filter((w) => w.definitionId === definitionId && !ordered.has(w));
    for (const workflow of versions.toSorted((a, b) => (a.declaredVersion ?? 0) - (b.declaredVersion ?? 0))) {
      for (const used of workflow.after) visit(used, [...chain, definitionId]);
      ordered.add(workflow);
    }
  };
  for (const { definitionId } of workflows) visit(definitionId, []);
  return [...ordered];
}
