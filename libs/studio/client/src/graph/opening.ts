export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Box extends Size {
  readonly x: number;
  readonly y: number;
}

export interface View {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** With less, names of activities cannot be read. */
export const LEAST_ZOOM = 0.5;
/** Of a level that has no room even so. */
const NEAR_ZOOM = 0.75;
const MOST_ZOOM = 1;
/** Of the canvas, around a level that has room. */
const PADDING = 0.15;
/** In pixels, between the edge of the canvas and that of a level that continues beyond the other edge. */
const MARGIN = 40;

/**
 * How a level is shown at first: all of it, where names can be read then, else the part in which it begins. Fitting a wide one as
 * far as names allow would show its middle, with the start out of sight.
 */
export function openingOf(all: Box, start: Box, frame: Size): View {
  const fit = fitOf(all, frame);
  const zoom = fit < LEAST_ZOOM ? NEAR_ZOOM : Math.min(fit, MOST_ZOOM);
  return {
    x: offset([all.x, all.width], [start.x, start.width], frame.width, zoom),
    y: offset([all.y, all.height], [start.y, start.height], frame.height, zoom),
    zoom,
  };
}

/** The zoom at which a level has room in its frame. */
const fitOf = (all: Size, frame: Size): number =>
  Math.min(frame.width / all.width, frame.height / all.height) / (1 + PADDING);

/** Whether names can be read when all of a level is shown. */
export const isReadable = (all: Size, frame: Size): boolean => fitOf(all, frame) >= LEAST_ZOOM;

type Stretch = readonly [from: number, size: number];

/** Along one axis: everything in the middle, or, where it has no room, the start, with no more empty space than a margin. */
function offset([from, size]: Stretch, [startFrom, startSize]: Stretch, frame: number, zoom: number): number {
  const middle = (at: number, length: number) => frame / 2 - (at + length / 2) * zoom;
  if (size * zoom + 2 * MARGIN <= frame) return middle(from, size);
  const first = MARGIN - from * zoom;
  const last = frame - MARGIN - (from + size) * zoom;
  return Math.min(first, Math.max(last, middle(startFrom, startSize)));
}
