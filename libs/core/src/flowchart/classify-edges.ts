import { acceptBreadthFirst, acceptDepthFirst } from './accept-edges.js';
import { findDominators, reversePostorder, type Adjacency } from './dominators.js';

/** A connection by the numbers of its activities. */
export interface Edge {
  readonly from: number;
  readonly to: number;
}

/**
 * `Forward`: leads on. `Backward`: closes a loop, seen breadth first from the start, and every forward path to it passes its target.
 * `Invalid`: closes a loop that can also be entered elsewhere, so it is undefined what its joins wait for. `Unreachable`: not reachable
 * from the start.
 */
export type EdgeKind = 'Forward' | 'Backward' | 'Invalid' | 'Unreachable';

/** Classifies all edges, in near linear time unless loops can be entered in several places, and never in much more. */
export function classifyEdges(edges: readonly Edge[], nodeCount: number, start: number): EdgeKind[] {
  const targets = adjacency(edges, nodeCount);
  const order = reversePostorder(targets, start);
  const reachable = new Uint8Array(nodeCount);
  for (const node of order) reachable[node] = 1;
  const { dominates } = findDominators(targets, start, order);
  // An edge to a dominator always closes a cycle with those before it: its source was reached by way of its target.
  const kinds = edges.map(({ from, to }): EdgeKind => {
    if (!reachable[from]) return 'Unreachable';
    return dominates(to, from) ? 'Backward' : 'Forward';
  });
  breakOtherCycles(edges, kinds, nodeCount, start);
  return kinds;
}

/**
 * Without the edges back to a dominator most graphs have no cycle left. In the others it depends on where the walk comes from: as in
 * Elsa it goes breadth first, so that a definition from there faults where it does there, and not at an edge that only leads on.
 */
function breakOtherCycles(edges: readonly Edge[], kinds: EdgeKind[], nodeCount: number, start: number): void {
  const left = edges.map((_, i) => i).filter((i) => kinds[i] === 'Forward');
  const leftEdges = left.map((i) => edges[i]!);
  const depthFirst = acceptDepthFirst(leftEdges, adjacency(leftEdges, nodeCount), start);
  // A walk against which no edge leads has found no cycle.
  if (!depthFirst.includes(0)) return;
  const accepted = acceptBreadthFirst(leftEdges, nodeCount, start) ?? depthFirst;
  const targets = adjacency(
    leftEdges.filter((_, i) => accepted[i]),
    nodeCount,
  );
  const { dominates } = findDominators(targets, start, reversePostorder(targets, start));
  left.forEach((edge, i) => {
    const { from, to } = edges[edge]!;
    if (!accepted[i]) kinds[edge] = dominates(to, from) ? 'Backward' : 'Invalid';
  });
}

function adjacency(edges: readonly Edge[], nodeCount: number): Adjacency {
  const targets: number[][] = Array.from({ length: nodeCount }, () => []);
  for (const { from, to } of edges) targets[from]!.push(to);
  return targets;
}
