import type { FitViewOptions, Node } from '@xyflow/react';

/** With more nodes than that, those far away are blocks of our own: each of React Flow's costs as much as ten of them. */
const MANY = 100;

export const isMany = (nodes: readonly unknown[]): boolean => nodes.length > MANY;

/** How to show all of a picture, hidden nodes as well. */
export const EVERYTHING = { maxZoom: 1, includeHiddenNodes: true } as const satisfies FitViewOptions;

const known = new WeakMap<Node, Node>();

/** As React Flow has to know it and not to draw it. The same one each time, so that only what has changed is taken over. */
export function hiddenOf<N extends Node>(node: N): N {
  if (node.hidden) return node;
  let hidden = known.get(node) as N | undefined;
  if (!hidden) known.set(node, (hidden = { ...node, hidden: true }));
  return hidden;
}
