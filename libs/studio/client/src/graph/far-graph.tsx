import { type CSSProperties, useCallback, useMemo } from 'react';
import { graphTexts as texts } from '../texts/graph.js';
import { heatOf } from './activity-node.js';
import { nameOf } from './name-of-activity.js';
import { type BlockMarks, FarBlocks } from './far/far-blocks.js';
import { FarLines } from './far/far-lines.js';
import { NODE_HEIGHT, NODE_WIDTH } from './layout.js';
import type { NodePlace } from './neighbour.js';
import type { Picture } from './picture.js';
import { toneOf } from './tone.js';
import type { GraphNode } from './use-graph-nodes.js';
import css from './graph.module.css';

interface FarGraphProps {
  readonly blocks: readonly GraphNode[];
  readonly picture: Picture;
  readonly corners: readonly NodePlace[];
  readonly onChoose: (id: string) => void;
}

const marksOf = ({ data: { state, counts } }: GraphNode): BlockMarks => ({
  'data-tone': toneOf(state),
  'data-heat': counts && (counts.faulted > 0 ? 'faulted' : 'waiting'),
});
const styleOf = ({ data: { counts } }: GraphNode): CSSProperties | undefined => heatOf(counts);

/** A large level from afar: blocks in the colours of what happened at them, and one line for many connections. */
export function FarGraph({ blocks, picture, corners, onChoose }: FarGraphProps) {
  const lines = useMemo(() => {
    const byId = new Map(corners.map((corner) => [corner.id, corner]));
    return picture.edges.flatMap(({ source, target }) => {
      const [from, to] = [byId.get(source), byId.get(target)];
      if (!from || !to) return [];
      return {
        from: { x: from.x + NODE_WIDTH, y: from.y + NODE_HEIGHT / 2 },
        to: { x: to.x, y: to.y + NODE_HEIGHT / 2 },
      };
    });
  }, [picture, corners]);
  const next = useMemo(() => {
    const names = new Map(picture.nodes.map(({ id, activity }) => [id, nameOf(activity)]));
    const found = new Map<string, string[]>();
    for (const { source, target } of picture.edges)
      found.set(source, [...(found.get(source) ?? []), names.get(target) ?? target]);
    return found;
  }, [picture]);
  // What marks and connections say to those who see them.
  const descriptionOf = useCallback(
    ({ id, data: { counts } }: GraphNode) =>
      [
        ...(counts?.waiting ? [texts.standing.waiting(counts.waiting)] : []),
        ...(counts?.faulted ? [texts.standing.faulted(counts.faulted)] : []),
        ...(next.has(id) ? [texts.leadsTo(next.get(id)!)] : []),
      ].join('. ') || undefined,
    [next],
  );
  return (
    <>
      <FarLines lines={lines} />
      <FarBlocks
        nodes={blocks}
        className={css.block!}
        marksOf={marksOf}
        styleOf={styleOf}
        descriptionOf={descriptionOf}
        onClick={onChoose}
      />
    </>
  );
}
