import { ActivityRegistry } from '../../activities/activity-registry.js';
import type { Constructor } from '../../activities/decorators.js';
import { registerCoreActivities } from '../../builder/core-activities.js';
import { registerWorkflowActivity } from '../../control-flow/workflow-activity.js';
import type { ActivityJson, WorkflowDefinition } from '../../definitions/workflow-definition.js';
import { builtinExpressions } from '../../expressions/builtin-expressions.js';
import { ExpressionRegistry } from '../../expressions/expression-registry.js';
import { compileWorkflow } from '../../graph/compile-workflow.js';
import type { WorkflowGraph } from '../../graph/workflow-graph.js';
import { migrateState } from '../../migration/migrate-state.js';
import type { MigrationMapping, MigrationReport } from '../../migration/migration-report.js';
import { createDefaultTypeRegistry } from '../../values/default-types.js';
import { deserialize, serialize } from '../../values/storage-codec.js';
import type { EngineOptions } from '../engine-options.js';
import { extractResting, mayRest } from '../extract-resting.js';
import type { WorkflowExecutionContext } from '../workflow-execution-context.js';
import type { BurstRequest } from '../burst-request.js';
import { WorkflowRunner } from '../workflow-runner.js';
import type { Bookmark, WorkflowState } from '../../state/workflow-state.js';
import { workflow } from './build-definition.js';
import { TestEvent } from './event.js';
import { atRest, TestPart } from './resting-parts.js';

export interface TestOptions extends Partial<EngineOptions> {
  /** Activity classes besides the core ones; they are made without arguments. */
  readonly activities?: readonly (new () => object)[];
  /** Workflows that may be used as activities. */
  readonly children?: readonly WorkflowDefinition[];
  /** If false, the first burst continues in the same context, without storing in between. @default true */
  readonly isStored?: boolean;
  /** If true, bursts restore only what they need of a state, where that is possible. @default false */
  readonly rests?: boolean;
}

/** An engine for tests: virtual time, ids in order, lines collected, every state stored as text between bursts. */
export class WorkflowTest {
  readonly lines: string[] = [];
  readonly warnings: string[] = [];
  readonly runner: WorkflowRunner;
  readonly registry = new ActivityRegistry();
  private readonly types = createDefaultTypeRegistry();
  private readonly expressions = new ExpressionRegistry(builtinExpressions);
  private readonly children: readonly WorkflowDefinition[];
  private nextId = 1;
  nowMs = Date.UTC(2026, 0, 1);

  constructor(readonly options: TestOptions = {}) {
    registerCoreActivities(this.registry);
    for (const type of [TestEvent, ...(options.activities ?? [])])
      this.registry.registerClass(type as Constructor, new type());
    this.children = options.children ?? [];
    for (const child of this.children) registerWorkflowActivity(this.registry, child);
    this.runner = new WorkflowRunner(
      {
        clock: { now: () => this.nowMs++ } as EngineOptions['clock'],
        newId: () => `id-${this.nextId++}`,
        hash: (text) => text,
        writeLine: (text) => void this.lines.push(text),
        warn: (message) => void this.warnings.push(message),
        ...options,
      },
      this.types,
    );
  }

  compile(definition: WorkflowDefinition): WorkflowGraph {
    return compileWorkflow(definition, {
      registry: this.registry,
      expressions: this.expressions,
      types: this.types,
      resolveWorkflow: (by) => this.children.find((d) => d.id === by.definitionVersionId),
    });
  }

  /** Runs the first burst of a new instance. */
  async start(given: WorkflowDefinition | ActivityJson, request: Partial<BurstRequest> = {}): Promise<TestInstance> {
    const graph = this.compile(
      'root' in given && 'definitionId' in given ? (given as WorkflowDefinition) : workflow(given as ActivityJson),
    );
    const instance = new TestInstance(this, graph);
    await instance.run(request);
    return instance;
  }
}

