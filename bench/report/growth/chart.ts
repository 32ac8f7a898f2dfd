import { type Curve, curvesOf, type MeasuredDimension } from './curves.js';
import type { Target } from './judge.js';
import { type LogScale, logScale } from './log-scale.js';
import { STORES, words } from './markdown-table.js';
import { element, text } from './svg.js';

const COLUMNS = 2;
const PANEL = { width: 420, height: 300, left: 64, right: 20, top: 44, bottom: 52 };
const HEAD = 62;
/** Each store has a colour and a mark of its own, so that colours need not be told apart. */
const STYLE = `
text { font: 12px system-ui, sans-serif; fill: #24292f; } .title { font-size: 16px; font-weight: 600; }
.ground { fill: #ffffff; } .of { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; } .grid { stroke: #d0d7de; } .name { font-weight: 600; } .limit { stroke: #57606a; stroke-dasharray: 2 3; }
.curve { fill: none; stroke-width: 2; } .before { stroke-dasharray: 6 4; opacity: 0.6; }
.memory { stroke: #6639ba; } .sqlite { stroke: #0969da; } .mariadb { stroke: #bc4c00; } .postgres { stroke: #1a7f37; } .mark { fill: #ffffff; stroke-width: 2; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; } .of { stroke: #0d1117; } .ground, .mark { fill: #0d1117; } .grid { stroke: #30363d; } .limit { stroke: #9198a1; }
.memory { stroke: #c297ff; } .sqlite { stroke: #6cb6ff; } .mariadb { stroke: #f69d50; } .postgres { stroke: #57ab5a; }
}`;

/**
 * The curves of a dimension as an SVG: a panel for each metric that is drawn, a line for each store, both axes logarithmic.
 *
 * @param before an earlier run of the same dimension, drawn broken
 */
export function chartOf(dimension: MeasuredDimension, before?: MeasuredDimension): string {
  const drawn = Object.entries(dimension.metrics).filter(([, { target, isDrawn = target !== undefined }]) => isDrawn);
  const panels = drawn
    .map(([metric, { unit, target }]) => ({
      name: `${words(metric)} (${unit})`,
      unit: dimension.unit,
      target,
      now: drawable(curvesOf(dimension, metric)),
      before: before ? drawable(curvesOf(before, metric)) : [],
    }))
    .filter(({ now }) => now.length > 0);
  const width = COLUMNS * PANEL.width;
  const height = HEAD + Math.ceil(panels.length / COLUMNS) * PANEL.height;
  const stores = STORES.filter((store) => dimension.measured.some((one) => one.store === store));
  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img' },
    element('title', {}, `growth: ${dimension.name}`),
    element('style', {}, STYLE),
    element('rect', { class: 'ground', width, height }),
    text(16, 26, `${dimension.name}: by ${dimension.unit}`, { class: 'title' }),
    legend(stores, before !== undefined),
    ...panels.map((panel, i) => {
      const x = (i % COLUMNS) * PANEL.width;
      const y = HEAD + Math.floor(i / COLUMNS) * PANEL.height;
      return element('g', { transform: `translate(${x} ${y})` }, ...drawPanel(panel));
    }),
  );
}

interface Panel {
  readonly name: string;
  readonly unit: string;
  readonly target: Target | undefined;
  readonly now: readonly Curve[];
  readonly before: readonly Curve[];
}

/** What a target draws, and on which side of it values should be. */
function limitOf(target: Target | undefined): readonly [number | undefined, string] {
  if (target && 'atMost' in target) return [target.atMost, '≤'];
  return target && 'atLeast' in target ? [target.atLeast, '≥'] : [undefined, ''];
}

/** A logarithmic axis has no zero. */
function drawable(curves: readonly Curve[]): Curve[] {
  return curves
    .map(({ store, points }) => ({ store, points: points.filter(({ value }) => value > 0) }))
    .filter(({ points }) => points.length > 0);
}

function drawPanel({ name, unit, target, now, before }: Panel): string[] {
  const points = [...now, ...before].flatMap((curve) => curve.points);
  const [limit, sign] = limitOf(target);
  const right = PANEL.width - PANEL.right;
  const bottom = PANEL.height - PANEL.bottom;
  const x = logScale(
    points.map(({ size }) => size),
    PANEL.left,
    right,
  );
  const values = points.map(({ value }) => value);
  const y = logScale(limit === undefined ? values : [...values, limit], bottom, PANEL.top);
  return [
    text(PANEL.left, 30, name, { class: 'name' }),
    ...x.ticks.flatMap((tick) => [
      element('line', { class: 'grid', x1: x.at(tick), x2: x.at(tick), y1: PANEL.top, y2: bottom }),
      text(x.at(tick), bottom + 18, short(tick), { 'text-anchor': 'middle' }),
    ]),
    ...y.ticks.flatMap((tick) => [
      element('line', { class: 'grid', x1: PANEL.left, x2: right, y1: y.at(tick), y2: y.at(tick) }),
      text(PANEL.left - 8, y.at(tick) + 4, short(tick), { 'text-anchor': 'end' }),
    ]),
    text((PANEL.left + right) / 2, bottom + 38, unit, { 'text-anchor': 'middle' }),
    ...(limit === undefined
      ? []
      : [
          element('line', { class: 'limit', x1: PANEL.left, x2: right, y1: y.at(limit), y2: y.at(limit) }),
          text(right - 4, y.at(limit) - 4, `target ${sign} ${short(limit)}`, { class: 'of', 'text-anchor': 'end' }),
        ]),
    ...before.map((curve) => line(curve, x, y, 'before')),
    ...now.map((curve) => line(curve, x, y, '')),
    ...now.flatMap(({ store, points: marked }) =>
      marked.map(({ size, value }) => mark(store, x.at(size), y.at(value))),
    ),
  ];
}

function line({ store, points }: Curve, x: LogScale, y: LogScale, how: string): string {
  const corners = points.map(({ size, value }) => `${x.at(size).toFixed(1)},${y.at(value).toFixed(1)}`);
  return element('polyline', { class: `curve ${store} ${how}`.trim(), points: corners.join(' ') });
}

function mark(store: string, x: number, y: number): string {
  const shape = `mark ${store}`;
  if (store === 'sqlite') return element('circle', { class: shape, cx: x, cy: y, r: 4 });
  const corners = {
    memory: [-4, -4, 4, -4, 0, 5],
    mariadb: [-4, -4, 4, -4, 4, 4, -4, 4],
    postgres: [0, -5.5, 5.5, 0, 0, 5.5, -5.5, 0],
  }[store]!;
  const moved = corners.map((offset, i) => (offset + (i % 2 === 0 ? x : y)).toFixed(1));
  return element('polygon', { class: shape, points: moved.join(' ') });
}

function legend(stores: readonly string[], hasBefore: boolean): string {
  const entries = stores.map((store, i) => {
    const x = 16 + i * 104;
    return [
      element('line', { class: `curve ${store}`, x1: x, x2: x + 24, y1: 46, y2: 46 }),
      mark(store, x + 12, 46),
      text(x + 32, 50, store),
    ].join('');
  });
  const note = hasBefore ? text(16 + stores.length * 104, 50, 'broken line: before') : '';
  return entries.join('') + note;
}

/** 1k, 10k, 1M: long numbers would run into each other. */
function short(value: number): string {
  if (value >= 1e6) return `${value / 1e6}M`;
  return value >= 1000 ? `${value / 1000}k` : String(value);
}
