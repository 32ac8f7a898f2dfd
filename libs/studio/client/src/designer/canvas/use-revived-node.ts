import { type PointerEvent, useCallback, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { hiddenOf } from '../../graph/far/hidden-nodes.js';
import type { ShownNode } from './picture.js';

/**
 * Of a large level from afar: all nodes are hidden from React Flow, but the one below the pointer, which it can drag, and all of them
 * while a box is drawn around some.
 * @param isBlocks whether they are blocks now
 */
export function useRevivedNode(nodes: ShownNode[], isBlocks: boolean) {
  const [revived, setRevived] = useState<string>();
  const [isBoxing, setBoxing] = useState(false);
  const onHover = useCallback((id: string, { buttons }: PointerEvent) => {
    // Not while another one is dragged over it. At once: the pointer may be pressed next.
    if (buttons === 0) flushSync(() => setRevived(id));
  }, []);
  const isHidden = isBlocks && !isBoxing;
  const own = useMemo(
    () => (isHidden ? nodes.map((node) => (node.id === revived ? node : hiddenOf(node))) : nodes),
    [nodes, isHidden, revived],
  );
  const blocks = useMemo(() => (isHidden ? nodes.filter(({ id }) => id !== revived) : []), [nodes, isHidden, revived]);
  const box = useMemo(() => ({ onSelectionStart: () => setBoxing(true), onSelectionEnd: () => setBoxing(false) }), []);
  return { own, blocks, onHover, box };
}
