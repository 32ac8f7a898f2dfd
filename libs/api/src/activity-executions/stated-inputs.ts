import { Injectable } from '@nestjs/common';
import { type ActivityExecutionRecord, type ActivityNode, isWaymarkError, type WorkflowGraph } from '@waymark/core';
import { camelCase } from '@waymark/core/adapter';
import { IWorkflowDefinitionService, WorkflowPersistence } from '@waymark/runtime';

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

  /** The same records, complete where the version of the instance still knows the activity. */
  async addTo(
    workflowInstanceId: string,
    records: readonly ActivityExecutionRecord[],
  ): Promise<readonly ActivityExecutionRecord[]> {
    if (!records.some(({ activityState }) => activityState)) return records;
    const graph = await this.graphOf(workflowInstanceId);
    if (!graph) return records;
    return records.map((record) => withStated(record, graph.findByNodeId(record.activityNodeId)));
  }

  private async graphOf(workflowInstanceId: string): Promise<WorkflowGraph | undefined> {
    const one = { skip: 0, take: 1 };
    const { items } = await this.persistence.instances.findMany({ ids: [workflowInstanceId] }, undefined, one);
    const [instance] = items;
    if (!instance) return undefined;
    try {
      return await this.definitions.graph(instance.definitionVersionId);
    } catch (error) {
      // A version that was deleted, or that this host cannot run.
      if (isWaymarkError(error)) return undefined;
      throw error;
    }
  }
}

function withStated(record: ActivityExecutionRecord, node: ActivityNode | undefined): ActivityExecutionRecord {
  const { activityState } = record;
  const inputs = node?.registration.descriptor.inputs;
  if (!node || !activityState || !inputs?.some(({ isWrapped }) => !isWrapped)) return record;
  // Rules that expressions decide keep nothing here: what they decided belongs to one execution.
  const rules = node.logPersistence?.with(undefined);
  const values = node.createActivity() as unknown as Readonly<Record<string, unknown>>;
  const complete: Record<string, unknown> = {};
  for (const { name, propertyName, isWrapped, typeName } of inputs) {
    if (Object.hasOwn(activityState, name)) complete[name] = activityState[name];
    else if (!isWrapped && rules?.keepsInput(camelCase(name)) !== false)
      complete[name] = shown(values[propertyName], typeName);
  }
  return { ...record, activityState: { ...complete, ...activityState } };
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
