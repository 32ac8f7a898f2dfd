import { ViewportPortal } from '@xyflow/react';
import { useMemo } from 'react';
import type { CanvasEdge, ShownNode } from './picture.js';
import { portTop } from './picture.js';
import css from './canvas.module.css';

interface FarEdgesProps {
  readonly nodes: readonly ShownNode[];
  readonly edges: readonly CanvasEdge[];
}

/**
 * All connections as two lines: what was taken, and the others. A thousand edges that each look after themselves would be asked on
 * every move of the hand.
 */
export function FarEdges({ nodes, edges }: FarEdgesProps) {
  const [plain, taken] = useMemo(() => pathsOf(nodes, edges), [nodes, edges]);
  return (
    <ViewportPortal>
      <svg className={css.farEdges} width={1} height={1} aria-hidden>
        <path d={plain} />
        <path d={taken} data-taken />
      </svg>
    </ViewportPortal>
  );
}

function pathsOf(nodes: readonly ShownNode[], edges: readonly CanvasEdge[]): [string, string] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parts: [string[], string[]] = [[], []];
  for (const { source, sourceHandle, target, data } of edges) {
    const [from, to] = [byId.get(source), byId.get(target)];
    if (!from || !to) continue;
    const outcomes = from.type === 'note' ? [] : from.data.outcomes;
    const index = Math.max(0, outcomes.indexOf(sourceHandle ?? ''));
    const [x, y] = [from.position.x + (from.width ?? 0), from.position.y + portTop(index, outcomes.length)];
    const [endX, endY] = [to.position.x, to.position.y + portTop(0, 1)];
    parts[data?.isTaken ? 1 : 0].push(`M${x} ${y}H${(x + endX) / 2}V${endY}H${endX}`);
  }
  return [parts[0].join(''), parts[1].join('')];
}
