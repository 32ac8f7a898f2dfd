import { Injectable } from '@nestjs/common';
import { type ActivityExecutionRecord, type ActivityNode, isWaymarkError, type WorkflowGraph } from '@waymark/core';
import { camelCase } from '@waymark/core/adapter';
import { IWorkflowDefinitionService, WorkflowPersistence } from '@waymark/runtime';
import type { LoadedInstance, ValueBudget } from '@waymark/runtime/adapter';

/** Values of so many characters are shown in any case, as small ones of journals are. */
const SMALL = 1000;

/** Of one activity of a definition. */
interface Stated {
  readonly values: ReadonlyMap<string, unknown>;
  /** Characters of their JSON. */
  readonly size: number;
}

/**
 * Inputs that hold no expression, such as the variable that `SetVariable` sets: the definition states them, and every execution has
 * the same. Journals leave them out, which would repeat them for each; the reference shows them among the others.
 */
@Injectable()
export class StatedInputs {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly definitions: IWorkflowDefinitionService,
  ) {}

  /**
   * The same records, complete where the version of the instance still knows the activity, and the budget has room: a loop repeats them
   * a thousand times, and they may be as long as the definition.
   */
  async addTo(
    workflowInstanceId: string,
    records: readonly ActivityExecutionRecord[],
    budget: ValueBudget,
  ): Promise<readonly ActivityExecutionRecord[]> {
    if (!records.some(({ activityState }) => activityState)) return records;
    const one = { skip: 0, take: 1 };
    const { items } = await this.persistence.instances.findMany({ ids: [workflowInstanceId] }, undefined, one);
    const graph = items[0] && (await this.graphOf(items[0].definitionVersionId));
    return graph ? withAll(graph, records, ({ activityNodeId }) => activityNodeId, budget) : records;
  }

  /** The same instance, with the inputs of what is active. */
  async addToState(instance: LoadedInstance, budget: ValueBudget): Promise<LoadedInstance> {
    const { state } = instance;
    const graph = await this.graphOf(instance.definitionVersionId);
    if (!graph) return instance;
    const contexts = state.activityExecutionContexts;
    const activityExecutionContexts = withAll(graph, contexts, ({ scheduledActivityNodeId: id }) => id, budget);
    return { ...instance, state: { ...state, activityExecutionContexts } };
  }

  private async graphOf(definitionVersionId: string): Promise<WorkflowGraph | undefined> {
    try {
      return await this.definitions.graph(definitionVersionId);
    } catch (error) {
      // A version that was deleted, or that this host cannot run.
      if (isWaymarkError(error)) return undefined;
      throw error;
    }
  }
}

/** An execution of an activity: active, or recorded. */
interface WithInputs {
  readonly activityState?: Record<string, unknown>;
}

function withAll<T extends WithInputs>(
  graph: WorkflowGraph,
  executions: readonly T[],
  nodeIdOf: (execution: T) => string,
  budget: ValueBudget,
): T[] {
  const known = new Map<ActivityNode, Stated | undefined>();
  return executions.map((execution) => {
    const node = execution.activityState && graph.findByNodeId(nodeIdOf(execution));
    if (!node) return execution;
    if (!known.has(node)) known.set(node, valuesOf(node));
    const stated = known.get(node);
    return stated && hasRoom(budget, stated) ? withStated(execution, node, stated) : execution;
  });
}

function hasRoom(budget: ValueBudget, { size }: Stated): boolean {
  if (size <= SMALL) return true;
  if (size > budget.bytes) return false;
  budget.bytes -= size;
  return true;
}

function valuesOf(node: ActivityNode): Stated | undefined {
  const inputs = node.registration.descriptor.inputs.filter((input) => !input.isWrapped && !input.isSensitive);
  if (inputs.length === 0) return undefined;
  // Rules that expressions decide keep nothing here: what they decided belongs to one execution.
  const rules = node.logPersistence?.with(undefined);
  const values = node.createActivity() as unknown as Readonly<Record<string, unknown>>;
  const shownInputs = inputs
    .filter(({ name }) => rules?.keepsInput(camelCase(name)) !== false)
    .map(({ name, propertyName, typeName }) => [name, shown(values[propertyName], typeName)] as const);
  return { values: new Map(shownInputs), size: JSON.stringify(shownInputs).length };
}

/** In the order in which the activity declares them. */
function withStated<T extends WithInputs>(
  execution: T,
  { registration: { descriptor } }: ActivityNode,
  { values }: Stated,
): T {
  const { activityState = {} } = execution;
  const complete: Record<string, unknown> = {};
  for (const { name } of descriptor.inputs) {
    if (Object.hasOwn(activityState, name)) complete[name] = activityState[name];
    else if (values.has(name)) complete[name] = values.get(name);
  }
  return { ...execution, activityState: { ...complete, ...activityState } };
}

/** Cases hold whole activities, which the definition shows. */
function shown(value: unknown, typeName: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => shown(item, 'Object'));
  if (typeof value === 'object' && value !== null) {
    const { activity: _activity, ...rest } = value as Record<string, unknown>;
    return rest;
  }
  return value ?? (typeName === 'Boolean' ? false : null);
}
