import type { Box } from '../model/arrange.js';

/** The nearest box in a direction, nearer to straight ahead before nearer by; the first one when nothing is chosen yet. */
export function neighbourOf(
  boxes: readonly Box[],
  from: string | undefined,
  direction: { readonly x: number; readonly y: number },
): string | undefined {
  const here = boxes.find(({ id }) => id === from);
  if (!here) return boxes.toSorted((a, b) => a.x - b.x || a.y - b.y)[0]?.id;
  let best: { id: string; cost: number } | undefined;
  for (const box of boxes) {
    const [x, y] = [box.x - here.x, box.y - here.y];
    const ahead = x * direction.x + y * direction.y;
    if (ahead <= 0) continue;
    const aside = Math.abs(direction.x === 0 ? x : y);
    const cost = ahead + aside * 2;
    if (!best || cost < best.cost) best = { id: box.id, cost };
  }
  return best?.id;
}
