import { type Constructor, type WorkflowExecutionContext, type WorkflowState } from '@waymark/core';
import { deserialize, serialize } from '@waymark/core/adapter';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { WorkflowClock } from '../../clock/workflow-clock.js';
import { DefinitionValidator } from '../../definitions/definition-validator.js';
import { WorkflowActivities } from '../../definitions/workflow-activities.js';
import { WorkflowDefinitionService } from '../../definitions/workflow-definition-service.js';
import { SignedUrls } from '../../urls/signed-urls.js';
import { DefaultWorkflowEngine } from '../../engine/default-workflow-engine.js';
import { WorkflowEventEmitter } from '../../events/workflow-event-emitter.js';
import { WorkflowEvent, type DefinitionChanged } from '../../events/workflow-events.js';
import { resolveRuntimeOptions } from '../../options/resolve-runtime-options.js';
import type { WorkflowRuntimeOptions } from '../../options/runtime-options.js';
import { UnreadableWork } from '../../outages/unreadable-work.js';
import { MemoryPersistence } from '../../persistence/memory/memory-persistence.js';
import { TriggerIndexer } from '../../triggers/trigger-indexer.js';
import { CodeWorkflowRegistrar } from '../code-workflow-registrar.js';
import { CodeWorkflows } from '../../definitions/code-workflows.js';

class FixedClock extends WorkflowClock {
  now(): number {
    return Date.UTC(2026, 0, 1);
  }

  setTimer(): () => void {
    return () => {};
  }
}

/** One process of a cluster, with one state of the code. Nodes share their persistence. */
export class CodeFirstNode {
  readonly lines: string[] = [];
  readonly published: string[] = [];
  readonly code = new CodeWorkflows();
  readonly engine: DefaultWorkflowEngine;
  readonly definitions: WorkflowDefinitionService;
  readonly activities: WorkflowActivities;
  private readonly registrar: CodeWorkflowRegistrar;

  constructor(
    readonly persistence = new MemoryPersistence(),
    activityClasses: readonly (new () => object)[] = [],
    more: WorkflowRuntimeOptions = {},
  ) {
    const clock = new FixedClock();
    const options = resolveRuntimeOptions({ ...more, writeLine: (text) => void this.lines.push(text) });
    this.engine = new DefaultWorkflowEngine(options, clock, new SignedUrls(clock), null);
    for (const type of activityClasses) this.engine.activities.registerClass(type as Constructor, new type());
    const emitter = new EventEmitter2();
    emitter.on(WorkflowEvent.DefinitionPublished, ({ definition }: DefinitionChanged) =>
      this.published.push(definition.id),
    );
    const events = new WorkflowEventEmitter(emitter, clock);
    this.definitions = new WorkflowDefinitionService(persistence, this.engine, this.code, { maxActivities: 10_000 });
    const indexer = new TriggerIndexer(persistence, this.definitions, this.engine, events);
    const validator = new DefinitionValidator(this.engine, indexer, { getProviders: () => [] } as never);
    this.activities = new WorkflowActivities(persistence, this.engine, new UnreadableWork(clock));
    this.registrar = new CodeWorkflowRegistrar(
      this.code,
      persistence,
      this.definitions,
      validator,
      this.activities,
      events,
      this.engine,
      clock,
      options,
    );
  }

  /** Starts the node with these workflow classes. */
  async start(...classes: readonly (new () => object)[]): Promise<this> {
    await this.activities.refreshAll();
    await this.registrar.registerAll({
      find: <T extends object>(selects: (type: Constructor) => boolean) =>
        classes.filter(selects).map((type) => ({ type: type as unknown as Constructor<T>, instance: new type() as T })),
    });
    return this;
  }

  /** Versions of a definition with their flags, e.g. `v2 published latest`. */
  async versions(definitionId: string): Promise<string[]> {
    const { items } = await this.persistence.definitions.findMany(
      { definitionId },
      { by: 'Version', direction: 'Ascending' },
    );
    return items.map((d) =>
      [`v${d.version}`, d.isPublished && 'published', d.isLatest && 'latest'].filter(Boolean).join(' '),
    );
  }

  /** Runs one burst: of a new instance, or of a stored one from its first bookmark. */
  async run(versionId: string, stored?: string, change?: (wec: WorkflowExecutionContext) => void) {
    const graph = await this.definitions.graph(versionId);
    const state = stored === undefined ? undefined : deserialize<WorkflowState>(stored);
    const request = { graph, instanceId: 'instance', state, bookmarkId: change ? undefined : state?.bookmarks[0]?.id };
    const { runner } = this.engine;
    const wec = change ? runner.create(request) : await runner.run(request);
    if (change) {
      change(wec);
      await runner.drain(wec);
    }
    const after = runner.extract(wec);
    return { state: after, stored: serialize(after) };
  }
}
