import type { ActivityJson } from '../../api/definitions.js';
import type { Design } from './change.js';
import { getAt, type Path } from './json-path.js';
import { type Note, notesOf } from './notes.js';
import { isActivity } from './ports.js';
import { isMachine, pathInMachine, stateNodes, transitionsOf } from './state-machine.js';

/** One step down: into a slot of an activity. By id, because places in lists move. */
export interface Step {
  readonly id: string;
  readonly slot: Path;
}

export interface Connection {
  /** Place among the connections of the flowchart. */
  readonly index: number;
  readonly source: string;
  readonly port: string;
  readonly target: string;
  readonly targetPort: string;
}

/** What the canvas shows at once. */
export interface Level {
  readonly steps: readonly Step[];
  /** Where its content stands in the document. */
  readonly path: Path;
  readonly content: ActivityJson | undefined;
  /**
   * A flowchart has connections, a list an order (a sequence), a machine states, which take the place of activities, and
   * transitions, which take that of connections. A single activity becomes a flowchart when a second comes, and an empty slot
   * when the first does.
   */
  readonly kind: 'flowchart' | 'list' | 'machine' | 'single' | 'empty';
  readonly activities: readonly ActivityJson[];
  readonly connections: readonly Connection[];
  /** Texts beside the activities, of a container. */
  readonly notes: readonly Note[];
}

/** The level at the end of the steps, or as far down as they lead now. */
export function levelAt(design: Design, steps: readonly Step[]): Level {
  let path: Path = ['root'];
  const taken: Step[] = [];
  for (const step of steps) {
    const below = pathOfActivity(contentAt(design, path), path, step.id);
    if (!below) break;
    taken.push(step);
    path = [...below, ...step.slot];
  }
  const content = contentAt(design, path);
  const inside = insideOf(content);
  return { steps: taken, path, content, ...inside, notes: inside.kind === 'single' ? [] : notesOf(content) };
}

/** Where an activity of a level stands in the document. */
export const activityPath = ({ content, path }: Level, id: string): Path | undefined =>
  pathOfActivity(content, path, id);

export function activityOf(level: Level, id: string | undefined): ActivityJson | undefined {
  return id === undefined ? undefined : level.activities.find((activity) => activity.id === id);
}

/** If true, lines between what it shows can be drawn. */
export const isWired = ({ kind }: Level): boolean => kind === 'flowchart' || kind === 'machine';

/** Equal for levels at the same place. */
export const keyOf = (steps: readonly Step[]): string =>
  steps.map(({ id, slot }) => `${id}/${slot.join('.')}`).join(' > ');

function contentAt(design: Design, path: Path): ActivityJson | undefined {
  const value = getAt(design, path);
  return isActivity(value) ? value : undefined;
}

function pathOfActivity(content: ActivityJson | undefined, path: Path, id: string): Path | undefined {
  if (!content) return undefined;
  if (isMachine(content)) return content.id === id ? path : pathInMachine(content, path, id);
  if (!Array.isArray(content.activities)) return content.id === id ? path : undefined;
  const index = (content.activities as ActivityJson[]).findIndex((activity) => activity?.id === id);
  return index === -1 ? undefined : [...path, 'activities', index];
}

function insideOf(content: ActivityJson | undefined): Pick<Level, 'kind' | 'activities' | 'connections'> {
  if (!content) return { kind: 'empty', activities: [], connections: [] };
  if (isMachine(content))
    return { kind: 'machine', activities: stateNodes(content), connections: transitionsOf(content) };
  if (!Array.isArray(content.activities))
    return content.type === 'Elsa.Flowchart'
      ? { kind: 'flowchart', activities: [], connections: [] }
      : { kind: 'single', activities: [content], connections: [] };
  const activities = (content.activities as unknown[]).filter(isActivity);
  if (content.type === 'Elsa.Flowchart') return { kind: 'flowchart', activities, connections: connectionsOf(content) };
  return { kind: 'list', activities, connections: content.type === 'Elsa.Sequence' ? chainOf(activities) : [] };
}

const chainOf = (activities: readonly ActivityJson[]): Connection[] =>
  activities.slice(1).map(({ id }, index) => ({
    index,
    source: activities[index]!.id,
    port: 'Done',
    target: id,
    targetPort: 'In',
  }));

type End = string | { readonly activity?: string; readonly port?: string | null } | undefined;

function connectionsOf({ connections }: ActivityJson): Connection[] {
  const list = (Array.isArray(connections) ? connections : []) as readonly Readonly<Record<string, unknown>>[];
  return list.map(({ source, target, sourcePort, targetPort }, index) => ({
    index,
    source: nameOf(source as End),
    port: portOf(source as End, sourcePort) || 'Done',
    target: nameOf(target as End),
    targetPort: portOf(target as End, targetPort) || 'In',
  }));
}

const nameOf = (end: End): string => (typeof end === 'string' ? end : (end?.activity ?? ''));
/** Early versions of Elsa wrote the ports beside the ends. */
const portOf = (end: End, beside: unknown): string =>
  (typeof end === 'object' ? end.port : typeof beside === 'string' ? beside : '') ?? '';

interface Point {
  readonly x: number;
  readonly y: number;
}

export type Positions = ReadonlyMap<string, Point>;

export function positionOf({ metadata }: ActivityJson): { x: number; y: number } | undefined {
  const { position } = (metadata?.designer ?? {}) as { position?: { x?: unknown; y?: unknown } };
  const [x, y] = [Number(numberOf(position?.x)), Number(numberOf(position?.y))];
  return Number.isFinite(x) && Number.isFinite(y) ? { x, y } : undefined;
}

/**
 * The place of one of these activities, if it was given one. Several at (0, 0) have none: that is how Elsa's designer stores a
 * flowchart that it drew as a pile.
 */
export function placeAmong(activities: readonly ActivityJson[], activity: ActivityJson): Point | undefined {
  const own = positionOf(activity);
  if (!own || !isOrigin(own)) return own;
  let isPile = piles.get(activities);
  if (isPile === undefined) piles.set(activities, (isPile = hasPile(activities)));
  return isPile ? undefined : own;
}

/** Counted once for a list: it is asked of each activity in it. */
const piles = new WeakMap<readonly ActivityJson[], boolean>();

const hasPile = (activities: readonly ActivityJson[]): boolean =>
  activities.filter((activity) => {
    const place = positionOf(activity);
    return place && isOrigin(place);
  }).length > 1;

const isOrigin = ({ x, y }: Point): boolean => x === 0 && y === 0;

/** A number, or the text of one that has more digits than a number here can hold. */
const numberOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'rawJSON' in value ? value.rawJSON : (value ?? Number.NaN);
