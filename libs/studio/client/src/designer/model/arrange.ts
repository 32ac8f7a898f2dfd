import { heightOf, NODE_WIDTH } from './ports.js';
import type { Positions } from './level.js';

export type Alignment = 'left' | 'center' | 'right' | 'top' | 'middle' | 'bottom' | 'columns' | 'rows';

export interface Box {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

/** Where boxes stand after they were aligned, or spread with equal room between them. */
export function align(boxes: readonly Box[], alignment: Alignment): Positions {
  const places = (place: (box: Box) => Partial<Record<'x' | 'y', number>>): Positions =>
    new Map(boxes.map((box) => [box.id, { x: box.x, y: box.y, ...place(box) }]));
  const left = Math.min(...boxes.map(({ x }) => x));
  const right = Math.max(...boxes.map(({ x }) => x));
  const top = Math.min(...boxes.map(({ y }) => y));
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
  switch (alignment) {
    case 'left':
      return places(() => ({ x: left }));
    case 'right':
      return places(() => ({ x: right }));
    case 'center':
      return places(() => ({ x: (left + right) / 2 }));
    case 'top':
      return places(() => ({ y: top }));
    case 'bottom':
      return places(({ height }) => ({ y: bottom - height }));
    case 'middle':
      return places(({ height }) => ({ y: (top + bottom - height) / 2 }));
    case 'columns':
      return spread(boxes, 'x', left, right);
    case 'rows':
      return spread(boxes, 'y', top, Math.max(...boxes.map(({ y }) => y)));
  }
}

function spread(boxes: readonly Box[], axis: 'x' | 'y', from: number, to: number): Positions {
  const inOrder = boxes.toSorted((a, b) => a[axis] - b[axis]);
  const step = (to - from) / Math.max(1, inOrder.length - 1);
  return new Map(inOrder.map(({ id, x, y }, index) => [id, { x, y, [axis]: from + index * step }]));
}

const GAP = 60;

/** Beside a box, at the first place below it that is free. */
export function beside(
  { x, y }: Box,
  boxes: readonly Box[],
  height = heightOf([], []),
  gap = GAP,
): { x: number; y: number } {
  const place = { x: x + NODE_WIDTH + gap, y };
  return free(place, boxes, height);
}

export function free(
  place: { readonly x: number; readonly y: number },
  boxes: readonly Box[],
  height = heightOf([], []),
): { x: number; y: number } {
  const { x } = place;
  let { y } = place;
  for (let tries = 0; tries < boxes.length + 1; tries++) {
    const hit = boxes.find(
      (box) => Math.abs(box.x - x) < NODE_WIDTH + 10 && y < box.y + box.height + 20 && box.y < y + height + 20,
    );
    if (!hit) break;
    y = hit.y + hit.height + 40;
  }
  return { x: Math.round(x), y: Math.round(y) };
}

/**
 * Places for boxes that have none of their own, where they cover neither those that have one nor each other: both come from different
 * pictures. @param wanted where they would stand alone
 */
export function apart(wanted: Positions, placed: readonly Box[], unplaced: readonly Box[]): Positions {
  if (placed.length === 0) return wanted;
  const taken = [...placed];
  return new Map(
    unplaced.map((box) => {
      const place = free(wanted.get(box.id) ?? box, taken, box.height);
      taken.push({ ...box, ...place });
      return [box.id, place];
    }),
  );
}

/** How far everything right of a connection has to go for one more between its ends; 0 when there is room. */
export const roomBetween = (source: Box, target: Box, gap = GAP): number =>
  Math.max(0, NODE_WIDTH * 2 + gap * 2 - (target.x - source.x));
