import { useReactFlow, useStoreApi } from '@xyflow/react';
import { useEffect } from 'react';
import { NODE_HEIGHT, NODE_WIDTH } from './layout.js';
import { LEAST_ZOOM } from './opening.js';

const NEAR_ZOOM = 0.75;

/** Brings a node that was chosen elsewhere, such as in a list, into sight, and near enough to be read. */
export function Revealed({ id }: { readonly id: string | undefined }) {
  const flow = useReactFlow();
  const store = useStoreApi();
  useEffect(() => {
    const node = id === undefined ? undefined : flow.getNode(id);
    if (!node) return;
    const { width, height, transform } = store.getState();
    const [left, top, zoom] = transform;
    const { x, y } = node.position;
    const isSeen =
      x * zoom + left >= 0 &&
      y * zoom + top >= 0 &&
      (x + NODE_WIDTH) * zoom + left <= width &&
      (y + NODE_HEIGHT) * zoom + top <= height;
    if (isSeen && zoom >= LEAST_ZOOM) return;
    void flow.setCenter(x + NODE_WIDTH / 2, y + NODE_HEIGHT / 2, { zoom: Math.max(zoom, NEAR_ZOOM) });
  }, [id, flow, store]);
  return null;
}
