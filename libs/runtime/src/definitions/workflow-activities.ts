import { Injectable } from '@nestjs/common';
import { type ActivityRegistration, registerWorkflowActivity } from '@waymark/core/adapter';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import type { DefinitionVersion, LoadedDefinition } from '../persistence/definition-store.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import { UnreadableWork } from '../outages/unreadable-work.js';
import { isUnreadableHere } from '../outbox/refused-by-node.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { readDefinitions, type UnreadableDefinition } from './readable-definitions.js';

interface Known {
  readonly definitionId: string;
  readonly revision: number;
  readonly registration: ActivityRegistration;
}

/** Keeps the activity registry in step with the workflows that are usable as activities. */
@Injectable()
export class WorkflowActivities {
  private readonly logger = new WorkflowLogger('WorkflowRuntime');
  /** What is registered, by version id. */
  private readonly known = new Map<string, Known>();
  private readonly versionsOf = new Map<string, Set<string>>();
  private current: Promise<void> = Promise.resolve();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly engine: WorkflowEngine,
    private readonly unreadable: UnreadableWork,
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
    const read = (definition: LoadedDefinition): void => this.replace(definition);
    for (const version of await readDefinitions(this.persistence.definitions, changed, read)) this.report(version);
  }

  /** What was registered of it before stays: the content is read anew wherever it is used, and says then why it cannot be. */
  private report({ version: { definitionId, version }, error }: UnreadableDefinition): void {
    const message = `Version ${version} of workflow '${definitionId}', which is usable as an activity, cannot be read: ${error.message}`;
    if (isUnreadableHere(error)) this.unreadable.note(message);
    else this.logger.error(message);
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
