import type { Edge, Node, ReactFlowInstance } from '@xyflow/react';
import { flushSync } from 'react-dom';
import { type KeyboardEvent, type RefObject, useMemo, useRef, useState } from 'react';
import { NODE_HEIGHT, NODE_WIDTH } from './layout.js';
import { ARROWS, firstOf, neighbourOf, type NodePlace } from './neighbour.js';

interface NodeStop<N extends Node> {
  /** The node at which Tab stops. */
  readonly stop: string | undefined;
  /** Around the picture. */
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onInit: (flow: ReactFlowInstance<N, Edge>) => void;
  /** Brings Tab and the focus to a node. */
  readonly goTo: (id: string) => void;
}

/**
 * A picture as one stop of Tab: arrows go from node to node. Otherwise each of its many nodes stands between what is before and behind
 * the picture.
 * @param selected where it begins, before any arrow
 */
export function useNodeStop<N extends Node>(places: readonly NodePlace[], selected: string | undefined): NodeStop<N> {
  const [chosen, setChosen] = useState<string>();
  const frame = useRef<HTMLDivElement>(null);
  const flow = useRef<ReactFlowInstance<N, Edge>>(undefined);
  const stop = useMemo(
    () => [chosen, selected].find((id) => places.some((place) => place.id === id)) ?? firstOf(places),
    [chosen, selected, places],
  );
  const nodeOf = (id: string) =>
    frame.current?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`);
  const focusOn = async ({ id, x, y }: NodePlace) => {
    // From afar the stop is drawn otherwise than before, and would lose the focus by that.
    flushSync(() => setChosen(id));
    await Promise.resolve();
    // Only what is seen is drawn.
    if (!nodeOf(id) && flow.current) {
      await flow.current.setCenter(x + NODE_WIDTH / 2, y + NODE_HEIGHT / 2, { zoom: flow.current.getZoom() });
      await new Promise(requestAnimationFrame);
    }
    nodeOf(id)?.focus({ preventScroll: true });
  };
  const goTo = (id: string) => {
    const place = places.find((one) => one.id === id);
    if (place) void focusOn(place);
  };
  return {
    stop,
    frame,
    onKeyDown: (event) => {
      const direction = ARROWS[event.key];
      const target = event.target as HTMLElement;
      if (!direction || !target.matches('.react-flow__node')) return;
      event.preventDefault();
      const next = neighbourOf(places, target.dataset.id, direction);
      if (next !== undefined) goTo(next);
    },
    onInit: (instance) => (flow.current = instance),
    goTo,
  };
}
