import { ViewportPortal } from '@xyflow/react';
import { useMemo } from 'react';
import type { CanvasEdge, ShownNode } from './picture.js';
import { portTop } from './picture.js';
import css from './canvas.module.css';

interface FarEdgesProps {
  readonly nodes: readonly ShownNode[];
  readonly edges: readonly CanvasEdge[];
}

/** So many connections are one line. What is dragged draws few of the lines anew. */
const OF_ONE_LINE = 100;

/**
 * All connections as a few lines, those that were taken apart. A thousand edges that each look after themselves would be asked on
 * every move of the hand.
 */
export function FarEdges({ nodes, edges }: FarEdgesProps) {
  const [plain, taken] = useMemo(() => pathsOf(nodes, edges), [nodes, edges]);
  return (
    <ViewportPortal>
      <svg className={css.farEdges} width={1} height={1} aria-hidden>
        {plain.map((path, index) => (
          <path key={index} d={path} />
        ))}
        <path d={taken} data-taken />
      </svg>
    </ViewportPortal>
  );
}

function pathsOf(nodes: readonly ShownNode[], edges: readonly CanvasEdge[]): [string[], string] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const plain: string[] = [];
  let taken = '';
  for (const [number, { source, sourceHandle, target, data }] of edges.entries()) {
    const [from, to] = [byId.get(source), byId.get(target)];
    if (!from || !to) continue;
    const outcomes = from.type === 'note' ? [] : from.data.outcomes;
    const index = Math.max(0, outcomes.indexOf(sourceHandle ?? ''));
    const [x, y] = [from.position.x + (from.width ?? 0), from.position.y + portTop(index, outcomes.length)];
    const [endX, endY] = [to.position.x, to.position.y + portTop(0, 1)];
    const path = `M${x} ${y}H${(x + endX) / 2}V${endY}H${endX}`;
    const line = Math.floor(number / OF_ONE_LINE);
    if (data?.isTaken) taken += path;
    else plain[line] = (plain[line] ?? '') + path;
  }
  return [Array.from(plain, (path) => path ?? ''), taken];
}
