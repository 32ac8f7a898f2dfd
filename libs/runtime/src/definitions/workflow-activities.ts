import { Injectable } from '@nestjs/common';
import { type ActivityRegistration, registerWorkflowActivity } from '@waymark/core/adapter';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import type { DefinitionVersion, LoadedDefinition } from '../persistence/definition-store.js';
import { inChunks } from '../persistence/in-chunks.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/** Definitions that are read at once: the event loop gets its turn in between. */
const CHUNK = 50;

interface Known {
  readonly definitionId: string;
  readonly revision: number;
  readonly registration: ActivityRegistration;
}

/** Keeps the activity registry in step with the workflows that are usable as activities. */
@Injectable()
export class WorkflowActivities {
  /** What is registered, by version id. */
  private readonly known = new Map<string, Known>();
  private readonly versionsOf = new Map<string, Set<string>>();
  private current: Promise<void> = Promise.resolve();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly engine: WorkflowEngine,
  ) {}

  /** Of all definitions: at start-up, and when nothing is known of what another node changed. */
  refreshAll(): Promise<void> {
    return this.afterTheOthers(async () => {
      const stored = await this.persistence.definitions.findVersions({ usableAsActivity: true });
      await this.follow([...this.known.keys()], stored);
    });
  }

  /** All versions of these definitions. Read is only what differs from what is registered. */
  refresh(definitionIds: readonly string[]): Promise<void> {
    return this.afterTheOthers(async () => {
      const filter = { definitionIds, usableAsActivity: true };
      const stored = await this.persistence.definitions.findVersions(filter);
      await this.follow(
        definitionIds.flatMap((id) => [...(this.versionsOf.get(id) ?? [])]),
        stored,
      );
    });
  }

  /** One after the other: the older of two answers must not have the last word. */
  private afterTheOthers(task: () => Promise<void>): Promise<void> {
    return (this.current = this.current.catch(() => undefined).then(task));
  }

  private async follow(before: readonly string[], stored: readonly DefinitionVersion[]): Promise<void> {
    const there = new Set(stored.map(({ id }) => id));
    for (const id of before) if (!there.has(id)) this.forget(id);
    const changed = stored.filter(({ id, revision }) => this.known.get(id)?.revision !== revision);
    await inChunks(changed, CHUNK, async (chunk) => {
      const { items } = await this.persistence.definitions.findMany({ ids: chunk.map(({ id }) => id) });
      for (const definition of items) this.replace(definition);
    });
  }

  private replace(definition: LoadedDefinition): void {
    const { id, definitionId, revision } = definition;
    this.forget(id);
    if (definition.options.usableAsActivity !== true) return;
    const registration = registerWorkflowActivity(this.engine.activities, definition);
    this.known.set(id, { definitionId, revision, registration });
    addTo(this.versionsOf, definitionId, id);
  }

  private forget(id: string): void {
    const known = this.known.get(id);
    if (!known) return;
    this.known.delete(id);
    removeFrom(this.versionsOf, known.definitionId, id);
    this.engine.activities.remove(known.registration);
  }
}

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set) set.add(value);
  else sets.set(key, new Set([value]));
}

function removeFrom(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  set?.delete(value);
  if (set?.size === 0) sets.delete(key);
}
