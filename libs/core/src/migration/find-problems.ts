import { BACKGROUND_BOOKMARK } from '../execution/background-activity.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { findCallback } from '../execution/callback-methods.js';
import type { WorkflowExecutionContext } from '../execution/workflow-execution-context.js';
import type { ActivityNode } from '../graph/activity-node.js';
import type { WorkflowGraph } from '../graph/workflow-graph.js';
import type { WorkflowState } from '../state/workflow-state.js';
import type { Counterparts } from './counterparts.js';
import type { MigrationMapping, MigrationProblem } from './migration-report.js';

const NOT_FOUND_TYPE = 'Elsa.NotFoundActivity';

/** So many are named: each instance that a plan selects stores what was said of it. */
const MAX_UNKNOWN = 20;

/** Names of a mapping that a version does not have, the first of them: a typing error must not look like a migration that was done. */
export function unknownNames(from: WorkflowGraph, to: WorkflowGraph, mapping: MigrationMapping): MigrationProblem[] {
  const problems: MigrationProblem[] = [];
  const unknown = (message: string) => problems.push({ code: 'UnknownMapping', message });
  const isFull = () => problems.length >= MAX_UNKNOWN;
  const hasActivity = (graph: WorkflowGraph, name: string) =>
    graph.findByNodeId(name) !== undefined || graph.findById(name).length > 0;
  for (const [name, target] of Object.entries(mapping.activities ?? {})) {
    if (isFull()) break;
    if (!hasActivity(from, name))
      unknown(`The mapping names activity '${name}', which version ${from.definition.version} does not have.`);
    if (!hasActivity(to, target))
      unknown(`The mapping names activity '${target}', which version ${to.definition.version} does not have.`);
  }
  const [before, after] = [variableNames(from), variableNames(to)];
  for (const [name, target] of Object.entries(mapping.variables ?? {})) {
    if (isFull()) break;
    if (!before.has(name))
      unknown(`The mapping names variable '${name}', which version ${from.definition.version} does not have.`);
    if (target !== null && !after.has(target))
      unknown(`The mapping names variable '${target}', which version ${to.definition.version} does not have.`);
  }
  return problems;
}

function variableNames({ nodes }: WorkflowGraph): ReadonlySet<string> {
  return new Set(
    nodes.flatMap(({ variables, nestedWorkflow }) => [
      ...variables.flatMap(({ id, name }) => [id, name]),
      ...(nestedWorkflow?.inputNames ?? []),
      ...(nestedWorkflow?.outputs.map(({ name }) => name) ?? []),
    ]),
  );
}

/** What keeps the executions of an instance from continuing as those of another version. */
export function findProblems(
  wec: WorkflowExecutionContext,
  state: WorkflowState,
  counterparts: Counterparts,
): MigrationProblem[] {
  const problems: MigrationProblem[] = [];
  const takenBy = new Map<ActivityNode, ActivityNode>();
  const contexts = wec.contexts.values();
  const lost = state.activityExecutionContexts.filter(
    ({ id }) => id !== wec.rootContext?.id && wec.contexts.get(id) === undefined,
  );
  for (const { id, scheduledActivityNodeId } of lost)
    problems.push({
      code: 'NoCounterpart',
      message: `'${scheduledActivityNodeId}' runs or waits, and is not even part of the version that the instance has. Migrate it to the version in which it began to wait.`,
      activityInstanceId: id,
    });
  for (const ctx of contexts) {
    if (ctx.isFinal) continue;
    const problem = problemOf(ctx, counterparts, takenBy);
    if (problem) problems.push({ ...problem, activityId: ctx.node.id, activityInstanceId: ctx.id });
  }
  for (const { activityNodeId } of state.scheduledActivities)
    if (!counterparts.ofNodeId(activityNodeId)) {
      const node = wec.graph.findByNodeId(activityNodeId);
      const message = node
        ? counterparts.describeMissing(node)
        : `'${activityNodeId}' is scheduled and is part of neither version.`;
      problems.push({ code: 'NoCounterpart', message });
    }
  return [...problems, ...missingMethods(wec, state, counterparts), ...backgroundProblems(wec, counterparts)];
}

