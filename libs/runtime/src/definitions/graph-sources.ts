import type { ActivityRegistry } from '@waymark/core/adapter';
import type { LoadedDefinition } from '../persistence/definition-store.js';

interface Source {
  readonly id: string;
  readonly revision: number;
  /** Whether it is this version for as long as its row stays as it is. */
  readonly isFixed: boolean;
}

/** Whether a version is stored as it was read. */
export type IsSame = (version: { readonly id: string; readonly revision: number }) => boolean;

/** What a graph was compiled from: when none of it has changed, the graph is as good as a new one. */
export class GraphSources {
  /** Gives the types to the compiler, and notes which it asks for. */
  readonly registry: Pick<ActivityRegistry, 'find' | 'findWorkflow'>;
  /** By definition id; none for a definition that was not there. */
  private readonly definitions = new Map<string, Source[]>();
  private readonly types = new Set<string>();
  private readonly registryVersion: number;
  private onAllTypes = false;
  private onAllDefinitions = false;

  constructor(activities: ActivityRegistry) {
    this.registryVersion = activities.version;
    this.registry = {
      find: (typeName, version) => {
        this.types.add(typeName);
        return activities.find(typeName, version);
      },
      findWorkflow: (by) => {
        const found = activities.findWorkflow(by);
        if (found) this.types.add(found.descriptor.typeName);
        return found;
      },
    };
  }

  addVersion(definition: LoadedDefinition, isFixed: boolean): LoadedDefinition {
    const { definitionId, id, revision } = definition;
    const sources = this.definitions.get(definitionId) ?? [];
    this.definitions.set(definitionId, [...sources, { id, revision, isFixed }]);
    return definition;
  }

  /** A definition of which no version is there. */
  addMissing(definitionId: string): void {
    const sources = this.definitions.get(definitionId) ?? [];
    this.definitions.set(definitionId, [...sources, { id: '', revision: 0, isFixed: false }]);
  }

  dependOnAllTypes(): void {
    this.onAllTypes = true;
  }

  dependOnAllDefinitions(): void {
    this.onAllDefinitions = true;
  }

  /** No type that it uses has come, gone or changed since. */
  agreeWith(activities: ActivityRegistry): boolean {
    if (this.onAllTypes) return activities.version === this.registryVersion;
    return [...this.types].every((type) => activities.revisionOf(type) <= this.registryVersion);
  }

  /** Ids of the versions of these definitions that it was compiled from. */
  versionsOf(definitionIds: Iterable<string>): string[] {
    return [...definitionIds].flatMap((id) => this.definitions.get(id) ?? []).map(({ id }) => id);
  }

  /** Whether a change of these definitions may be one of the graph. @param isSame of their versions */
  areAmong(changed: ReadonlySet<string>, isSame: IsSame): boolean {
    if (this.onAllDefinitions) return true;
    for (const [definitionId, sources] of this.definitions)
      if (changed.has(definitionId) && !sources.every((s) => s.isFixed && isSame(s))) return true;
    return false;
  }
}
