export interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Curve {
  readonly path: string;
  /** Where its name is written. */
  readonly x: number;
  readonly y: number;
}

const LANE = 36;
const LOOP = 46;

/** A curve from border to border: states have arrows on all sides, also back and to themselves. */
export function transitionCurve(from: Frame, to: Frame, lane: number): Curve {
  if (from === to || (from.x === to.x && from.y === to.y)) return loop(from, lane);
  const [a, b] = [middle(from), middle(to)];
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = Math.hypot(dx, dy) || 1;
  // Aside of the straight line, to the right as one goes.
  const aside = { x: (-dy / length) * lane * LANE, y: (dx / length) * lane * LANE };
  const bend = { x: (a.x + b.x) / 2 + aside.x * 2, y: (a.y + b.y) / 2 + aside.y * 2 };
  const [start, end] = [border(from, bend, aside), border(to, bend, aside)];
  return {
    path: `M${start.x} ${start.y} Q${bend.x} ${bend.y} ${end.x} ${end.y}`,
    x: start.x / 4 + bend.x / 2 + end.x / 4,
    y: start.y / 4 + bend.y / 2 + end.y / 4,
  };
}

interface Line<K> {
  readonly key: K;
  readonly source: string;
  readonly target: string;
}

/** The lane of each line: those between the same two ends, in both directions, go side by side. */
export function lanesOf<K>(lines: readonly Line<K>[]): ReadonlyMap<K, number> {
  const pairs = new Map<string, Line<K>[]>();
  for (const line of lines) {
    const ends = [line.source, line.target].toSorted().join(' ');
    pairs.set(ends, [...(pairs.get(ends) ?? []), line]);
  }
  const lanes = new Map<K, number>();
  for (const pair of pairs.values())
    pair.forEach(({ key, source }, place) => {
      const lane = pair.length === 1 ? 0 : place - (pair.length - 1) / 2;
      // Seen from the other end, right is left.
      lanes.set(key, source === pair[0]!.source ? lane : -lane);
    });
  return lanes;
}

const middle = ({ x, y, width, height }: Frame) => ({ x: x + width / 2, y: y + height / 2 });

/** Where the line from the middle of a frame to a point crosses its border. */
function border(frame: Frame, point: { x: number; y: number }, aside: { x: number; y: number }) {
  const { x, y } = middle(frame);
  const from = { x: x + clamp(aside.x, frame.width / 3), y: y + clamp(aside.y, frame.height / 3) };
  const [dx, dy] = [point.x - from.x, point.y - from.y];
  const right = dx > 0 ? frame.x + frame.width - from.x : from.x - frame.x;
  const down = dy > 0 ? frame.y + frame.height - from.y : from.y - frame.y;
  const scale = Math.min(
    dx === 0 ? Number.POSITIVE_INFINITY : right / Math.abs(dx),
    dy === 0 ? Number.POSITIVE_INFINITY : down / Math.abs(dy),
  );
  return Number.isFinite(scale) ? { x: from.x + dx * scale, y: from.y + dy * scale } : from;
}

const clamp = (value: number, most: number): number => Math.max(-most, Math.min(most, value));

function loop({ x, y, width }: Frame, lane: number): Curve {
  const height = LOOP + Math.abs(lane) * LANE;
  const [left, right] = [x + width * 0.6, x + width * 0.85];
  return {
    path: `M${left} ${y} C${left - 10} ${y - height} ${right + 10} ${y - height} ${right} ${y}`,
    x: (left + right) / 2,
    y: y - height * 0.75,
  };
}
