import { useNodesInitialized, useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import { NODE_HEIGHT, NODE_WIDTH } from './layout.js';
import type { NodePlace } from './neighbour.js';
import { isReadable, LEAST_ZOOM, openingOf } from './opening.js';

interface OpenedProps {
  readonly corners: readonly NodePlace[];
  /** Where to look at first: where an instance stands, or the picture begins. */
  readonly start: string | undefined;
}

const boxOf = ({ x, y }: NodePlace) => ({ x, y, width: NODE_WIDTH, height: NODE_HEIGHT });

/**
 * Goes to where an instance stands when the whole picture is too small to be read, until the person has moved it. What it did comes
 * after the picture, so that this may happen twice.
 */
export function Opened({ corners, start }: OpenedProps) {
  const flow = useReactFlow();
  const store = useStoreApi();
  const isDrawn = useNodesInitialized();
  const zoom = useStore(({ transform }) => transform[2]);
  /** The view from before, which is everything at first: another one is the person's. */
  const own = useRef<string>(undefined);
  useEffect(() => {
    const { width, height, transform } = store.getState();
    const place = corners.find(({ id }) => id === start) ?? corners[0];
    if (!isDrawn || !place || width === 0) return;
    // At first React Flow shows everything, a moment later.
    const isOwn = own.current === undefined ? zoom < LEAST_ZOOM : own.current === transform.join();
    if (!isOwn) return;
    const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    const all = {
      x: left,
      y: top,
      width: Math.max(...xs) + NODE_WIDTH - left,
      height: Math.max(...ys) + NODE_HEIGHT - top,
    };
    if (isReadable(all, { width, height })) return;
    const view = openingOf(all, boxOf(place), { width, height });
    void flow.setViewport(view).then(() => (own.current = store.getState().transform.join()));
  }, [isDrawn, zoom, corners, start, flow, store]);
  return null;
}