function problemOf(
  { node, parent }: ActivityExecutionContext,
  counterparts: Counterparts,
  takenBy: Map<ActivityNode, ActivityNode>,
): Pick<MigrationProblem, 'code' | 'message'> | undefined {
  const to = counterparts.of(node);
  if (!to)
    // That of its container is said there.
    return parent && !counterparts.of(parent.node)
      ? {
          code: 'NoCounterpart',
          message: `'${node.id}' (${node.type}) runs or waits in '${parent.node.id}', which has no counterpart.`,
        }
      : { code: 'NoCounterpart', message: counterparts.describeMissing(node) };
  const [type, other] = [typeOf(node), typeOf(to)];
  if (type !== other)
    return {
      code: 'OtherType',
      message: `'${node.id}' is of type ${type}, and '${to.id}' of the other version is of type ${other}. Map it to an activity of its own type.`,
    };
  if (to.type === NOT_FOUND_TYPE)
    return {
      code: 'OtherType',
      message: `Activity type ${other} of '${to.id}' is not known to this node. Register the class that implements it.`,
    };
  const taken = takenBy.get(to);
  if (taken && taken !== node)
    return {
      code: 'Ambiguous',
      message: `'${taken.id}' and '${node.id}' would both become '${to.id}'. Map one of them to another activity.`,
    };
  takenBy.set(to, node);
  return undefined;
}

/** Of one whose class is gone: what the definition says. */
export function typeOf(node: ActivityNode): string {
  if (node.type !== NOT_FOUND_TYPE) return node.type;
  return (node.createActivity() as { missingTypeName?: string }).missingTypeName ?? node.type;
}

/** Callbacks are stored by name: another version of an activity type may not have them any more. */
function missingMethods(
  wec: WorkflowExecutionContext,
  state: WorkflowState,
  counterparts: Counterparts,
): MigrationProblem[] {
  const problems: MigrationProblem[] = [];
  const check = (activityInstanceId: string, method: string | undefined) => {
    const ctx = wec.contexts.get(activityInstanceId);
    const to = ctx && counterparts.of(ctx.node);
    // Of another type it is refused already.
    if (!to || method === undefined || to.type === NOT_FOUND_TYPE || typeOf(ctx.node) !== typeOf(to)) return;
    if (findCallback(to.registration.provider, method)) return;
    const message = `'${ctx.node.id}' waits for its method '${method}', which version ${to.version} of type ${to.type} does not have.`;
    problems.push({ code: 'OtherType', message, activityId: ctx.node.id, activityInstanceId });
  };
  for (const bookmark of state.bookmarks) check(bookmark.activityInstanceId, bookmark.callbackMethodName);
  for (const { ownerInstanceId, methodName } of state.completionCallbacks) check(ownerInstanceId, methodName);
  return problems;
}

/** What runs in the background brings its result under the names that it knows; under others it would be lost. */
function backgroundProblems(wec: WorkflowExecutionContext, counterparts: Counterparts): MigrationProblem[] {
  const problems: MigrationProblem[] = [];
  for (const { name, activityInstanceId } of wec.bookmarks.values()) {
    const ctx = name === BACKGROUND_BOOKMARK ? wec.contexts.get(activityInstanceId) : undefined;
    if (!ctx) continue;
    const refuse = (what: string) =>
      problems.push({
        code: 'BackgroundWork',
        message: `'${ctx.node.id}' runs in the background, and ${what}. Wait until it has ended, or cancel it.`,
        activityId: ctx.node.id,
        activityInstanceId,
      });
    const to = counterparts.of(ctx.node);
    if (to && to.nodeId !== ctx.node.nodeId && ctx.node.children.length > 0)
      refuse('may start activities in it, whose place would change');
    for (let at: ActivityExecutionContext | undefined = ctx; at; at = at.parent) {
      const declared = new Set(counterparts.of(at.node)?.variables.map(({ id }) => id));
      const own = new Set(at.node.variables);
      for (const { variable, dynamic } of at.slots ?? []) {
        const isNested = at.node.nestedWorkflow !== undefined && !own.has(variable);
        if (!dynamic && !isNested && !declared.has(variable.id))
          refuse(`may set variable '${variable.name}', whose id the other version does not have there`);
      }
    }
  }
  return problems;
}
