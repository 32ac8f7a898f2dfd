import { Injectable } from '@nestjs/common';
import {
  compileWorkflow,
  findReferences,
  normalizeActivity,
  type WorkflowDefinition,
  type WorkflowGraph,
  type WorkflowReference,
} from '@waymark/core';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import type { DefinitionFilter, LoadedDefinition } from '../persistence/definition-store.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { CodeWorkflows } from '../code-first/code-workflows.js';
import { LruCache } from './definition-cache.js';
import { DefinitionNotFoundError } from './definition-errors.js';
import type { WorkflowDefinitionHandle } from './definition-handle.js';
import { IWorkflowDefinitionService } from './definition-services.js';

/** Graphs kept compiled; the rest is compiled again when needed. */
const GRAPHS = 1000;
const DEFINITIONS = 2000;
const PLACEHOLDER = 'Elsa.NotFoundActivity';

@Injectable()
export class WorkflowDefinitionService extends IWorkflowDefinitionService {
  /** By version id; a version never changes once it is published, and drafts are evicted with every change. */
  private readonly graphs = new LruCache<{ graph: Promise<WorkflowGraph>; registryVersion: number }>(GRAPHS);
  private readonly found = new LruCache<LoadedDefinition>(DEFINITIONS);

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly engine: WorkflowEngine,
    private readonly code: CodeWorkflows,
  ) {
    super();
  }

  async find(handle: WorkflowDefinitionHandle): Promise<LoadedDefinition | undefined> {
    const key = typeof handle === 'string' ? `=${handle}` : JSON.stringify(handle);
    const cached = this.found.get(key);
    if (cached) return cached;
    const definition = await this.persistence.definitions.find(filterOf(handle));
    if (definition) this.found.set(key, definition);
    return definition;
  }

  async require(handle: WorkflowDefinitionHandle): Promise<LoadedDefinition> {
    const definition = await this.find(handle);
    if (!definition) throw new DefinitionNotFoundError(handle);
    return definition;
  }

  graph(definitionVersionId: string): Promise<WorkflowGraph> {
    const registryVersion = this.engine.activities.version;
    const cached = this.graphs.get(definitionVersionId);
    if (cached?.registryVersion === registryVersion) return cached.graph;
    const graph = this.require({ definitionVersionId }).then((definition) => this.compile(definition));
    this.graphs.set(definitionVersionId, { graph, registryVersion });
    // A failure is not kept: the next caller tries again.
    graph.catch(() => this.graphs.delete(definitionVersionId));
    return graph;
  }

  async compile(definition: WorkflowDefinition): Promise<WorkflowGraph> {
    const known = new Map<string, WorkflowDefinition | undefined>();
    await this.loadReferences(definition, known);
    return compileWorkflow(this.code.withFunctions(this.restored(definition)), {
      registry: this.engine.activities,
      expressions: this.engine.expressions,
      types: this.engine.types,
      logPersistenceMode: this.engine.runner.engine.logPersistenceMode,
      resolveWorkflow: (reference) => {
        const inner = known.get(keyOf(reference));
        return inner && this.code.withFunctions(inner);
      },
    });
  }

  /** Activities that were unknown when the definition was stored come back once their type is registered. */
  private restored(definition: WorkflowDefinition): WorkflowDefinition {
    if (!JSON.stringify(definition.root).includes(PLACEHOLDER)) return definition;
    const { activities: registry, types, newId, expressions } = this.engine;
    return { ...definition, root: normalizeActivity(definition.root, { registry, types, newId, expressions }) };
  }

  evict(): void {
    this.graphs.clear();
    this.found.clear();
  }

  /** Loads all workflows used as activities, at any depth. */
  private async loadReferences(
    definition: WorkflowDefinition,
    known: Map<string, WorkflowDefinition | undefined>,
  ): Promise<void> {
    for (const reference of findReferences(definition.root)) {
      const key = keyOf(reference);
      if (known.has(key)) continue;
      const inner = await this.resolve(reference);
      known.set(key, inner);
      if (inner) await this.loadReferences(inner, known);
    }
  }

  /** By version id, else the version given, else the published one, else the latest. */
  private async resolve({
    definitionVersionId,
    definitionId,
    version,
  }: WorkflowReference): Promise<WorkflowDefinition | undefined> {
    const byVersionId = definitionVersionId && (await this.find({ definitionVersionId }));
    if (byVersionId || !definitionId) return byVersionId || undefined;
    return (
      (version !== undefined && (await this.find({ definitionId, versionOptions: version }))) ||
      (await this.find({ definitionId, versionOptions: 'Published' })) ||
      (await this.find({ definitionId, versionOptions: 'Latest' }))
    );
  }
}

function keyOf({ definitionId, definitionVersionId, version }: WorkflowReference): string {
  return `${definitionVersionId ?? ''}|${definitionId ?? ''}|${version ?? ''}`;
}

function filterOf(handle: WorkflowDefinitionHandle): DefinitionFilter {
  if (typeof handle === 'string') return { definitionId: handle, versionOptions: 'Published' };
  if ('definitionVersionId' in handle) return { id: handle.definitionVersionId };
  return { definitionId: handle.definitionId, versionOptions: handle.versionOptions ?? 'Published' };
}
