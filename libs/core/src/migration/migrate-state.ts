import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityMigration, MigratedChild } from '../execution/activity-migration.js';
import { propertyPlace, scheduledPlace } from '../execution/encrypted-parts.js';
import { storedProperties, withoutVariables } from '../execution/stored-properties.js';
import type { WorkflowExecutionContext } from '../execution/workflow-execution-context.js';
import type { ActivityNode } from '../graph/activity-node.js';
import type { WorkflowGraph } from '../graph/workflow-graph.js';
import type { ActivityExecutionContextState, CompletionCallbackState, WorkflowState } from '../state/workflow-state.js';
import { EncryptedValue } from '../values/encrypted-value.js';
import { deserialize, serialize } from '../values/storage-codec.js';
import { Counterparts } from './counterparts.js';
import { findProblems, unknownNames } from './find-problems.js';
import { moveKeptStart } from './migrate-kept-start.js';
import { CompensationMigration, entryLists } from './migrate-compensations.js';
import { VariableMigration } from './migrate-variables.js';
import type { ActivityReference, MigrationMapping, MigrationProblem, MigrationReport } from './migration-report.js';

/** The state of an instance for another version, with the report of the migration. */
export interface MigratedState {
  /** The state, to be restored with the graph of the other version. Do not use it if the report has problems. */
  readonly state: WorkflowState;
  /** What was moved, and the problems that prevent the migration. */
  readonly report: MigrationReport;
}

/**
 * Converts the state of an instance that waits or has failed to another version: executions, bookmarks, callbacks and values
 * keep their ids and name the activities and variables of that version. Nothing runs.
 * @param wec the instance, restored from `state` by the version that it has
 */
export function migrateState(
  wec: WorkflowExecutionContext,
  state: WorkflowState,
  to: WorkflowGraph,
  mapping: MigrationMapping = {},
): MigratedState {
  const steps = new StateMigration(wec, state, to, mapping).steps();
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** The same with pauses for other work, in which neither `wec` nor `state` may change: for instances with thousands of branches. */
export async function migrateInParts(
  wec: WorkflowExecutionContext,
  state: WorkflowState,
  to: WorkflowGraph,
  mapping: MigrationMapping | undefined,
  pause: () => Promise<void> | undefined,
): Promise<MigratedState> {
  await pause();
  const steps = new StateMigration(wec, state, to, mapping ?? {}).steps();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await pause();
  }
}

/** Executions, or what belongs to them, that are moved without a pause: some milliseconds. */
const PART = 500;

function* mapped<From, To>(items: readonly From[], move: (item: From) => To): Generator<void, To[]> {
  const moved: To[] = [];
  for (const item of items) {
    moved.push(move(item));
    if (moved.length % PART === 0) yield;
  }
  return moved;
}

class StateMigration {
  private readonly counterparts: Counterparts;
  private readonly variables: VariableMigration;
  private readonly compensations: CompensationMigration;
  private readonly problems: MigrationProblem[] = [];
  private readonly notes: string[] = [];
  private readonly restored: ReadonlyMap<string, ActivityExecutionContext>;
  private readonly tags = new Map<string, unknown>();

  constructor(
    private readonly wec: WorkflowExecutionContext,
    private readonly state: WorkflowState,
    private readonly to: WorkflowGraph,
    private readonly mapping: MigrationMapping,
  ) {
    this.counterparts = new Counterparts(wec.graph, to, mapping.activities);
    this.variables = new VariableMigration(mapping.variables ?? {}, this.counterparts.of);
    this.compensations = new CompensationMigration(this.counterparts);
    const contexts = [...wec.contexts.values(), ...(wec.rootContext ? [wec.rootContext] : [])];
    this.restored = new Map(contexts.map((ctx) => [ctx.id, ctx]));
  }

  /** Other work may be done where it yields. */
  *steps(): Generator<void, MigratedState> {
    const { state } = this;
    yield;
    this.problems.push(
      ...unknownNames(this.wec.graph, this.to, this.mapping),
      ...findProblems(this.wec, state, this.counterparts),
    );
    const { problem, triggerActivityId } = moveKeptStart(state, this.counterparts);
    if (problem) this.problems.push(problem);
    yield;
    yield* mapped(state.activityExecutionContexts, (context) => {
      const ctx = this.restored.get(context.id);
      if (ctx) this.variables.move(ctx, context);
    });
    this.problems.push(...this.variables.problems);
    const bookmarks = yield* mapped(state.bookmarks, (bookmark) => {
      const node = this.counterpartOf(bookmark.activityInstanceId);
      return node ? { ...bookmark, ...referenceTo(node) } : bookmark;
    });
    const compensated = yield* mapped(state.activityExecutionContexts, (context) => {
      const input = this.compensations.input(context.input);
      const properties = this.compensations.properties(context.properties);
      return { ...context, properties, ...(input && { input }) };
    });
    const scheduled = state.scheduledActivities.map((each) => {
      const input = this.compensations.input(each.input);
      return input ? { ...each, input } : each;
    });
    this.problems.push(...this.compensations.problems);
    const contexts = yield* mapped(compensated, (context) => this.moveContext(context));
    const moved: WorkflowState = {
      ...state,
      bookmarks,
      incidents: yield* mapped(state.incidents, (incident) => {
        const node = this.counterparts.ofNodeId(incident.activityNodeId);
        return node ? { ...incident, ...referenceTo(node) } : incident;
      }),
      activityExecutionContexts: yield* mapped(contexts, (context) =>
        this.tags.has(context.id) ? { ...context, tag: this.tags.get(context.id) } : context,
      ),
      completionCallbacks: yield* mapped(state.completionCallbacks, (callback) => this.moveCallback(callback)),
      scheduledActivities: scheduled.map((each) => this.moveScheduled(each)),
    };
    if (triggerActivityId !== undefined) moved.triggerActivityId = triggerActivityId;
    else delete moved.triggerActivityId;
    yield;
    return { state: moved, report: this.report() };
  }

