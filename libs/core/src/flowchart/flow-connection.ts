import type { ActivityNode } from '../graph/activity-node.js';
import { prop } from '../values/plain-object.js';

/** A connection as the definition has it. */
export interface ConnectionJson {
  readonly source: string;
  readonly port: string | null;
  readonly target: string;
}

/** A connection of a flowchart in a graph. */
export interface FlowConnection {
  /** `source:port->target`: identifies the connection in stored state. */
  readonly key: string;
  readonly source: ActivityNode;
  /** Outcome that it leaves from; null: the default outcome. */
  readonly port: string | null;
  readonly target: ActivityNode;
}

/** Reads `connections`: `{ source: { activity, port }, target: { activity } }`, or the older flat form. */
export function readConnections(json: unknown): ConnectionJson[] {
  if (!Array.isArray(json)) return [];
  return json.flatMap((item: unknown) => {
    const source = prop(item, 'source');
    const target = prop(item, 'target');
    const from = typeof source === 'string' ? source : prop(source, 'activity');
    const to = typeof target === 'string' ? target : prop(target, 'activity');
    const port = typeof source === 'string' ? prop(item, 'sourcePort') : prop(source, 'port');
    if (typeof from !== 'string' || typeof to !== 'string') return [];
    return [{ source: from, port: typeof port === 'string' && port !== '' ? port : null, target: to }];
  });
}

/** Binds connections to activities. One that leads to or from an unknown activity is dropped, a repeated one counts once. */
export function bindConnections(
  connections: readonly ConnectionJson[],
  children: readonly ActivityNode[],
): FlowConnection[] {
  const byId = new Map(children.map((child) => [child.id, child] as const));
  const bound = new Map<string, FlowConnection>();
  for (const { source: from, port, target: to } of connections) {
    const source = byId.get(from);
    const target = byId.get(to);
    const key = `${from}:${port ?? ''}->${to}`;
    if (source && target && !bound.has(key)) bound.set(key, { key, source, port, target });
  }
  return [...bound.values()];
}
