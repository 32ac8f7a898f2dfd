import { type Edge, MarkerType, type Node, Position } from '@xyflow/react';
import type { ActivityJson } from '../../api/definitions.js';
import type { ActivityDescriptor } from '../../api/descriptors.js';
import { designerTexts as texts } from '../../texts/designer.js';
import type { ActivityCatalogue } from '../model/descriptors.js';
import { definitionOf } from '../model/descriptors.js';
import type { Connection, Level } from '../model/level.js';
import { heightOfNote, type Note } from '../model/notes.js';
import { heightOf, NODE_WIDTH, outcomesOf, type Slot, slotsOf, widthOf } from '../model/ports.js';
import { isTransition } from '../model/state-machine.js';
import type { NodeRun } from '../run/run-path.js';
import { nameOf, typeName } from './names.js';

export type CanvasNodeData = {
  readonly activity: ActivityJson;
  readonly descriptor: ActivityDescriptor | undefined;
  /** Its own, and behind them `strange` ones. */
  readonly outcomes: readonly string[];
  /** Those that only connections name: the type or the values of the activity do not have them, or no longer. */
  readonly strange: readonly string[];
  readonly slots: readonly Slot[];
  readonly problem: string | undefined;
  /** The definition that it runs. */
  readonly runs: string | undefined;
  /** What a run for trying out did here. */
  readonly ran: NodeRun | undefined;
};
export type CanvasNode = Node<CanvasNodeData, 'activity' | 'state'>;

export type NoteNode = Node<{ readonly note: Note }, 'note'>;
export type ShownNode = CanvasNode | NoteNode;

export type CanvasEdgeData = {
  readonly connection: Connection;
  /** Of several between the same two states, so that they do not lie on each other: how far from the middle. */
  readonly lane: number;
  /** A run for trying out came this way. */
  readonly isTaken: boolean;
};
export type CanvasEdge = Edge<CanvasEdgeData, 'connection' | 'transition'>;

interface NodeOptions {
  readonly catalogue: ActivityCatalogue;
  readonly kind: Level['kind'];
  readonly problem: string | undefined;
  readonly ran: NodeRun | undefined;
  /** The ways out that connections take. */
  readonly taken?: readonly string[] | undefined;
  readonly position: { readonly x: number; readonly y: number };
  readonly isSelected: boolean;
  readonly isReadonly: boolean;
}

/** The node of an activity; the one from before, if nothing about it is different, so that it is not drawn again. */
export function nodeFor(activity: ActivityJson, before: CanvasNode | undefined, options: NodeOptions): CanvasNode {
  const { catalogue, kind, problem, ran, taken = [], position, isSelected, isReadonly } = options;
  const isSame =
    before &&
    before.data.activity === activity &&
    before.data.problem === problem &&
    // Of a type that another person has published since, and after a login that may do more or less.
    before.data.descriptor === catalogue.of(activity) &&
    before.draggable === !isReadonly &&
    isSameRun(before.data.ran, ran) &&
    hasSamePorts(before.data, taken);
  if (isSame && before.selected === isSelected && before.position.x === position.x && before.position.y === position.y)
    return before;
  if (isSame) return { ...before, position: { ...position }, selected: isSelected };
  const descriptor = catalogue.of(activity);
  // Of a type that the server does not know, its connections tell.
  const isTold = kind === 'flowchart' && !descriptor && taken.length > 0;
  const own = kind === 'list' ? ['Done'] : kind === 'single' ? [] : isTold ? taken : outcomesOf(activity, descriptor);
  const strange = kind === 'flowchart' ? taken.filter((port) => !own.includes(port)) : [];
  const outcomes = [...own, ...strange];
  const slots = slotsOf(activity, descriptor);
  const height = heightOf(outcomes, slots);
  const width = widthOf(activity);
  const hasInput = kind === 'machine' || (kind === 'flowchart' && !descriptor?.isStart);
  const label =
    texts.node.label(nameOf(activity), typeName(activity.type, descriptor)) +
    (strange.length > 0 ? texts.node.strangeOutcomes(strange.join(', ')) : '');
  return {
    id: activity.id,
    type: kind === 'machine' ? 'state' : 'activity',
    position: { ...position },
    selected: isSelected,
    width,
    height,
    // Not only when it was on the screen: the first view shows everything, wherever that stands.
    measured: { width, height },
    // Known without measuring: an edge to a node that was never on the screen can be drawn.
    handles: [
      ...(hasInput || kind === 'list' ? [handle('target', 'In', Position.Left, 0, 28)] : []),
      ...outcomes.map((outcome, index) =>
        handle('source', outcome, Position.Right, width, portTop(index, outcomes.length)),
      ),
    ],
    data: { activity, descriptor, outcomes, strange, slots, problem, runs: definitionOf(descriptor), ran },
    ariaLabel: problem ? label + texts.node.problem(problem) : label,
    draggable: !isReadonly,
    // The keyboard goes over the canvas by arrows: one stop for Tab.
    focusable: false,
  };
}

/** If true, the same strange ones would be drawn. */
const hasSamePorts = ({ outcomes, strange }: CanvasNodeData, taken: readonly string[]): boolean =>
  taken.every((port) => outcomes.includes(port)) && strange.every((port) => taken.includes(port));

const isSameRun = (a: NodeRun | undefined, b: NodeRun | undefined): boolean =>
  a?.tone === b?.tone && a?.times === b?.times;

/** The node of a note; the one from before, if nothing about it is different. */
export function noteFor(note: Note, before: NoteNode | undefined, isSelected: boolean, isReadonly: boolean): NoteNode {
  const { x, y } = note.position;
  if (
    before &&
    before.data.note === note &&
    before.draggable === !isReadonly &&
    before.selected === isSelected &&
    before.position.x === x &&
    before.position.y === y
  )
    return before;
  const size = { width: NODE_WIDTH, height: heightOfNote(note.text) };
  return {
    id: note.id,
    type: 'note',
    position: { x, y },
    selected: isSelected,
    ...size,
    measured: size,
    data: { note },
    ariaLabel: texts.note.label(note.text),
    draggable: !isReadonly,
    connectable: false,
    focusable: false,
  };
}

const ARROW = { type: MarkerType.ArrowClosed, width: 16, height: 16 } as const;
const TAKEN_ARROW = { type: MarkerType.ArrowClosed, width: 8, height: 8, color: 'var(--status-finished)' } as const;

const HANDLE = 10;

const handle = (type: 'source' | 'target', id: string, position: Position, x: number, y: number) => ({
  type,
  id,
  position,
  x: x - HANDLE / 2,
  y: y - HANDLE / 2,
  width: HANDLE,
  height: HANDLE,
});

/** Where a way out stands on the edge of a node. */
export const portTop = (index: number, count: number): number => (count === 1 ? 28 : 18 + index * 20);

export const edgeFor = (connection: Connection, isSelected: boolean, lane = 0, isTaken = false): CanvasEdge => {
  const { index, source, port, target } = connection;
  return {
    id: `${index} ${source} ${port} ${target}`,
    type: isTransition(connection) ? 'transition' : 'connection',
    source,
    target,
    sourceHandle: port,
    targetHandle: 'In',
    selected: isSelected,
    data: { connection, lane, isTaken },
    ...(isTaken ? { className: 'taken' } : {}),
    // Its size is in widths of the line.
    markerEnd: isTaken ? TAKEN_ARROW : ARROW,
    focusable: false,
    ariaLabel: '',
  };
};
