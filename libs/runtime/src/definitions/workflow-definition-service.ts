import { Inject, Injectable } from '@nestjs/common';
import type { VersionOptions, WorkflowDefinition, WorkflowGraph } from '@waymark/core';
import { compileWorkflow, findReferences, normalizeActivity, type WorkflowReference } from '@waymark/core/adapter';
import { CodeWorkflows } from './code-workflows.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import type {
  DefinitionFilter,
  DefinitionStore,
  DefinitionVersion,
  LoadedDefinition,
} from '../persistence/definition-store.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { loopTurns } from '../event-loop/loop-turns.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { LruCache } from './definition-cache.js';
import { DefinitionNotFoundError } from '../services/definition-errors.js';
import { definitionIdOf, versionIdOf, type WorkflowDefinitionHandle } from '../services/definition-handle.js';
import { IWorkflowDefinitionService } from '../services/definition-services.js';
import { GraphSources, type IsSame } from './graph-sources.js';

/** Graphs kept compiled; the rest is compiled again when needed. */
const GRAPHS = 1000;
const DEFINITIONS = 2000;
/** A graph has the activities of all workflows that are used as activities, each as often as it is used, and two nodes for each use. */
const NODES_PER_ACTIVITY = 2;
const PLACEHOLDER = 'Elsa.NotFoundActivity';

interface CachedDefinition {
  readonly definition: LoadedDefinition;
  /** Whether the same version answers the look-up for as long as its row stays as it is. */
  readonly isFixed: boolean;
}

interface CachedGraph {
  readonly graph: Promise<WorkflowGraph>;
  /** Of the activity registry, when the graph was last known to agree with it. */
  registryVersion: number;
  /** Undefined until it is compiled. */
  sources?: GraphSources;
}

