import { useMemo } from 'react';
import { type FarLine, FarLines } from '../../graph/far/far-lines.js';
import type { CanvasEdge, ShownNode } from './picture.js';
import { portTop } from './picture.js';

interface FarEdgesProps {
  readonly nodes: readonly ShownNode[];
  readonly edges: readonly CanvasEdge[];
}

/** The connections of the level from afar. */
export function FarEdges({ nodes, edges }: FarEdgesProps) {
  const lines = useMemo(() => linesOf(nodes, edges), [nodes, edges]);
  return <FarLines lines={lines} />;
}

function linesOf(nodes: readonly ShownNode[], edges: readonly CanvasEdge[]): FarLine[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return edges.flatMap(({ source, sourceHandle, target, data }) => {
    const [from, to] = [byId.get(source), byId.get(target)];
    if (!from || !to) return [];
    const outcomes = from.type === 'note' ? [] : from.data.outcomes;
    const index = Math.max(0, outcomes.indexOf(sourceHandle ?? ''));
    return {
      from: { x: from.position.x + (from.width ?? 0), y: from.position.y + portTop(index, outcomes.length) },
      to: { x: to.position.x, y: to.position.y + portTop(0, 1) },
      isTaken: data?.isTaken,
    };
  });
}
