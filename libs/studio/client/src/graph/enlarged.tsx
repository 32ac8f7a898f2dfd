import { useStore } from '@xyflow/react';
import { useLayoutEffect } from 'react';

/** Tells the styles by how much they have to enlarge what must be read at any zoom. One write for all nodes: none is drawn anew. */
export function Enlarged() {
  const zoom = useStore(({ transform }) => transform[2]);
  const frame = useStore(({ domNode }) => domNode);
  useLayoutEffect(() => {
    frame?.style.setProperty('--enlarged', String(Math.max(1, 1 / zoom)));
  }, [frame, zoom]);
  return null;
}
