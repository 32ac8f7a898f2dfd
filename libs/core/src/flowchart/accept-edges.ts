import type { Edge } from './classify-edges.js';
import { reversePostorder, type Adjacency } from './dominators.js';

/** Nodes that may be looked at while loops are searched: a tenth of a second. Beyond it, a definition could hold up a server. */
const MOST_STEPS = 1_000_000;

/**
 * Takes the edges breadth first from the start, in their order, and leaves out each that would close a cycle with those taken before.
 * `1` for an edge that is taken.
 *
 * The nodes are kept in an order in which all edges that are taken lead on (Pearce and Kelly, "A Dynamic Topological Sort Algorithm
 * for Directed Acyclic Graphs"): most edges agree with it and are taken unseen, the others are followed no further than their source.
 * @returns undefined for a knot of thousands of loops, which would take too long
 */
export function acceptBreadthFirst(edges: readonly Edge[], nodeCount: number, start: number): Uint8Array | undefined {
  const accepted = new Uint8Array(edges.length);
  const leaving: number[][] = Array.from({ length: nodeCount }, () => []);
  edges.forEach(({ from }, i) => leaving[from]!.push(i));
  const nodes = breadthFirst(edges, leaving, start);
  const order = new GrowingOrder(nodeCount, nodes);
  for (const node of nodes)
    for (const i of leaving[node]!) {
      if (order.add(node, edges[i]!.to)) accepted[i] = 1;
      if (order.steps > MOST_STEPS) return undefined;
    }
  return accepted;
}

/** The same along a depth-first walk, which takes no searching: what leads against its order is left out. */
export function acceptDepthFirst(edges: readonly Edge[], targets: Adjacency, start: number): Uint8Array {
  const rank = new Int32Array(targets.length);
  reversePostorder(targets, start).forEach((node, i) => (rank[node] = i));
  return Uint8Array.from(edges, ({ from, to }) => (rank[to]! > rank[from]! ? 1 : 0));
}

function breadthFirst(edges: readonly Edge[], leaving: readonly (readonly number[])[], start: number): number[] {
  const nodes = [start];
  const seen = new Uint8Array(leaving.length);
  seen[start] = 1;
  // Grows while it is walked.
  for (const node of nodes)
    for (const i of leaving[node]!) {
      const { to } = edges[i]!;
      if (seen[to]) continue;
      seen[to] = 1;
      nodes.push(to);
    }
  return nodes;
}

/** Nodes in an order that every edge added so far follows. */
class GrowingOrder {
  /** Nodes that were looked at. */
  steps = 0;
  private readonly place: Int32Array;
  private readonly targets: number[][];
  private readonly sources: number[][];

  constructor(nodeCount: number, nodes: readonly number[]) {
    this.place = new Int32Array(nodeCount);
    nodes.forEach((node, i) => (this.place[node] = i));
    this.targets = Array.from({ length: nodeCount }, () => []);
    this.sources = Array.from({ length: nodeCount }, () => []);
  }

  /** @returns false, and nothing is changed, when the edge would close a cycle */
  add(from: number, to: number): boolean {
    const first = this.place[to]!;
    const last = this.place[from]!;
    if (first <= last) {
      const after = this.collect(to, this.targets, (place) => place <= last);
      if (after.includes(from)) return false;
      this.move(
        this.collect(from, this.sources, (place) => place >= first),
        after,
      );
    }
    this.targets[from]!.push(to);
    this.sources[to]!.push(from);
    return true;
  }

  private collect(node: number, next: readonly number[][], isWithin: (place: number) => boolean): number[] {
    const found = [node];
    const seen = new Set(found);
    for (const each of found)
      for (const other of next[each]!)
        if (!seen.has(other) && isWithin(this.place[other]!)) {
          seen.add(other);
          found.push(other);
        }
    this.steps += found.length;
    return found;
  }

  /** Lets the ones stand before the others, each group in its own order, at the places that they have between them. */
  private move(before: number[], after: number[]): void {
    const byPlace = (a: number, b: number): number => this.place[a]! - this.place[b]!;
    const moved = [...before.sort(byPlace), ...after.sort(byPlace)];
    const places = moved.map((node) => this.place[node]!).sort((a, b) => a - b);
    moved.forEach((node, i) => (this.place[node] = places[i]!));
  }
}
