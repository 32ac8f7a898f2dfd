import { useReactFlow } from '@xyflow/react';
import { type RefObject, useEffect } from 'react';
import { FAR } from '../../graph/far/use-far-away.js';
import { useDesigner } from '../designer-context.js';
import { durationOf } from './duration-of.js';
import type { CanvasEdge, ShownNode } from './picture.js';

/** Far enough to read what was gone to. */
const NEAR_ZOOM = 0.7;
/** In pixels, around several activities that are shown together. */
const MARGIN = 40;
const GLIDE_MS = 150;

/** What the actions need of the view: where its middle is, and to bring activities into it. */
export function useReveal(frame: RefObject<HTMLElement | null>): void {
  const { actions } = useDesigner();
  const flow = useReactFlow<ShownNode, CanvasEdge>();
  useEffect(() => {
    actions.middle = () => {
      const { left, top, width, height } = frame.current!.getBoundingClientRect();
      return flow.screenToFlowPosition({ x: left + width / 2 - 110, y: top + height / 2 - 28 });
    };
    actions.reveal = (ids, isRead = false) => {
      frame.current?.focus({ preventScroll: true });
      const nodes = ids.flatMap((id) => flow.getNode(id) ?? []);
      if (nodes.length === 0 || !frame.current) return;
      const box = flow.getNodesBounds(nodes);
      const { left, top, right, bottom, width, height } = frame.current.getBoundingClientRect();
      const zoom = flow.getZoom();
      const { x, y } = flow.flowToScreenPosition(box);
      const isSeen = x > left && y > top && x + box.width * zoom < right && y + box.height * zoom < bottom;
      // Far away, even what is seen is one block among thousands.
      if (isSeen && (!isRead || zoom >= FAR)) return;
      const fits = Math.min((width - 2 * MARGIN) / box.width, (height - 2 * MARGIN) / box.height);
      void flow.setCenter(box.x + box.width / 2, box.y + box.height / 2, {
        zoom: Math.min(Math.max(zoom, NEAR_ZOOM), fits),
        duration: durationOf(GLIDE_MS),
      });
    };
  }, [actions, flow, frame]);
}
