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
    for (const same of this.byId.values()) if (same.length > 1) outermostFirst(same);
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

  /**
   * Nodes with that activity id, those of the outermost workflow first: definitions number their activities by themselves, and a workflow
   * may be used twice as an activity.
   */
  findById(id: string): readonly ActivityNode[] {
    return this.byId.get(id) ?? [];
  }

  /**
   * Returns true if the id of the trigger that started an instance means this activity. Used workflows may have an activity with the same
   * id, which waits as usual: the one that may start workflows is meant, and of several the outermost.
   */
  isTrigger(node: ActivityNode, triggerId: string | undefined): boolean {
    if (node.id !== triggerId) return false;
    const same = this.findById(triggerId);
    if (same.length === 1) return true;
    const first = same.find(({ canStartWorkflow }) => canStartWorkflow) ?? same[0]!;
    return node.canStartWorkflow === first.canStartWorkflow && nestingOf(node) === nestingOf(first);
  }

  /** The activity that the id of a trigger means; of several, the first. Undefined: there is none. */
  findTrigger(id: string): ActivityNode | undefined {
    return this.findById(id).find((node) => this.isTrigger(node, id));
  }

  /** The same. @throws WorkflowExecutionError `WM2011` */
  requireTrigger(id: string): ActivityNode {
    const found = this.findTrigger(id);
    if (found) return found;
    throw new WorkflowExecutionError(
      'WM2011',
      `Workflow definition "${this.definition.definitionId}" has no activity "${id}". Check the id.`,
    );
  }
}

/** In how many used workflows it stands. */
function nestingOf(node: ActivityNode): number {
  let nesting = 0;
  for (let n = node.parent; n?.parent; n = n.parent) if (n.nestedWorkflow) nesting++;
  return nesting;
}

function outermostFirst(nodes: ActivityNode[]): void {
  const nesting = new Map(nodes.map((node) => [node, nestingOf(node)] as const));
  nodes.sort((a, b) => nesting.get(a)! - nesting.get(b)!);
}