/** One instance, from burst to burst. */
export class TestInstance {
  /** Context of the last burst. */
  context: WorkflowExecutionContext;
  private stored: string | undefined;
  private isAtRest = false;
  /** Parts of the stored state that the last burst has read. */
  reads = 0;

  constructor(
    readonly test: WorkflowTest,
    readonly graph: WorkflowGraph,
  ) {}

  get lines(): string[] {
    return this.test.lines;
  }

  get state(): WorkflowState {
    return deserialize<WorkflowState>(this.stored!);
  }

  get status(): string {
    return this.context.subStatus;
  }

  get bookmarks(): Bookmark[] {
    return [...this.context.bookmarks.values()];
  }

  /** Runs one burst from what was stored. */
  async run(request: Partial<BurstRequest>): Promise<this> {
    const { runner, options } = this.test;
    TestPart.reads = 0;
    if (options.isStored === false && this.context) await this.goOn(request);
    else {
      const state = this.stored === undefined ? undefined : this.isAtRest ? atRest(this.state) : this.state;
      this.context = await runner.run({ graph: this.graph, instanceId: 'instance', state, ...request });
    }
    this.isAtRest = options.rests === true && mayRest(this.context, 0);
    const state = this.isAtRest ? extractResting(this.context) : runner.extract(this.context);
    this.reads = TestPart.reads;
    this.stored = serialize(state);
    return this;
  }

  /** Resumes a further bookmark in the burst before, and stores both at once. */
  async resumeNext(bookmarkId: string, input?: BurstRequest['input']): Promise<void> {
    const { runner } = this.test;
    const request = { graph: this.graph, instanceId: 'instance', bookmarkId, input, state: this.state };
    await runner.resumeNext(this.context, request);
    runner.recordChanged(this.context);
    this.isAtRest = false;
    this.stored = serialize(runner.extract(this.context));
  }

  /** Resumes all bookmarks of the event, one burst each. */
  async trigger(activityId: string, payload?: unknown): Promise<this> {
    const waiting = this.bookmarks.filter((b) => b.activityId === activityId);
    if (waiting.length === 0)
      throw new Error(`nothing waits at '${activityId}', only at: ${this.waitingAt().join(', ')}`);
    for (const { id } of waiting)
      if (this.context.bookmarks.has(id)) await this.run({ bookmarkId: id, input: { Payload: payload ?? null } });
    return this;
  }

  /** Changes what is stored, as a node of another version might have. */
  edit(change: (state: WorkflowState) => void): void {
    const { state } = this;
    change(state);
    this.isAtRest = false;
    this.stored = serialize(state);
  }

  /** The instance as another version has it, from what was stored; where the report has problems, `run` is not to be used. */
  migrate(to: WorkflowDefinition, mapping?: MigrationMapping): { run: TestInstance; report: MigrationReport } {
    const { runner } = this.test;
    const { state } = this;
    const run = new TestInstance(this.test, this.test.compile(to));
    const wec = runner.create({ graph: this.graph, instanceId: 'instance', state });
    const migrated = migrateState(wec, state, run.graph, mapping);
    if (migrated.report.isPossible) {
      run.context = runner.create({ graph: run.graph, instanceId: 'instance', state: migrated.state });
      run.stored = serialize(runner.extract(run.context));
    }
    return { run, report: migrated.report };
  }

  waitingAt(): string[] {
    return this.bookmarks.map((b) => b.activityId).sort();
  }

  private async goOn({ bookmarkId, input }: Partial<BurstRequest>): Promise<void> {
    const bookmark = this.context.bookmarks.get(bookmarkId ?? '')!;
    const existing = this.context.contexts.get(bookmark.activityInstanceId)!;
    this.context.input = { ...this.context.input, ...input };
    this.context.queue.add({ node: existing.node, existing, bookmark });
    await this.test.runner.drain(this.context);
  }
}

/** Runs a definition to its first stop. */
export async function runWorkflow(
  given: WorkflowDefinition | ActivityJson,
  options: TestOptions & { request?: Partial<BurstRequest> } = {},
): Promise<TestInstance> {
  return new WorkflowTest(options).start(given, options.request);
}
