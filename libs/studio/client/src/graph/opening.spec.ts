import { type Box, openingOf, type View } from './opening.js';

const FRAME = { width: 560, height: 600 };
const step = (x: number, y = 0): Box => ({ x, y, width: 220, height: 56 });
/** Where a box is on the screen. */
const seen = ({ x, y, width, height }: Box, view: View) => ({
  left: x * view.zoom + view.x,
  right: (x + width) * view.zoom + view.x,
  top: y * view.zoom + view.y,
  bottom: (y + height) * view.zoom + view.y,
});

describe('the first look at a level', () => {
  it('shows all of it in the middle, not larger than it is drawn', () => {
    const all = { x: 100, y: 40, width: 220, height: 56 };
    expect(openingOf(all, all, FRAME)).toEqual({ x: 280 - 210, y: 300 - 68, zoom: 1 });
  });

  it('shows all of it smaller, as long as names can be read', () => {
    const all = { x: 0, y: 0, width: 800, height: 56 };
    const view = openingOf(all, step(0), FRAME);
    expect(view.zoom).toBeCloseTo(0.609, 3);
    const { left, right } = seen(all, view);
    expect(left).toBeGreaterThan(0);
    expect(right).toBeLessThan(FRAME.width);
  });

  it('begins a wide one at its start, with a margin and in the middle of the height', () => {
    const all = { x: -300, y: 0, width: 12_000, height: 56 };
    const view = openingOf(all, step(-300), FRAME);
    expect(view.zoom).toBe(0.75);
    expect(seen(step(-300), view)).toEqual({ left: 40, right: 205, top: 279, bottom: 321 });
  });

  it('shows the start of a wide one wherever it stands: in the middle, and at the right end of what was drawn backwards', () => {
    const all = { x: 0, y: 0, width: 12_000, height: 4_000 };
    const inside = seen(step(6_000, 2_000), openingOf(all, step(6_000, 2_000), FRAME));
    expect((inside.left + inside.right) / 2).toBeCloseTo(FRAME.width / 2);
    expect((inside.top + inside.bottom) / 2).toBeCloseTo(FRAME.height / 2);
    const last = step(11_780, 3_944);
    expect(seen(last, openingOf(all, last, FRAME))).toMatchObject({ right: 520, bottom: 560 });
  });

  it('shows the start of a picture that is wider than its canvas', () => {
    const all = { x: 0, y: 0, width: 12_000, height: 56 };
    const { left } = seen(step(0), openingOf(all, step(0), { width: 200, height: 300 }));
    expect(left).toBeGreaterThanOrEqual(0);
    expect(left).toBeLessThan(200);
  });
});
