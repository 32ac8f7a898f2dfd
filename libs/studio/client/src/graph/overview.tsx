import { type Node, Panel, type ReactFlowState, useReactFlow, useStore } from '@xyflow/react';
import { memo, type PointerEvent, useLayoutEffect, useMemo, useRef } from 'react';
import { graphTexts as texts } from '../texts/graph.js';
import css from './overview.module.css';

const WIDTH = 160;
const HEIGHT = 104;
const MARGIN = 6;
/** A wheel's step. */
const STEP = 1.2;

interface OverviewProps {
  readonly nodes: readonly Node[];
  /** Colours are another page's when it changes. */
  readonly colorMode: string;
  /** Nodes that stand out, by the status that they show. */
  readonly toneOf?: ((node: Node) => Status | undefined) | undefined;
}

type Status = 'faulted' | 'waiting';

/** From the document to the overview. */
interface Scale {
  readonly x: number;
  readonly y: number;
  readonly by: number;
}

/**
 * The whole level, small, and what of it is seen. One picture of all nodes: that of React Flow asks each of a thousand on every
 * move of the hand, and draws them all again.
 */
export const Overview = memo(function Overview({ nodes, colorMode, toneOf }: OverviewProps) {
  const flow = useReactFlow();
  const canvas = useRef<HTMLCanvasElement>(null);
  const scale = useMemo(() => scaleOf(nodes), [nodes]);
  useLayoutEffect(() => draw(canvas.current!, nodes, scale, toneOf), [nodes, scale, colorMode, toneOf]);
  const goTo = ({ clientX, clientY, currentTarget }: PointerEvent) => {
    const { left, top } = currentTarget.getBoundingClientRect();
    const [x, y] = [(clientX - left) / scale.by + scale.x, (clientY - top) / scale.by + scale.y];
    void flow.setCenter(x, y, { zoom: flow.getZoom() });
  };
  return (
    <Panel position="bottom-right" className={css.frame!}>
      <div
        role="img"
        aria-label={texts.overview}
        className={css.overview}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          goTo(event);
        }}
        onPointerMove={(event) => event.buttons === 1 && goTo(event)}
        onWheel={({ deltaY }) => void flow.zoomTo(flow.getZoom() * (deltaY < 0 ? STEP : 1 / STEP))}
      >
        <canvas ref={canvas} className={css.overviewNodes} />
        <Sight scale={scale} />
      </div>
    </Panel>
  );
});

const sightOf = ({ transform, width, height }: ReactFlowState): string => [...transform, width, height].join(' ');

/** What is seen of it. */
function Sight({ scale: { x, y, by } }: { readonly scale: Scale }) {
  const [left, top, zoom, width, height] = useStore(sightOf).split(' ').map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const place = `translate(${(-left / zoom - x) * by}px, ${(-top / zoom - y) * by}px)`;
  return (
    <div className={css.sight} style={{ width: (width / zoom) * by, height: (height / zoom) * by, transform: place }} />
  );
}

function scaleOf(nodes: readonly Node[]): Scale {
  const left = Math.min(...nodes.map(({ position }) => position.x));
  const top = Math.min(...nodes.map(({ position }) => position.y));
  const right = Math.max(...nodes.map(({ position, width = 0 }) => position.x + width));
  const bottom = Math.max(
    ...nodes.map(({ position, measured, height = measured?.height ?? 0 }) => position.y + height),
  );
  const by = Math.min((WIDTH - 2 * MARGIN) / (right - left || 1), (HEIGHT - 2 * MARGIN) / (bottom - top || 1));
  // In the middle of the side that has room.
  return { x: (left + right - WIDTH / by) / 2, y: (top + bottom - HEIGHT / by) / 2, by };
}

function draw(
  canvas: HTMLCanvasElement,
  nodes: readonly Node[],
  { x, y, by }: Scale,
  toneOf: OverviewProps['toneOf'],
): void {
  const ratio = window.devicePixelRatio;
  canvas.width = WIDTH * ratio;
  canvas.height = HEIGHT * ratio;
  const context = canvas.getContext('2d')!;
  const style = getComputedStyle(canvas);
  context.scale(ratio, ratio);
  for (const node of nodes) {
    const { position, width = 0, height = node.measured?.height ?? 0, selected } = node;
    const tone = toneOf?.(node);
    context.fillStyle = tone ? style.getPropertyValue(`--status-${tone}`) : selected ? style.accentColor : style.color;
    // Large enough to be seen, however many there are.
    context.fillRect(
      (position.x - x) * by,
      (position.y - y) * by,
      Math.max(1.5, width * by),
      Math.max(1.5, height * by),
    );
  }
}
