import type { ActivityJson } from '../../api/definitions.js';
import { isActivity } from './ports.js';
import { activitiesIn, freeName, newId } from './new-activity.js';
import { type Level, positionOf } from './level.js';
import { isNote, type Note } from './notes.js';

/** What the clipboard holds: activities and the connections among them, as Elsa's JSON, and the notes beside them. */
export interface Clipping {
  readonly activities: readonly ActivityJson[];
  readonly connections: readonly unknown[];
  readonly notes: readonly Note[];
}

export function cut(level: Level, ids: ReadonlySet<string>): Clipping {
  const list = (level.content?.connections ?? []) as readonly unknown[];
  const notes = level.notes.filter(({ id }) => ids.has(id));
  // States are no activities: nowhere but in their machine would they mean anything.
  if (level.kind === 'machine') return { activities: [], connections: [], notes };
  return {
    notes,
    activities: level.activities.filter(({ id }) => ids.has(id)),
    connections: level.connections
      .filter(({ source, target }) => level.kind === 'flowchart' && ids.has(source) && ids.has(target))
      .map(({ index }) => list[index]),
  };
}

export const toText = ({ notes, ...clipping }: Clipping): string =>
  JSON.stringify(notes.length > 0 ? { ...clipping, notes } : clipping, undefined, 2);

/** `undefined` for a text that is something else. A whole flowchart is taken for what is in it. */
export function fromText(text: string): Clipping | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const found = (json ?? {}) as Held & { readonly root?: unknown };
  const holder = (Array.isArray(found.activities) ? found : (found.root ?? {})) as Held;
  if (!Array.isArray(holder.activities))
    return isActivity(json) ? { activities: [json], connections: [], notes: [] } : undefined;
  const activities = (holder.activities as unknown[]).filter(isActivity);
  const notes = listOf(holder.notes ?? holder.metadata?.notes).filter(isNote);
  if (activities.length + notes.length === 0) return undefined;
  return { activities, connections: listOf(holder.connections), notes };
}

interface Held {
  readonly activities?: unknown;
  readonly connections?: unknown;
  readonly notes?: unknown;
  /** A flowchart has its notes there. */
  readonly metadata?: { readonly notes?: unknown };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

const SHIFT = 40;

interface At {
  readonly x: number;
  readonly y: number;
}

/**
 * The same with ids and names that are free, also inside, and a little aside.
 * @param stand where something stands already: pasted twice, nothing lies on what was pasted first
 */
export function renew(
  { activities, connections, notes }: Clipping,
  taken: ReadonlySet<string>,
  at?: At,
  stand: readonly At[] = [],
): Clipping {
  const names = new Set(taken);
  const ids = new Map<string, string>();
  for (const activity of activitiesIn(activities)) ids.set(activity.id, newId());
  const places = [
    ...activities.flatMap((activity) => positionOf(activity) ?? []),
    ...notes.map(({ position }) => ({ x: Number(position.x), y: Number(position.y) })),
  ];
  const left = Math.min(...places.map(({ x }) => x));
  const top = Math.min(...places.map(({ y }) => y));
  const aside = asideOf(places, stand);
  const offset = at && places.length > 0 ? { x: at.x - left, y: at.y - top } : { x: aside, y: aside };
  return {
    activities: activities.map((activity) => {
      const copy = replaceIds(activity, ids, names) as ActivityJson;
      const place = positionOf(activity) ?? at;
      if (!place) return copy;
      const { designer } = (copy.metadata ?? {}) as { designer?: object };
      const position = positionOf(activity)
        ? { x: Math.round(place.x + offset.x), y: Math.round(place.y + offset.y) }
        : place;
      return { ...copy, metadata: { ...copy.metadata, designer: { ...designer, position } } };
    }),
    connections: replaceIds(connections, ids, names) as readonly unknown[],
    notes: notes.map((note) => ({
      ...note,
      id: newId(),
      position: {
        x: Math.round(Number(note.position.x) + offset.x),
        y: Math.round(Number(note.position.y) + offset.y),
      },
    })),
  };
}

function asideOf(places: readonly At[], stand: readonly At[]): number {
  const known = new Set(stand.map(({ x, y }) => `${x} ${y}`));
  let aside = SHIFT;
  while (places.some(({ x, y }) => known.has(`${Math.round(x + aside)} ${Math.round(y + aside)}`))) aside += SHIFT;
  return aside;
}

const NAMES_OF_IDS: ReadonlySet<string> = new Set(['activity', 'id', 'source', 'target']);
const isFlowchart = (value: object): boolean => isActivity(value) && Array.isArray(value.activities);

/** Ids stand in activities, at the ends of connections, and before the names of what activities give. */
function replaceIds(value: unknown, ids: ReadonlyMap<string, string>, names: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceIds(item, ids, names));
  if (typeof value !== 'object' || value === null) return value;
  if ('rawJSON' in value) return value;
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    if (name === 'nodeId' && isActivity(value)) return [];
    if (typeof member === 'string' && (NAMES_OF_IDS.has(name) || (name === 'start' && isFlowchart(value)))) {
      const [before, ...rest] = member.split(':');
      const after = ids.get(before!);
      return [[name, after === undefined ? member : [after, ...rest].join(':')]];
    }
    if (name === 'name' && isActivity(value)) {
      if (typeof member !== 'string' || member === '') return [[name, member]];
      const free = names.has(member) ? freeName(member, names) : member;
      names.add(free);
      return [[name, free]];
    }
    return [[name, replaceIds(member, ids, names)]];
  });
  return Object.fromEntries(members);
}
