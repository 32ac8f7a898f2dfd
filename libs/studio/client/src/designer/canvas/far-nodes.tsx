import { memo, type MouseEvent } from 'react';
import { type BlockMarks, FarBlocks } from '../../graph/far/far-blocks.js';
import { useDesigner } from '../designer-context.js';
import type { ShownNode } from './picture.js';
import { useRevivedNode } from './use-revived-node.js';
import css from './canvas.module.css';

const marksOf = (node: ShownNode): BlockMarks => ({
  'data-selected': node.selected || undefined,
  ...(node.type === 'note'
    ? { 'data-note': true }
    : { 'data-problem': node.data.problem !== undefined || undefined, 'data-ran': node.data.ran?.tone }),
});

interface FarNodesProps {
  readonly nodes: readonly ShownNode[];
  readonly onHover: ReturnType<typeof useRevivedNode>['onHover'];
}

/** The activities of a large level from afar. The one below the pointer is React Flow's, so that it can be dragged. */
export const FarNodes = memo(function FarNodes({ nodes, onHover }: FarNodesProps) {
  const { store } = useDesigner();
  // A finger comes without having been above it before.
  const select = (id: string, { shiftKey, ctrlKey, metaKey }: MouseEvent) =>
    store.select(shiftKey || ctrlKey || metaKey ? [...store.state.selection.nodes, id] : [id]);
  return <FarBlocks nodes={nodes} className={css.block!} marksOf={marksOf} onClick={select} onHover={onHover} />;
});
