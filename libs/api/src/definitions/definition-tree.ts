import { Injectable } from '@nestjs/common';
import { type ActivityJson, type WorkflowDefinition } from '@waymark/core';
import { descriptorsOf, walkActivities } from '@waymark/core/adapter';
import { WorkflowEngine } from '@waymark/runtime';
import { DefinitionContexts } from './definition-contexts.js';

/** An activity of a definition, or of a workflow that it uses as an activity, at any depth. */
export interface TreeNode {
  readonly nodeId: string;
  /** Name of the port or list that holds it; `Root` for a workflow and for its root activity. */
  readonly port: string;
  readonly json: ActivityJson;
  readonly parent: TreeNode | undefined;
}

/** Nodes of one workflow by node id; nodes inside of workflows used as activities are on levels of their own. */
type Level = ReadonlyMap<string, TreeNode>;

const FLOWCHART = 'Elsa.Flowchart';
export const WORKFLOW = 'Elsa.Workflow';

/** Finds activities by node id. In all methods, `isLaidOut` is as in `DefinitionContexts.modelOf`. */
@Injectable()
export class DefinitionTrees {
  constructor(
    private readonly contexts: DefinitionContexts,
    private readonly engine: WorkflowEngine,
  ) {}

  async root(definition: WorkflowDefinition, isLaidOut?: boolean): Promise<TreeNode> {
    return (await this.level(definition, '', undefined, isLaidOut)).values().next().value!;
  }

  async find(definition: WorkflowDefinition, nodeId: string, isLaidOut?: boolean): Promise<TreeNode | undefined> {
    let level = await this.level(definition, '', undefined, isLaidOut);
    for (;;) {
      const found = level.get(nodeId);
      if (found) return found;
      const outer = [...level.values()].find((n) => isReference(n.json) && nodeId.startsWith(`${n.nodeId}:`));
      const inner = outer && (await this.resolve(outer.json));
      if (!outer || !inner) return undefined;
      level = await this.level(inner, `${outer.nodeId}:`, outer, isLaidOut);
    }
  }

  /** The node as clients get it; a workflow used as an activity shows what is inside. */
  async show(
    { nodeId, port, json }: TreeNode,
    isLaidOut?: boolean,
  ): Promise<{ nodeId: string; port: string; activity: object }> {
    const inner = isReference(json) ? await this.resolve(json) : undefined;
    if (!inner) return { nodeId, port, activity: json };
    const root = (await this.level(inner, `${nodeId}:`, undefined, isLaidOut)).values().next().value!.json;
    // Inside of another activity the workflow has neither a name nor a result, as the reference writes it.
    const { name: _name, result: _result, ...workflow } = root;
    return { nodeId, port, activity: { ...json, root: workflow } };
  }

  private async level(
    definition: WorkflowDefinition,
    prefix: string,
    parent: TreeNode | undefined,
    isLaidOut: boolean | undefined,
  ): Promise<Level> {
    const model = await this.contexts.modelOf(definition, isLaidOut);
    const root = model.root as ActivityJson;
    const id = root.nodeId!.split(':', 1)[0]!;
    const workflow: TreeNode = {
      nodeId: prefix + id,
      port: 'Root',
      json: workflowJson(definition, model, id, prefix + id),
      parent,
    };
    const nodes = new Map([[workflow.nodeId, workflow]]);
    const byJson = new Map<ActivityJson, TreeNode>();
    walkActivities(root, descriptorsOf(this.engine.activities), (visit) => {
      // The model was written for this call alone, so it may be changed.
      visit.node.nodeId = prefix + visit.node.nodeId!;
      const above = visit.parent ? byJson.get(visit.parent) : workflow;
      const node: TreeNode = { nodeId: visit.node.nodeId, port: visit.port, json: visit.node, parent: above };
      byJson.set(visit.node, node);
      nodes.set(node.nodeId, node);
    });
    return nodes;
  }

  private resolve(json: ActivityJson): Promise<WorkflowDefinition | undefined> {
    return this.contexts.resolve({
      definitionVersionId: textOf(json.workflowDefinitionVersionId),
      definitionId: textOf(json.workflowDefinitionId),
      version: json.version,
    });
  }
}

/** A step from one canvas into an activity that has a canvas of its own. */
export interface PathSegment {
  readonly node: TreeNode;
  readonly portName: string;
}

/** The canvases from the outermost one to that of a node: workflows, and flowcharts inside of activities. */
export function segmentsTo(child: TreeNode): PathSegment[] {
  const segments: PathSegment[] = [];
  for (let node = child.parent; node; node = node.parent) {
    const { parent } = node;
    if (isReference(node.json)) segments.unshift({ node, portName: 'Root' });
    else if (node.json.type === FLOWCHART && parent && parent.json.type !== WORKFLOW)
      segments.unshift({ node: parent, portName: node.port });
  }
  return segments;
}

export function outermost(node: TreeNode): TreeNode {
  let top = node;
  while (top.parent) top = top.parent;
  return top;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** DispatchWorkflow and its like have inputs of that name, but those are objects. */
const isReference = (json: ActivityJson): boolean =>
  textOf(json.workflowDefinitionId) !== undefined || textOf(json.workflowDefinitionVersionId) !== undefined;

function workflowJson(
  definition: WorkflowDefinition,
  model: Record<string, unknown>,
  id: string,
  nodeId: string,
): ActivityJson {
  const { name, description, createdAt, toolVersion, inputs, outputs, outcomes, options, customProperties, root } =
    model;
  const { version, isLatest, isPublished, isReadonly, isSystem } = definition;
  return {
    identity: { definitionId: definition.definitionId, version, id: definition.id, tenantId: '' },
    publication: { isLatest, isPublished },
    inputs,
    outputs,
    outcomes,
    workflowMetadata: { name, description, createdAt, toolVersion },
    options,
    isReadonly,
    isSystem,
    definitionHandle: { definitionVersionId: definition.id },
    result: null,
    root,
    id,
    nodeId,
    name: null,
    type: WORKFLOW,
    version: 1,
    customProperties: { ...(customProperties as object) },
    metadata: {},
  };
}
