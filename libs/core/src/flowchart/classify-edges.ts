import { findDominators, reversePostorder, type Adjacency } from './dominators.js';

/** A connection by the numbers of its activities. */
export interface Edge {
  readonly from: number;
  readonly to: number;
}

/**
 * `Forward`: leads on. `Backward`: closes a loop whose entry dominates it. `Invalid`: closes a loop that can also be
 * entered elsewhere, so it is undefined what its joins wait for. `Unreachable`: not reachable from the start.
 */
export type EdgeKind = 'Forward' | 'Backward' | 'Invalid' | 'Unreachable';

/** Classifies all edges in near linear time. */
export function classifyEdges(edges: readonly Edge[], nodeCount: number, start: number): EdgeKind[] {
  const targets = adjacency(edges, nodeCount);
  const order = reversePostorder(targets, start);
  const reachable = new Uint8Array(nodeCount);
  for (const node of order) reachable[node] = 1;
  const { dominates } = findDominators(targets, start, order);
  const kinds = edges.map(({ from, to }): EdgeKind => {
    if (!reachable[from]) return 'Unreachable';
    return dominates(to, from) ? 'Backward' : 'Forward';
  });
  markInvalid(edges, kinds, nodeCount, start);
  return kinds;
}

/**
 * Without the edges back to a dominator most graphs have no cycle left. In the others, edges against the order of a
 * depth-first walk break the rest.
 */
function markInvalid(edges: readonly Edge[], kinds: EdgeKind[], nodeCount: number, start: number): void {
  const forward = edges.filter((_, i) => kinds[i] === 'Forward');
  const rank = new Int32Array(nodeCount).fill(-1);
  reversePostorder(adjacency(forward, nodeCount), start).forEach((node, i) => (rank[node] = i));
  edges.forEach(({ from, to }, i) => {
    if (kinds[i] === 'Forward' && rank[to]! <= rank[from]!) kinds[i] = 'Invalid';
  });
}

function adjacency(edges: readonly Edge[], nodeCount: number): Adjacency {
  const targets: number[][] = Array.from({ length: nodeCount }, () => []);
  for (const { from, to } of edges) targets[from]!.push(to);
  return targets;
}
