import type { ActivityJson } from '../../api/definitions.js';
import { type Change, type Design, edit } from './change.js';
import { getAt, type Path } from './json-path.js';
import { activityPath, type Connection, type Level, type Positions } from './level.js';
import { addTransition, changeTransition, moveInMachine, removeFromMachine } from './machine-commands.js';
import { newFlowchart } from './new-activity.js';
import { changeNote, type Note, withNotes, withoutNotes } from './notes.js';
import { nameOfState } from './state-machine.js';
import { typedAt } from './typed-at.js';

// Everything that changes a drawing. Each is a pure function from a document to what it changes in it.

type Ends = Pick<Connection, 'source' | 'port' | 'target'>;

export const connectionJson = ({ source, port, target }: Ends) => ({
  source: { activity: source, port },
  target: { activity: target, port: 'In' },
  vertices: [],
});

const connectionsIn = (content: ActivityJson) => (content.connections ?? []) as readonly unknown[];

/** What a level holds becomes that; a slot that cannot take several activities becomes a flowchart. */
function editLevel(
  design: Design,
  level: Level,
  next: (content: ActivityJson) => ActivityJson | null,
  key?: string,
): Change {
  return edit(
    design,
    level.path,
    (content: ActivityJson | null | undefined) => {
      if (!content || level.kind === 'empty') return next(newFlowchart([]));
      return next(level.kind === 'single' ? newFlowchart([content]) : content);
    },
    key,
  );
}

/** Where new activities go in. */
export interface Place {
  /** From this way out. */
  readonly after?: { readonly id: string; readonly port: string } | undefined;
  /** In place of this connection. */
  readonly on?: Connection | undefined;
  /** The way out of the first new activity that continues where the connection went. */
  readonly outcome?: string | undefined;
}

/** Adds activities, with connections among them, and connects the first with where it was put. */
export function insert(
  design: Design,
  level: Level,
  added: readonly ActivityJson[],
  { after, on, outcome = 'Done' }: Place = {},
  among: readonly unknown[] = [],
): Change {
  // A machine takes states; activities go into these.
  if (level.kind === 'machine') return { patches: [] };
  const [first] = added;
  return editLevel(design, level, (content) => {
    const activities = (content.activities ?? []) as readonly ActivityJson[];
    if (level.kind === 'list') {
      const before = on?.source ?? after?.id;
      const index = before === undefined ? activities.length : activities.findIndex(({ id }) => id === before) + 1;
      return { ...content, activities: activities.toSpliced(index, 0, ...added) };
    }
    const more = [...among];
    if (first && after) more.push(connectionJson({ source: after.id, port: after.port, target: first.id }));
    if (first && on) {
      more.push(connectionJson({ source: on.source, port: on.port, target: first.id }));
      more.push(connectionJson({ source: first.id, port: outcome, target: on.target }));
    }
    const kept = connectionsIn(content).filter((_connection, index) => index !== on?.index);
    const connections = more.length > 0 || on ? { connections: [...kept, ...more] } : {};
    return { ...content, activities: [...activities, ...added], ...connections };
  });
}

export const connect = (design: Design, level: Level, ends: Ends): Change =>
  level.kind === 'machine'
    ? addTransition(design, level, ends.source, ends.target)
    : connectActivities(design, level, ends);

const connectActivities = (design: Design, level: Level, ends: Ends): Change =>
  editLevel(design, level, (content) => ({
    ...content,
    connections: [...connectionsIn(content), connectionJson(ends)],
  }));

/** An end of a connection is put elsewhere. */
export function reconnect(design: Design, level: Level, { index }: Connection, ends: Ends): Change {
  if (level.kind === 'machine')
    return changeTransition(design, level, index, {
      from: nameOfState(ends.source) ?? '',
      to: nameOfState(ends.target) ?? '',
    });
  return editLevel(design, level, (content) => ({
    ...content,
    connections: connectionsIn(content).with(index, {
      ...(connectionsIn(content)[index] as object),
      ...connectionJson(ends),
    }),
  }));
}

export const addNote = (design: Design, level: Level, note: Note): Change =>
  editLevel(design, level, (content) => withNotes(content, (notes) => [...notes, note]));

/** Activities with the connections at them, single connections, and notes. */
export function remove(
  design: Design,
  level: Level,
  ids: ReadonlySet<string>,
  connections: ReadonlySet<number> = new Set(),
): Change {
  if (level.kind === 'machine') return removeFromMachine(design, level, ids, connections);
  // The only activity of a slot leaves it empty; a definition always has a root.
  if (level.kind === 'single')
    return edit(design, level.path, (content: ActivityJson) =>
      !ids.has(content.id) ? content : level.path.length === 1 ? newFlowchart([]) : null,
    );
  const gone = new Set(
    level.connections
      .filter(({ index, source, target }) => connections.has(index) || ids.has(source) || ids.has(target))
      .map(({ index }) => index),
  );
  return editLevel(design, level, (content) => ({
    ...withoutNotes(content, ids),
    activities: ((content.activities ?? []) as readonly ActivityJson[]).filter(({ id }) => !ids.has(id)),
    ...(level.kind === 'flowchart' && gone.size > 0
      ? { connections: connectionsIn(content).filter((_connection, index) => !gone.has(index)) }
      : {}),
  }));
}

/** Puts activities and notes at places, in whole points; everything else about them stays as it is. */
export function move(design: Design, level: Level, places: Positions, key?: string): Change {
  if (level.kind === 'machine') return moveInMachine(design, level, places, key);
  const patches = [...places].flatMap(([id, { x, y }]) => {
    const path = activityPath(level, id);
    if (!path)
      return changeNote(design, level, id, { position: { x: Math.round(x), y: Math.round(y) } })?.patches ?? [];
    return edit(design, path, (activity: ActivityJson) => {
      const { designer } = (activity.metadata ?? {}) as { designer?: object };
      const position = { x: Math.round(x), y: Math.round(y) };
      return { ...activity, metadata: { ...activity.metadata, designer: { ...designer, position } } };
    }).patches;
  });
  return { patches, key };
}

/** One step earlier or later in a sequence. */
export function shift(design: Design, level: Level, id: string, by: 1 | -1): Change {
  return editLevel(design, level, (content) => {
    const activities = [...((content.activities ?? []) as readonly ActivityJson[])];
    const from = activities.findIndex((activity) => activity.id === id);
    const to = from + by;
    if (from === -1 || to < 0 || to >= activities.length) return content;
    [activities[from], activities[to]] = [activities[to]!, activities[from]!];
    return { ...content, activities };
  });
}

/** A member of an object in the document; `undefined` takes it away. Letters that are typed in a row are one step of undo. */
export function setMember(design: Design, path: Path, member: string, value: unknown): Change {
  const typed = typedAt(getAt(design, [...path, member]), value);
  return setMembers(
    design,
    path,
    { [member]: value },
    typed === undefined ? undefined : `${[...path, member].join('/')}${typed}`,
  );
}

/** Several at once. @param key what is written in a row with the same key is one step of undo */
export const setMembers = (
  design: Design,
  path: Path,
  members: Readonly<Record<string, unknown>>,
  key?: string,
): Change =>
  edit(
    design,
    path,
    (object: object | null | undefined) =>
      Object.fromEntries(
        Object.entries({ ...object, ...members }).filter(([name, value]) => value !== undefined || !(name in members)),
      ),
    key,
  );
