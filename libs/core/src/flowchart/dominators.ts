/** A directed graph on the numbers 0…n-1: targets of each node. */
export type Adjacency = readonly (readonly number[])[];

/** What is reachable from the start, in reverse postorder: every node before those that only it leads to. */
export function reversePostorder(targets: Adjacency, start: number): number[] {
  const seen = new Uint8Array(targets.length);
  const order: number[] = [];
  // Not recursive: a chain of ten thousand activities would overflow the stack.
  const path = [start];
  const next = [0];
  seen[start] = 1;
  while (path.length > 0) {
    const node = path.at(-1)!;
    const target = targets[node]![next[next.length - 1]!++];
    if (target === undefined) {
      order.push(node);
      path.pop();
      next.pop();
    } else if (!seen[target]) {
      seen[target] = 1;
      path.push(target);
      next.push(0);
    }
  }
  return order.reverse();
}

/** Answers whether one node lies on every path from the start to another. */
export interface Dominators {
  dominates(above: number, below: number): boolean;
}

/**
 * Dominators after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm": near linear for graphs as people
 * draw them, where enumerating paths is exponential.
 */
export function findDominators(targets: Adjacency, start: number, order: readonly number[]): Dominators {
  const rank = new Int32Array(targets.length).fill(-1);
  order.forEach((node, i) => (rank[node] = i));
  const parent = immediateDominators(sourcesByRank(targets, order, rank));
  const { enter, leave } = intervals(parent);
  return {
    dominates: (above, below) => {
      const a = rank[above]!;
      const b = rank[below]!;
      return a >= 0 && b >= 0 && enter[a]! <= enter[b]! && leave[b]! <= leave[a]!;
    },
  };
}

function sourcesByRank(targets: Adjacency, order: readonly number[], rank: Int32Array): number[][] {
  const sources: number[][] = order.map(() => []);
  order.forEach((node, from) => {
    for (const target of targets[node]!) sources[rank[target]!]!.push(from);
  });
  return sources;
}

/** For each rank the rank of its immediate dominator; the start has its own. */
function immediateDominators(sources: readonly (readonly number[])[]): Int32Array {
  const parent = new Int32Array(sources.length).fill(-1);
  parent[0] = 0;
  const meet = (a: number, b: number): number => {
    while (a !== b) {
      while (a > b) a = parent[a]!;
      while (b > a) b = parent[b]!;
    }
    return a;
  };
  for (let changed = true; changed;) {
    changed = false;
    for (let node = 1; node < sources.length; node++) {
      let found = -1;
      for (const source of sources[node]!) if (parent[source]! >= 0) found = found < 0 ? source : meet(found, source);
      if (parent[node] === found) continue;
      parent[node] = found;
      changed = true;
    }
  }
  return parent;
}

/** Numbers the dominator tree so that a node's interval lies within those of all that dominate it. */
function intervals(parent: Int32Array): { enter: Int32Array; leave: Int32Array } {
  const size = new Int32Array(parent.length).fill(1);
  for (let node = parent.length - 1; node > 0; node--) size[parent[node]!]! += size[node]!;
  const enter = new Int32Array(parent.length);
  const leave = new Int32Array(parent.length);
  const free = new Int32Array(parent.length);
  leave[0] = size[0]! - 1;
  free[0] = 1;
  for (let node = 1; node < parent.length; node++) {
    const above = parent[node]!;
    enter[node] = free[above]!;
    leave[node] = enter[node]! + size[node]! - 1;
    free[above] = leave[node]! + 1;
    free[node] = enter[node]! + 1;
  }
  return { enter, leave };
}
