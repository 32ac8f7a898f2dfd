/** A node, and the place of its corner. */
export interface NodePlace {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

export interface Direction {
  readonly x: number;
  readonly y: number;
}

/** By the names of the keys. */
export const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** The one at the left, from which keys continue. */
export const firstOf = (places: readonly NodePlace[]): string | undefined =>
  places.toSorted((a, b) => a.x - b.x || a.y - b.y)[0]?.id;

/** The nearest one in a direction, nearer to straight ahead before nearer by; the first one when nothing is chosen yet. */
export function neighbourOf(
  places: readonly NodePlace[],
  from: string | undefined,
  direction: Direction,
): string | undefined {
  const here = places.find(({ id }) => id === from);
  if (!here) return firstOf(places);
  let best: { id: string; cost: number } | undefined;
  for (const place of places) {
    const [x, y] = [place.x - here.x, place.y - here.y];
    const ahead = x * direction.x + y * direction.y;
    if (ahead <= 0) continue;
    const aside = Math.abs(direction.x === 0 ? x : y);
    const cost = ahead + aside * 2;
    if (!best || cost < best.cost) best = { id: place.id, cost };
  }
  return best?.id;
}