  private moveContext(context: ActivityExecutionContextState): ActivityExecutionContextState {
    const ctx = this.restored.get(context.id);
    const node = ctx && this.counterparts.of(ctx.node);
    if (!node) return context;
    const { Variables: _old, ...properties } = context.properties;
    const values = this.variables.valuesOf(context.id);
    const own = this.problems.length === 0 ? this.ownProperties(ctx, node, properties) : properties;
    return {
      ...context,
      scheduledActivityNodeId: node.nodeId,
      ...(context.ownerActivityNodeId !== undefined && {
        ownerActivityNodeId: ctx.parent && this.counterparts.of(ctx.parent.node)?.nodeId,
      }),
      properties: values || context.properties.Variables ? { ...own, Variables: values ?? {} } : own,
    };
  }

  /** What the activity itself has stored: it is asked when all of its children have a counterpart. */
  private ownProperties(
    ctx: ActivityExecutionContext,
    to: ActivityNode,
    stored: Record<string, unknown>,
  ): Record<string, unknown> {
    const activity = to.createActivity();
    if (!activity.onMigrated) return stored;
    const active = ctx.activeChildren?.list() ?? [];
    const children = active.map((child): MigratedChild => ({
      from: child.node,
      to: this.counterparts.of(child.node)!,
      tag: child.tag,
    }));
    const properties = deserialize<Record<string, unknown>>(serialize(ctx.properties));
    const migration: ActivityMigration = {
      from: ctx.node,
      to,
      activity: ctx.node.createActivity(),
      properties,
      children,
      counterpartOf: this.counterparts.of,
      refuse: (reason) => {
        const message = `'${ctx.node.id}' (${ctx.node.type}) cannot continue from its current position: ${reason}. Let it proceed first, or publish a version that has what it needs.`;
        this.problems.push({ code: 'ContainerState', message, activityId: ctx.node.id, activityInstanceId: ctx.id });
      },
      note: (text) => void this.notes.push(text),
    };
    activity.onMigrated(migration);
    children.forEach(({ tag }, index) => {
      const child = active[index]!;
      if (tag !== child.tag) this.tags.set(child.id, tag);
    });
    const before = withoutVariables(stored);
    for (const [name, value] of Object.entries(properties))
      if (before[name] instanceof EncryptedValue && !(value instanceof EncryptedValue))
        properties[name] = this.wec.vault.seal(value, propertyPlace(ctx.id, name));
    return { ...storedProperties(properties), ...entryLists(stored) };
  }

  private moveCallback(callback: CompletionCallbackState): CompletionCallbackState {
    const { childInstanceId, childNodeId } = callback;
    const node =
      childInstanceId === undefined ? this.counterparts.ofNodeId(childNodeId) : this.counterpartOf(childInstanceId);
    const isRetagged = childInstanceId !== undefined && this.tags.has(childInstanceId);
    return {
      ...callback,
      childNodeId: node?.nodeId ?? childNodeId,
      ...(isRetagged && { tag: this.tags.get(childInstanceId) }),
    };
  }

  private moveScheduled(scheduled: WorkflowState['scheduledActivities'][number]) {
    const { activityNodeId, variables } = scheduled;
    const nodeId = this.counterparts.ofNodeId(activityNodeId)?.nodeId ?? activityNodeId;
    if (nodeId === activityNodeId) return scheduled;
    const moved = variables?.map(({ definition, value }) => {
      const opened = this.wec.vault.open(value, () => scheduledPlace(activityNodeId, definition.id));
      const isSealed = value instanceof EncryptedValue && !(opened instanceof EncryptedValue);
      return {
        definition,
        value: isSealed ? this.wec.vault.seal(opened, scheduledPlace(nodeId, definition.id)) : value,
      };
    });
    return { ...scheduled, activityNodeId: nodeId, ...(moved && { variables: moved }) };
  }

  private report(): MigrationReport {
    const { state, to, problems, notes } = this;
    const placeOf = (activityInstanceId: string) => {
      const node = this.counterpartOf(activityInstanceId);
      return node ? { to: referenceTo(node) } : {};
    };
    const running = [...this.restored.values()].filter((ctx) => !ctx.isFinal);
    return {
      workflowInstanceId: state.id,
      definitionId: state.definitionId,
      fromVersion: state.definitionVersion,
      toVersion: to.definition.version,
      isPossible: problems.length === 0,
      problems,
      waits: state.bookmarks.map(({ id, name, activityId, activityNodeId, activityInstanceId, dueAt }) => ({
        bookmarkId: id,
        name,
        activityId,
        activityNodeId,
        activityInstanceId,
        ...(dueAt && { dueAt }),
        ...placeOf(activityInstanceId),
      })),
      activities: running.map(({ id, node }) => ({
        activityInstanceId: id,
        activityType: node.type,
        ...referenceTo(node),
        ...placeOf(id),
      })),
      variables: this.variables.moved,
      notes,
    };
  }

  private counterpartOf(activityInstanceId: string): ActivityNode | undefined {
    const ctx = this.restored.get(activityInstanceId);
    return ctx && this.counterparts.of(ctx.node);
  }
}

function referenceTo({ id, nodeId }: ActivityNode): ActivityReference {
  return { activityId: id, activityNodeId: nodeId };
}
