import { isPlainObject, prop } from '../values/plain-object.js';
import { NOT_FOUND_TYPE } from './activity-types.js';
import type { Reading } from './definition-context.js';
import { DefinitionFormatError } from './definition-format-error.js';
import { join, mismatch, requireObject, type JsonObject } from './json-members.js';
import { SET_ASIDE, type NodeEnvelope } from './node-envelope.js';
import type { ActivityJson } from './workflow-definition.js';

export interface ConnectionEndJson {
  activity: string;
  port?: string;
}

/** An arrow of a flowchart. */
export interface ConnectionJson {
  source: ConnectionEndJson;
  target: ConnectionEndJson;
  vertices: unknown[];
}

/**
 * Connections of a flowchart. Those that leave an activity of unknown type are kept apart in `customProperties`: nothing
 * can say whether its ports exist. So are those of which an end is missing. They come back when the type or the activity does.
 */
export function readConnections(
  json: JsonObject,
  envelope: Pick<NodeEnvelope, 'customProperties'>,
  activities: readonly ActivityJson[],
  at: string,
  run: Reading,
): ConnectionJson[] {
  const types = new Map(activities.filter((a) => a.id !== '').map((a) => [a.id, a.type]));
  const drawn = readAll(prop(json, 'connections'), join(at, 'connections'), types, run);
  const known = new Set(drawn.map(identityOf));
  const aside = readAll(envelope.customProperties[SET_ASIDE], `${at}.customProperties.${SET_ASIDE}`, types, run);
  const all = [...drawn, ...aside.filter((c) => !known.has(identityOf(c)))];
  const leavesUnknown = (c: ConnectionJson): boolean =>
    types.get(c.source.activity) === NOT_FOUND_TYPE || lostEnd(c, types) !== undefined;
  envelope.customProperties[SET_ASIDE] = all.filter(leavesUnknown);
  return all.filter((c) => !leavesUnknown(c));
}

const identityOf = ({ source, target }: ConnectionJson): string =>
  JSON.stringify([source.activity, source.port, target.activity, target.port]);

function readAll(
  value: unknown,
  at: string,
  types: ReadonlyMap<string | undefined, string>,
  run: Reading,
): ConnectionJson[] {
  const connections: ConnectionJson[] = [];
  for (const [i, item] of listOf(value, at).entries()) {
    if (item === null) continue;
    const path = `${at}[${i}]`;
    const json = requireObject(item, path);
    const isFlat = typeof prop(json, 'source') === 'string';
    const connection = {
      source: readEnd(json, 'source'),
      target: readEnd(json, 'target'),
      vertices: readVertices(json),
    };
    const lost = lostEnd(connection, types);
    if (lost !== undefined) report(connection[lost].activity, `${path}.${lost}`, isFlat, run);
    connections.push(connection);
  }
  return connections;
}

function lostEnd(
  connection: ConnectionJson,
  types: ReadonlyMap<string | undefined, string>,
): 'source' | 'target' | undefined {
  return (['source', 'target'] as const).find((end) => !types.has(connection[end].activity));
}

/** The flat form of old files was never written with dangling ends, so there it means a broken file. */
function report(activityId: string, at: string, isFlat: boolean, run: Reading): void {
  if (!isFlat)
    return run.warn(at, `The connection is kept but not followed: the flowchart has no activity '${activityId}'.`);
  throw new DefinitionFormatError(
    at,
    `'${at}' names the activity '${activityId}', which the flowchart does not have. Add the activity, or remove the connection.`,
    {
      code: 'WM1003',
      activityId,
    },
  );
}

function listOf(value: unknown, at: string): readonly unknown[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value as unknown[];
  if (!isPlainObject(value)) throw mismatch(at, 'a list of connections', value);
  return Array.isArray(value.$values) ? (value.$values as unknown[]) : [value];
}

function readEnd(json: JsonObject, name: 'source' | 'target'): ConnectionEndJson {
  const end = prop(json, name);
  const activity = typeof end === 'string' ? end : prop(end, 'activity');
  const port = typeof end === 'string' ? prop(json, `${name}Port`) : prop(end, 'port');
  return { activity: typeof activity === 'string' ? activity : '', ...(typeof port === 'string' ? { port } : {}) };
}

function readVertices(json: JsonObject): unknown[] {
  const vertices = prop(json, 'vertices');
  return Array.isArray(vertices) ? vertices.filter((vertex) => isPlainObject(vertex)) : [];
}
