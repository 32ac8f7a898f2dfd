import { useReactFlow } from '@xyflow/react';
import { type RefObject, useCallback } from 'react';
import { openingOf } from '../../graph/opening.js';
import { useDesigner } from '../designer-context.js';
import { startOf } from '../model/start.js';
import type { CanvasEdge, ShownNode } from './picture.js';

/** Shows the level as one looks at it first. An empty one is left as it is. */
export function useOpening(frame: RefObject<HTMLDivElement | null>): () => void {
  const { store, catalogue } = useDesigner();
  const flow = useReactFlow<ShownNode, CanvasEdge>();
  return useCallback(() => {
    const nodes = flow.getNodes();
    if (nodes.length === 0 || !frame.current) return;
    const all = flow.getNodesBounds(nodes);
    const start = startOf(store.state.level, catalogue);
    const { width, height } = frame.current.getBoundingClientRect();
    const view = openingOf(all, start === undefined ? all : flow.getNodesBounds([start]), { width, height });
    void flow.setViewport(view);
  }, [flow, frame, store, catalogue]);
}