@Injectable()
export class WorkflowDefinitionService extends IWorkflowDefinitionService {
  /** By version id; a version never changes once it is published, and drafts are evicted with every change. */
  private readonly graphs = new LruCache<CachedGraph>(GRAPHS);
  private readonly found = new LruCache<CachedDefinition>(DEFINITIONS);
  /** Counted, so that what was read before an eviction is not kept after it. */
  private evictions = 0;

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly engine: WorkflowEngine,
    private readonly code: CodeWorkflows,
    @Inject(RUNTIME_OPTIONS) private readonly options: Pick<ResolvedRuntimeOptions, 'maxActivities'>,
  ) {
    super();
  }

  async find(
    handle: WorkflowDefinitionHandle,
    source?: Pick<DefinitionStore, 'find'>,
  ): Promise<LoadedDefinition | undefined> {
    const key = typeof handle === 'string' ? `=${handle}` : JSON.stringify(handle);
    const cached = this.found.get(key);
    if (cached) return cached.definition;
    const { evictions } = this;
    const filter = filterOf(handle);
    if (!filter) return undefined;
    // A transaction may see what was there when it began.
    if (source) return source.find(filter);
    const definition = await this.persistence.definitions.find(filter);
    if (definition && evictions === this.evictions) this.found.set(key, { definition, isFixed: isFixed(filter) });
    return definition;
  }

  async require(handle: WorkflowDefinitionHandle, source?: Pick<DefinitionStore, 'find'>): Promise<LoadedDefinition> {
    const definition = await this.find(handle, source);
    if (!definition) throw new DefinitionNotFoundError(handle);
    return definition;
  }

  graph(definitionVersionId: string): Promise<WorkflowGraph> {
    const { activities } = this.engine;
    const cached = this.graphs.get(definitionVersionId);
    if (cached && (cached.registryVersion === activities.version || cached.sources?.agreeWith(activities))) {
      cached.registryVersion = activities.version;
      return cached.graph;
    }
    const sources = new GraphSources(activities);
    const graph = this.require({ definitionVersionId }).then((definition) => {
      sources.addVersion(definition, true);
      return this.compileFrom(definition, sources);
    });
    const entry: CachedGraph = { graph, registryVersion: activities.version };
    this.graphs.set(definitionVersionId, entry);
    graph.then(
      () => (entry.sources = sources),
      // A failure is not kept: the next caller tries again.
      () => this.graphs.deleteWhere((value) => value === entry),
    );
    return graph;
  }

  compile(definition: WorkflowDefinition): Promise<WorkflowGraph> {
    return this.compileFrom(definition, new GraphSources(this.engine.activities));
  }

  evict(definitionIds?: readonly string[], stored: readonly DefinitionVersion[] = []): void {
    this.evictions++;
    if (!definitionIds) {
      this.graphs.clear();
      this.found.clear();
      return;
    }
    const revisions = new Map(stored.map(({ id, revision }) => [id, revision]));
    this.evictUnless(definitionIds, ({ id, revision }) => revisions.get(id) === revision);
  }

  override evictVersions(definitionIds: readonly string[], versionIds: readonly string[]): void {
    this.evictions++;
    const changed = new Set(versionIds);
    this.evictUnless(definitionIds, ({ id }) => !changed.has(id));
  }

  override cachedVersions(definitionIds: readonly string[]): readonly string[] {
    const wanted = new Set(definitionIds);
    const ids = new Set<string>();
    for (const { definition } of this.found.values()) if (wanted.has(definition.definitionId)) ids.add(definition.id);
    // Of graphs that are being compiled, nothing is known yet, and nothing stays.
    for (const { sources } of this.graphs.values()) for (const id of sources?.versionsOf(wanted) ?? []) ids.add(id);
    return [...ids];
  }

  private evictUnless(definitionIds: readonly string[], isSame: IsSame): void {
    const changed = new Set(definitionIds);
    this.found.deleteWhere(
      ({ definition, isFixed: stays }) => changed.has(definition.definitionId) && !(stays && isSame(definition)),
    );
    // Nothing is known yet of those that are being compiled.
    this.graphs.deleteWhere(({ sources }) => !sources || sources.areAmong(changed, isSame));
  }

  private async compileFrom(definition: WorkflowDefinition, sources: GraphSources): Promise<WorkflowGraph> {
    const known = new Map<string, WorkflowDefinition | undefined>();
    // Ten thousand activities take a tenth of a second to be read, to be looked through for placeholders, and to be compiled.
    await loopTurns.goOn();
    await this.loadReferences(definition, known, sources);
    const restored = this.restored(definition, sources);
    await loopTurns.goOn();
    const graph = compileWorkflow(this.code.withFunctions(restored), {
      registry: sources.registry,
      expressions: this.engine.expressions,
      types: this.engine.types,
      logPersistenceMode: this.engine.runner.engine.logPersistenceMode,
      maxNodes: NODES_PER_ACTIVITY * this.options.maxActivities,
      resolveWorkflow: (reference) => {
        const inner = known.get(keyOf(reference));
        return inner && this.code.withFunctions(inner);
      },
    });
    const parts = [definition, ...known.values()].filter((part) => part !== undefined);
    const lacking = parts.flatMap((part) => this.code.lacking(part, this.engine.activities));
    if (lacking.length > 0) this.code.noteIncomplete(graph, lacking);
    return graph;
  }

  /** Activities that were unknown when the definition was stored come back once their type is registered. */
  private restored(definition: WorkflowDefinition, sources: GraphSources): WorkflowDefinition {
    if (!JSON.stringify(definition.root).includes(PLACEHOLDER)) return definition;
    sources.dependOnAllTypes();
    const { activities: registry, types, newId, expressions } = this.engine;
    return { ...definition, root: normalizeActivity(definition.root, { registry, types, newId, expressions }) };
  }

  /** Loads all workflows used as activities, at any depth. */
  private async loadReferences(
    definition: WorkflowDefinition,
    known: Map<string, WorkflowDefinition | undefined>,
    sources: GraphSources,
  ): Promise<void> {
    for (const reference of findReferences(definition.root)) {
      const key = keyOf(reference);
      if (known.has(key)) continue;
      const inner = await this.resolve(reference, sources);
      known.set(key, inner);
      if (inner) await this.loadReferences(inner, known, sources);
    }
  }

  /** By version id, else the version given, else the published one, else the latest. */
  private async resolve(
    { definitionVersionId, definitionId, version }: WorkflowReference,
    sources: GraphSources,
  ): Promise<WorkflowDefinition | undefined> {
    const byVersionId = definitionVersionId && (await this.find({ definitionVersionId }));
    if (byVersionId) return sources.addVersion(byVersionId, true);
    // Of whatever definition that version will be.
    if (definitionVersionId) sources.dependOnAllDefinitions();
    if (!definitionId) return undefined;
    const byNumber = version !== undefined && (await this.find({ definitionId, versionOptions: version }));
    if (byNumber) return sources.addVersion(byNumber, true);
    const current =
      (await this.find({ definitionId, versionOptions: 'Published' })) ??
      (await this.find({ definitionId, versionOptions: 'Latest' }));
    if (current) return sources.addVersion(current, false);
    sources.addMissing(definitionId);
    return undefined;
  }
}

function keyOf({ definitionId, definitionVersionId, version }: WorkflowReference): string {
  return `${definitionVersionId ?? ''}|${definitionId ?? ''}|${version ?? ''}`;
}

/** Undefined for a handle without an id, as one that was made of an incomplete request: a filter without it matches any definition. */
function filterOf(handle: WorkflowDefinitionHandle): DefinitionFilter | undefined {
  const id = versionIdOf(handle);
  if (id !== undefined) return { id };
  const definitionId = definitionIdOf(handle);
  if (definitionId === undefined) return undefined;
  const { versionOptions = 'Published' } = handle as { readonly versionOptions?: VersionOptions };
  return { definitionId, versionOptions };
}

/** A version id, a number, the published and the latest version: another answer would change the row of this one. */
const isFixed = ({ id, versionOptions }: DefinitionFilter): boolean =>
  id !== undefined ||
  typeof versionOptions === 'number' ||
  versionOptions === 'Published' ||
  versionOptions === 'Latest';
