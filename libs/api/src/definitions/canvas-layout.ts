import { type ActivityJson } from '@waymark/core';
import { descriptorsOf, walkActivities, type ActivityRegistry } from '@waymark/core/adapter';
import { nodeSize, type NodeSize } from './canvas-size.js';

const FLOWCHART = 'Elsa.Flowchart';
/** Closer nodes are in the way of the arrows between them: Elsa Studio then draws these across other nodes. */
const GAP = 100;
const ROW_GAP = 66;
const MARGIN = 100;

interface Connection {
  readonly source: { readonly activity: string };
  readonly target: { readonly activity: string };
}

interface Position {
  readonly x: number;
  readonly y: number;
}

/**
 * Gives the activities of flowcharts positions, from left to right along the connections: without positions, a canvas draws all
 * of them at the same point. Activities that have a position keep it, and the others are placed below them. Several at (0, 0), or all
 * at one point, have none: a canvas stores them so that was opened without positions.
 * @param root changed in place; must not be a stored object
 */
export function layOut(root: ActivityJson, registry: ActivityRegistry): void {
  const descriptorOf = descriptorsOf(registry);
  const sizeOf = (node: ActivityJson) => nodeSize(node, descriptorOf(node));
  walkActivities(root, descriptorOf, ({ node }) => place(node, sizeOf));
}

function place(flowchart: ActivityJson, sizeOf: (node: ActivityJson) => NodeSize): void {
  const activities = flowchart.activities as readonly ActivityJson[] | undefined;
  if (flowchart.type !== FLOWCHART || !Array.isArray(activities)) return;
  const { placed, missing } = byPlace(activities);
  if (missing.length === 0) return;
  const origin = cornerBelow(placed, sizeOf);
  const columns = columnsOf(
    missing.map(({ id }) => String(id)),
    (flowchart.connections ?? []) as readonly Connection[],
  );
  const inColumns: ActivityJson[][] = [];
  for (const activity of missing) (inColumns[columns.get(String(activity.id)) ?? 0] ??= []).push(activity);
  let { x } = origin;
  for (const column of inColumns) {
    const sizes = column.map(sizeOf);
    let { y } = origin;
    for (const [row, activity] of column.entries()) {
      setPosition(activity, { x, y });
      y += sizes[row]!.height + ROW_GAP;
    }
    const gap = Math.max(GAP, ...sizes.map(({ outcomesWidth }) => outcomesWidth + GAP / 2));
    x += Math.max(...sizes.map(({ width }) => width)) + gap;
  }
}

/** Which activities were drawn, and which were not. */
function byPlace(activities: readonly ActivityJson[]) {
  const points = activities.map((activity) => pointOf(positionOf(activity)));
  const isPile = activities.length > 1 && new Set(points).size === 1;
  // Some may have been moved off the pile since.
  const isPartlyPile = points.filter((point) => point === '0,0').length > 1;
  const isMissing = (index: number) => isPile || points[index] === '' || (isPartlyPile && points[index] === '0,0');
  return {
    placed: activities.filter((_, index) => !isMissing(index)),
    missing: activities.filter((_, index) => isMissing(index)),
  };
}

function positionOf({ metadata }: ActivityJson): Position | undefined {
  const { x, y } =
    (metadata as { designer?: { position?: Partial<Position> | null } | null } | undefined)?.designer?.position ?? {};
  return Number.isFinite(x) && Number.isFinite(y) ? { x: x!, y: y! } : undefined;
}

const pointOf = (position: Position | undefined): string => (position ? `${position.x},${position.y}` : '');

/** Where what has no position begins. */
function cornerBelow(placed: readonly ActivityJson[], sizeOf: (node: ActivityJson) => NodeSize): Position {
  if (placed.length === 0) return { x: MARGIN, y: MARGIN };
  const bottoms = placed.map((node) => positionOf(node)!.y + sizeOf(node).height);
  return { x: Math.min(...placed.map((node) => positionOf(node)!.x)), y: Math.max(...bottoms) + ROW_GAP };
}

function setPosition(activity: ActivityJson, position: Position): void {
  const metadata = activity.metadata as Record<string, unknown> | undefined;
  activity.metadata = { ...metadata, designer: { ...(metadata?.designer as object | undefined), position } };
}

/** The column of each activity: one after the last activity with a connection to it. Connections that lead back do not count. */
function columnsOf(ids: readonly string[], connections: readonly Connection[]): ReadonlyMap<string, number> {
  const known = new Set(ids);
  const targets = new Map<string, string[]>();
  const isTarget = new Set<string>();
  for (const { source, target } of connections) {
    if (!known.has(source.activity) || !known.has(target.activity)) continue;
    targets.set(source.activity, [...(targets.get(source.activity) ?? []), target.activity]);
    isTarget.add(target.activity);
  }
  // In a graph with cycles, the walk begins at activities without incoming connections.
  const starts = [...ids.filter((id) => !isTarget.has(id)), ...ids];
  const { order, forward } = forwardOrder(starts, targets);
  const columns = new Map(ids.map((id) => [id, 0]));
  for (const id of order)
    for (const target of forward.get(id) ?? [])
      columns.set(target, Math.max(columns.get(target)!, columns.get(id)! + 1));
  return columns;
}

/** Each activity before those that it leads to, and the arrows that lead forward; depth first, without recursion. */
function forwardOrder(starts: readonly string[], targets: ReadonlyMap<string, readonly string[]>) {
  const state = new Map<string, 'open' | 'done'>();
  const forward = new Map<string, string[]>();
  const finished: string[] = [];
  for (const start of starts) {
    if (state.has(start)) continue;
    const path = [{ id: start, next: 0 }];
    state.set(start, 'open');
    while (path.length > 0) {
      const top = path.at(-1)!;
      const target = targets.get(top.id)?.[top.next++];
      if (target === undefined) {
        state.set(top.id, 'done');
        finished.push(top.id);
        path.pop();
      } else if (state.get(target) !== 'open') {
        forward.set(top.id, [...(forward.get(top.id) ?? []), target]);
        if (!state.has(target)) {
          state.set(target, 'open');
          path.push({ id: target, next: 0 });
        }
      }
    }
  }
  return { order: finished.reverse(), forward };
}
