import { type ActivityJson } from '@waymark/core';
import { descriptorsOf, walkActivities, type ActivityRegistry } from '@waymark/core/adapter';

const FLOWCHART = 'Elsa.Flowchart';
/** Elsa Studio draws nodes about 200 wide and 50 high. */
const COLUMN = 300;
const ROW = 120;
const MARGIN = 100;

interface Connection {
  readonly source: { readonly activity: string };
  readonly target: { readonly activity: string };
}

/**
 * Gives the activities of flowcharts positions, from left to right along the connections: without positions, a canvas draws all
 * of them at the same point. A flowchart with a position for any activity was drawn by a person, and is left as it is.
 * @param root changed in place; must not be a stored object
 */
export function layOut(root: ActivityJson, registry: ActivityRegistry): void {
  walkActivities(root, descriptorsOf(registry), ({ node }) => place(node));
}

function place(node: ActivityJson): void {
  const activities = node.activities as readonly ActivityJson[] | undefined;
  if (node.type !== FLOWCHART || !Array.isArray(activities) || activities.some(hasPosition)) return;
  const ids = activities.map(({ id }) => String(id));
  const columns = columnsOf(ids, (node.connections ?? []) as readonly Connection[]);
  const rows = new Map<number, number>();
  for (const activity of activities) {
    const column = columns.get(String(activity.id)) ?? 0;
    const row = rows.get(column) ?? 0;
    rows.set(column, row + 1);
    const metadata = activity.metadata as Record<string, unknown> | undefined;
    const designer = metadata?.designer as object | undefined;
    const position = { x: MARGIN + column * COLUMN, y: MARGIN + row * ROW };
    activity.metadata = { ...metadata, designer: { ...designer, position } };
  }
}

const hasPosition = ({ metadata }: ActivityJson): boolean =>
  Boolean((metadata as { designer?: { position?: unknown } } | undefined)?.designer?.position);

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
