import { type Edge, type Node, type ReactFlowState, useStore, useStoreApi } from '@xyflow/react';
import { useEffect } from 'react';
import { hiddenOf, isMany } from './hidden-nodes.js';

/** Smaller than that, words cannot be read: nodes are blocks. */
export const FAR = 0.45;
export const NO_EDGES: never[] = [];

const isFarAway = ({ transform }: ReactFlowState): boolean => transform[2] < FAR;

/**
 * Whether the picture is that small. It is read from the store of React Flow, and what is drawn otherwise from afar is taken away there
 * as soon as it is: a state of our own comes one drawing later, in which everything that came into sight would be drawn whole.
 * @param isOnlyMany if true, a picture of few nodes stays as it is
 */
export function useFarAway<N extends Node, E extends Edge>(isOnlyMany = false): boolean {
  const flow = useStoreApi<N, E>();
  useEffect(
    () =>
      flow.subscribe((now, before) => {
        if (now.transform[2] >= FAR || before.transform[2] < FAR) return;
        const hasMany = isMany(now.nodes);
        if (hasMany || !isOnlyMany) now.setEdges(NO_EDGES);
        if (hasMany) now.setNodes(now.nodes.map(hiddenOf));
      }),
    [flow, isOnlyMany],
  );
  return useStore(isFarAway);
}
