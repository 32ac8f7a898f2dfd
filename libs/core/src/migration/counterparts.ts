import type { ActivityNode } from '../graph/activity-node.js';
import type { WorkflowGraph } from '../graph/workflow-graph.js';

const WORKFLOW_TYPE = 'Elsa.Workflow';
const ROOT_PORT = 'Root';

/**
 * Which activity of a version takes the place of which of another one. An activity stands where its container stands: its
 * counterpart is the child of the container's counterpart that the mapping names, or that has the same id.
 */
export class Counterparts {
  private readonly found = new Map<ActivityNode, ActivityNode | undefined>();
  /** By container: thousands of children, each looked for among all of them, would take a second. */
  private readonly children = new Map<ActivityNode, ReadonlyMap<string, ActivityNode>>();

  constructor(
    readonly from: WorkflowGraph,
    readonly to: WorkflowGraph,
    private readonly names: Readonly<Record<string, string>> = {},
  ) {}

  readonly of = (node: ActivityNode): ActivityNode | undefined => {
    if (!this.found.has(node)) this.found.set(node, this.find(node));
    return this.found.get(node);
  };

  ofNodeId(nodeId: string): ActivityNode | undefined {
    const node = this.from.findByNodeId(nodeId);
    return node && this.of(node);
  }

  /** What the mapping calls it in the other version. */
  nameOf(node: ActivityNode): string | undefined {
    const { names } = this;
    if (Object.hasOwn(names, node.nodeId)) return names[node.nodeId];
    return Object.hasOwn(names, node.id) ? names[node.id] : undefined;
  }

  private find(node: ActivityNode): ActivityNode | undefined {
    if (!node.parent) return this.to.root;
    const parent = this.of(node.parent);
    if (!parent) return undefined;
    const name = this.nameOf(node);
    if (name !== undefined) return parent.children.find(({ id, nodeId }) => nodeId === name || id === name);
    // The workflow inside of a workflow used as an activity has no id of its own, only a number.
    if (node.type === WORKFLOW_TYPE) return parent.children.find(({ type }) => type === WORKFLOW_TYPE);
    return this.childrenOf(parent).get(node.id) ?? this.sameRoot(node, parent);
  }

  /** The first of each id. */
  private childrenOf(parent: ActivityNode): ReadonlyMap<string, ActivityNode> {
    let children = this.children.get(parent);
    if (!children) {
      children = new Map(parent.children.map((child) => [child.id, child] as const).reverse());
      this.children.set(parent, children);
    }
    return children;
  }

  /** The only activity of a workflow that it is made of may have another id. */
  private sameRoot(node: ActivityNode, parent: ActivityNode): ActivityNode | undefined {
    if (parent.type !== WORKFLOW_TYPE) return undefined;
    return parent.children.find(({ portName, type }) => portName === ROOT_PORT && type === node.type);
  }

  /** Why an activity has none, and what to do. */
  describeMissing(node: ActivityNode): string {
    const name = this.nameOf(node);
    const wanted = name ?? node.id;
    const elsewhere = this.to.findByNodeId(wanted) ?? this.to.findById(wanted)[0];
    const what = `'${node.id}' (${node.type}) runs or waits`;
    if (elsewhere)
      return (
        `${what}, and '${wanted}' of the other version is in '${elsewhere.parent?.id ?? ''}', which is another container. ` +
        `Map '${node.parent?.id ?? ''}' to it, or publish a version that has it in the same place.`
      );
    return name === undefined
      ? `${what}, and the other version has no such activity there. Map it to one that it has, or cancel or skip it first.`
      : `${what}, and the other version has no activity '${name}', to which it is mapped.`;
  }
}
