import { type ReactFlowState, useStore, useStoreApi } from '@xyflow/react';
import { useEffect } from 'react';
import type { CanvasEdge, ShownNode } from './picture.js';

/** Smaller than that, words cannot be read: nodes are blocks. */
export const FAR = 0.45;
export const NO_EDGES: CanvasEdge[] = [];

const isFarAway = ({ transform }: ReactFlowState): boolean => transform[2] < FAR;

/**
 * Whether the picture is that small. It is read from the store of React Flow, and edges are taken away there as soon as it is: a state
 * of our own comes one drawing later, in which everything that came into sight would be drawn whole.
 */
export function useFarAway(): boolean {
  const flow = useStoreApi<ShownNode, CanvasEdge>();
  useEffect(
    () =>
      flow.subscribe((now, before) => {
        if (now.transform[2] < FAR && before.transform[2] >= FAR) now.setEdges(NO_EDGES);
      }),
    [flow],
  );
  return useStore(isFarAway);
}
