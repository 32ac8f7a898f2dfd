import type { WorkflowDefinition } from '../definitions/workflow-definition.js';
import { WorkflowExecutionError } from '../errors/execution-errors.js';
import { isEncryptingDriver } from './compile-variable.js';
import type { ActivityNode } from './activity-node.js';

/** A definition compiled once, used by any number of instances at the same time. */
export class WorkflowGraph {
  private readonly byNodeId = new Map<string, ActivityNode>();
  private readonly byId = new Map<string, ActivityNode[]>();
  /** All nodes, parents before children. */
  readonly nodes: readonly ActivityNode[];
  private encrypts: boolean | undefined;

  constructor(
    /** The definition that it was compiled from. */
    readonly definition: WorkflowDefinition,
    /** The node of the workflow itself, type `Elsa.Workflow`. */
    readonly root: ActivityNode,
    /** Version ids of the definitions used as activities, at any depth. */
    readonly usedVersionIds: ReadonlySet<string>,
  ) {
    const all: ActivityNode[] = [];
    const open = [root];
    for (let node = open.pop(); node; node = open.pop()) {
      all.push(node);
      this.byNodeId.set(node.nodeId, node);
      const same = this.byId.get(node.id);
      if (same) same.push(node);
      else this.byId.set(node.id, [node]);
      for (let i = node.children.length - 1; i >= 0; i--) open.push(node.children[i]!);
    }
    this.nodes = all;
  }

  /** True if an instance has values that are stored encrypted. */
  get usesEncryption(): boolean {
    return (this.encrypts ??=
      this.definition.inputs.some(({ storageDriverType }) => isEncryptingDriver(storageDriverType)) ||
      this.nodes.some(
        ({ inputs, variables, nestedWorkflow }) =>
          variables.some(({ isEncrypted }) => isEncrypted) ||
          inputs.some(({ isEncrypted }) => isEncrypted) ||
          (nestedWorkflow?.encryptedNames.length ?? 0) > 0,
      ));
  }

  /** The activity with that node id; undefined: there is none. */
  findByNodeId(nodeId: string): ActivityNode | undefined {
    return this.byNodeId.get(nodeId);
  }

  /** Nodes with that activity id; several when a workflow is used twice as an activity. */
  findById(id: string): readonly ActivityNode[] {
    return this.byId.get(id) ?? [];
  }

  /** The one node with that id, the outermost first when nested workflows repeat it. */
  requireById(id: string): ActivityNode {
    const found = this.findById(id);
    if (!found.length)
      throw new WorkflowExecutionError(
        'WM2011',
        `Workflow definition "${this.definition.definitionId}" has no activity "${id}". Check the id.`,
      );
    return found.reduce((a, b) => (b.nodeId.length < a.nodeId.length ? b : a));
  }
}
