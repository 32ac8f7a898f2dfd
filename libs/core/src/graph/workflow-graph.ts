import type { WorkflowDefinition } from '../definitions/workflow-definition.js';
import { WorkflowExecutionError } from '../errors/execution-errors.js';
import { MAX_TEXT_LENGTH } from '../values/storable-text.js';
import { isEncryptingDriver } from './compile-variable.js';
import type { ActivityNode } from './activity-node.js';

const WORKFLOW_TYPE = 'Elsa.Workflow';

/** A definition compiled once, used by any number of instances at the same time. */
export class WorkflowGraph {
  private readonly byNodeId = new Map<string, ActivityNode>();
  private readonly byId = new Map<string, ActivityNode[]>();
  /** All nodes, parents before children. */
  readonly nodes: readonly ActivityNode[];
  private encrypts: boolean | undefined;
  private byPlace: ReadonlyMap<string, ActivityNode> | undefined;

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
   * How a stored trigger may name this activity: by its id, where that alone means it, or by its place in the workflow. The name of today
   * comes first, then those that it may have had when other activities had its id, or none had.
   */
  triggerIdsOf(node: ActivityNode): readonly [string, ...string[]] {
    const place = placeOf(node);
    const meant = this.meantBy(node.id);
    if (this.places.get(place) !== node) return [node.id];
    return meant.length === 1 && meant[0] === node ? [node.id, place] : [place, node.id];
  }

  /** By which name a stored trigger means this activity. */
  triggerIdOf(node: ActivityNode): string {
    // Most ids are there once, and ask for nothing else.
    return this.findById(node.id).length === 1 ? node.id : this.triggerIdsOf(node)[0];
  }

  /**
   * Returns true if the id of the trigger that started an instance means this activity. An id that several have means those that may start
   * workflows, and of these the outermost: used workflows may have an activity with the same id, which waits as usual.
   */
  isTrigger(node: ActivityNode, triggerId: string | undefined): boolean {
    if (triggerId === undefined) return false;
    if (!this.byId.has(triggerId)) return this.places.get(triggerId) === node;
    return node.id === triggerId && (this.findById(triggerId).length === 1 || this.meantBy(triggerId).includes(node));
  }

  /** The activity that the id of a trigger means; of several, the first. Undefined: there is none. */
  findTrigger(id: string): ActivityNode | undefined {
    return this.byId.has(id) ? this.meantBy(id)[0] : this.places.get(id);
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

  private meantBy(id: string): ActivityNode[] {
    const same = this.findById(id);
    const first = same.find(({ canStartWorkflow }) => canStartWorkflow) ?? same[0];
    if (same.length < 2 || !first) return [...same];
    const nesting = nestingOf(first);
    return same.filter((node) => node.canStartWorkflow === first.canStartWorkflow && nestingOf(node) === nesting);
  }

  /** Activities that may start the workflow, by places that mean nothing else. */
  private get places(): ReadonlyMap<string, ActivityNode> {
    return (this.byPlace ??= this.placed());
  }

  private placed(): Map<string, ActivityNode> {
    const placed = new Map<string, ActivityNode>();
    const shared = new Set<string>();
    for (const node of this.nodes) {
      if (!node.canStartWorkflow) continue;
      const place = placeOf(node);
      // A deeper one than stores hold keeps its id, and is confused with others of that id.
      if (placed.has(place) || this.byId.has(place) || place.length > MAX_TEXT_LENGTH) shared.add(place);
      placed.set(place, node);
    }
    for (const place of shared) placed.delete(place);
    return placed;
  }
}

/**
 * The ids on the way to it. Not those of the workflows themselves, which are numbered: a further workflow that is used elsewhere would change
 * the names of triggers, and timers would begin anew.
 */
function placeOf(node: ActivityNode): string {
  const ids: string[] = [];
  for (let n: ActivityNode | undefined = node; n; n = n.parent) if (n.type !== WORKFLOW_TYPE) ids.unshift(n.id);
  return ids.join(':');
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
