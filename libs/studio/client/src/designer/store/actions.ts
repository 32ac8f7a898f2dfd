import type { ActivityJson } from '../../api/definitions.js';
import type { ActivityDescriptor } from '../../api/descriptors.js';
import { align, type Alignment, beside, type Box, free, roomBetween } from '../model/arrange.js';
import { type Design, together } from '../model/change.js';
import { type Clipping, cut, fromText, renew, toText } from '../model/clipboard.js';
import * as commands from '../model/commands.js';
import type { ActivityCatalogue } from '../model/descriptors.js';
import {
  activityOf,
  type Connection,
  isWired,
  type Level,
  levelAt,
  placeAmong,
  type Positions,
} from '../model/level.js';
import { addState, changeTransition, freeStateName } from '../model/machine-commands.js';
import { namesIn, newActivity, newId } from '../model/new-activity.js';
import { boxOfNote } from '../model/notes.js';
import { heightOf, NODE_WIDTH, outcomesOf, slotsOf } from '../model/ports.js';
import { stateId, transitionId } from '../model/state-machine.js';
import type { DesignStore } from './design-store.js';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where something new is put. Without a place, it stands beside what is selected. */
export interface Target {
  readonly after?: { readonly id: string; readonly port: string } | undefined;
  readonly on?: Connection | undefined;
  readonly at?: Point | undefined;
}

/** What people do on the canvas, in terms of commands on the document. */
export class DesignerActions {
  constructor(
    private readonly store: DesignStore,
    readonly catalogue: ActivityCatalogue,
  ) {}

  /** The middle of what is seen. The canvas knows it. */
  middle: () => Point = () => ({ x: 80, y: 80 });

  /**
   * Puts the keyboard on the canvas, and an activity into what is seen of it; if it is to be read, near enough for that. The canvas
   * does it.
   */
  reveal: (ids: readonly string[], isRead?: boolean) => void = () => undefined;

  private get level(): Level {
    return this.store.state.level;
  }

  positionOf(activity: ActivityJson): Point {
    return placeAmong(this.level.activities, activity) ?? this.store.state.laidOut.get(activity.id) ?? { x: 0, y: 0 };
  }

  boxOf(activity: ActivityJson): Box {
    const descriptor = this.catalogue.of(activity);
    const height = heightOf(outcomesOf(activity, descriptor), slotsOf(activity, descriptor));
    return { id: activity.id, ...this.positionOf(activity), height };
  }

  get boxes(): Box[] {
    return [...this.level.activities.map((activity) => this.boxOf(activity)), ...this.level.notes.map(boxOfNote)];
  }

  /** The first way out of an activity that leads nowhere yet. */
  freeOutcome(activity: ActivityJson): string | undefined {
    if (this.level.kind === 'machine') return 'Done';
    if (this.level.kind !== 'flowchart') return undefined;
    const taken = new Set(
      this.level.connections.filter(({ source }) => source === activity.id).map(({ port }) => port),
    );
    return outcomesOf(activity, this.catalogue.of(activity)).find((outcome) => !taken.has(outcome));
  }

  /** Puts a new activity in, and selects it. @returns its id */
  insert(descriptor: ActivityDescriptor, target: Target = this.besideSelection()): string {
    const { design } = this.store;
    const isFirstTrigger =
      descriptor.kind === 'Trigger' &&
      this.level.path.length === 1 &&
      !this.level.activities.some((activity) => startsWorkflow(activity));
    const added = newActivity(descriptor, {
      taken: namesIn(design),
      position: this.place(target),
      starts: isFirstTrigger,
    });
    this.put(added, target, outcomesOf(added, descriptor)[0]);
    return added.id;
  }

  /** A state of the machine that is seen, with a transition from what it was put behind, selected. @returns its id */
  addState(target: Target = this.besideSelection()): string | undefined {
    const { store, level } = this;
    if (!level.content || level.kind !== 'machine' || store.isReadonly) return undefined;
    const name = freeStateName(level.content);
    const position = this.place(target);
    const { steps } = level;
    store.perform(
      together(
        store.design,
        (design) => (target.on && !target.at ? this.makeRoom(design, target.on) : undefined),
        (design) =>
          addState(design, levelAt(design, steps), { name, position, after: target.after?.id, on: target.on?.index }),
      ),
    );
    store.select([stateId(name)]);
    return stateId(name);
  }

  /** Gives a transition a trigger or an action, and opens that. @returns its id */
  fillTransition(index: number, slot: 'trigger' | 'action', descriptor: ActivityDescriptor): string {
    const { store, level } = this;
    const { design } = store;
    const added = newActivity(descriptor, { taken: namesIn(design), position: { x: 0, y: 0 }, starts: false });
    store.perform(changeTransition(design, level, index, { [slot]: added }));
    store.enter([...level.steps, { id: transitionId(index), slot: [slot] }], added.id);
    return added.id;
  }

  /** An empty note, selected. */
  addNote(): void {
    const { store } = this;
    if (store.isReadonly) return;
    const { x, y } = free(this.middle(), this.boxes);
    const note = { id: newId(), text: '', position: { x: Math.round(x), y: Math.round(y) } };
    store.perform(commands.addNote(store.design, this.level, note));
    store.select([note.id]);
  }

  private besideSelection(): Target {
    const { nodes } = this.store.state.selection;
    const selected = nodes.size === 1 ? activityOf(this.level, [...nodes][0]) : undefined;
    if (!selected) return {};
    const port = this.freeOutcome(selected) ?? (this.level.kind === 'list' ? 'Done' : undefined);
    if (port !== undefined) return { after: { id: selected.id, port } };
    return { at: beside(this.boxOf(selected), this.boxes) };
  }

  private place({ at, after, on }: Target): Point {
    if (at) return { x: Math.round(at.x), y: Math.round(at.y) };
    const source = activityOf(this.level, after?.id ?? on?.source);
    if (on && source) {
      const { x, y } = this.positionOf(source);
      return { x: x + NODE_WIDTH + gapOf(this.level, [on.port]), y };
    }
    return source
      ? beside(this.boxOf(source), this.boxes, undefined, gapOf(this.level, after ? [after.port] : undefined))
      : free(this.middle(), this.boxes);
  }

  private put(added: ActivityJson, target: Target, outcome: string | undefined): void {
    const { store, level } = this;
    const steps = level.steps;
    store.perform(
      together(
        store.design,
        (design) => (target.on && !target.at ? this.makeRoom(design, target.on) : undefined),
        (design) => commands.insert(design, levelAt(design, steps), [added], { ...target, outcome }),
      ),
    );
    store.select([added.id]);
  }

  /** Moves what stands right of a connection, so that one more fits between its ends. */
  private makeRoom(design: Design, { source, target }: Connection) {
    const [from, to] = [activityOf(this.level, source), activityOf(this.level, target)];
    if (!from || !to || from === to || !isWired(this.level)) return undefined;
    const by = roomBetween(this.boxOf(from), this.boxOf(to), gapOf(this.level));
    if (by === 0 || this.boxOf(to).x < this.boxOf(from).x) return undefined;
    const edge = this.boxOf(to).x;
    const moved = this.boxes.filter(({ x, id }) => x >= edge && id !== source);
    return commands.move(design, this.level, new Map(moved.map(({ id, x, y }) => [id, { x: x + by, y }])));
  }

  canConnect(source: string, port: string, target: string): boolean {
    if (!isWired(this.level) || this.store.isReadonly) return false;
    const goal = activityOf(this.level, target);
    // Two states may be connected in several ways, each with its own trigger; a state also with itself.
    if (this.level.kind === 'machine') return goal !== undefined;
    if (!goal || this.catalogue.of(goal)?.isStart) return false;
    return !this.level.connections.some((one) => one.source === source && one.port === port && one.target === target);
  }

  connect(source: string, port: string, target: string): void {
    if (!this.canConnect(source, port, target)) return;
    this.store.perform(commands.connect(this.store.design, this.level, { source, port, target }));
  }

  reconnect(connection: Connection, source: string, port: string, target: string): void {
    const isSame = connection.source === source && connection.port === port && connection.target === target;
    if (isSame || !this.canConnect(source, port, target)) return;
    this.store.perform(commands.reconnect(this.store.design, this.level, connection, { source, port, target }));
  }

  disconnect(index: number): void {
    this.store.perform(commands.remove(this.store.design, this.level, new Set(), new Set([index])));
  }

  move(places: Positions): void {
    this.store.perform(commands.move(this.store.design, this.level, places));
  }

  /** By arrow keys; steps in a row are one step of undo. */
  nudge(by: Point): void {
    const { nodes } = this.store.state.selection;
    if (nodes.size === 0) return;
    const places = this.boxes
      .filter(({ id }) => nodes.has(id))
      .map(({ id, x, y }): [string, Point] => [id, { x: x + by.x, y: y + by.y }]);
    this.store.perform(commands.move(this.store.design, this.level, new Map(places), `nudge ${[...nodes].join()}`));
  }

  shift(by: 1 | -1): void {
    const [id] = this.store.state.selection.nodes;
    if (id !== undefined && this.level.kind === 'list')
      this.store.perform(commands.shift(this.store.design, this.level, id, by));
  }

  align(alignment: Alignment): void {
    const { nodes } = this.store.state.selection;
    this.move(
      align(
        this.boxes.filter(({ id }) => nodes.has(id)),
        alignment,
      ),
    );
  }

  removeSelected(): void {
    const { nodes, edges } = this.store.state.selection;
    if (nodes.size + edges.size > 0) this.store.perform(commands.remove(this.store.design, this.level, nodes, edges));
  }

  selectAll(): void {
    this.store.select([...this.level.activities, ...this.level.notes].map(({ id }) => id));
  }

  /** The selected activities and notes as text, and how many; `undefined` when there are none. */
  copied(): { readonly text: string; readonly activities: number; readonly notes: number } | undefined {
    const clipping = this.clipping();
    const { activities, notes } = clipping ?? { activities: [], notes: [] };
    return clipping && { text: toText(clipping), activities: activities.length, notes: notes.length };
  }

  /** @returns false when the text holds nothing that can stand here */
  paste(text: string, at?: Point): boolean {
    const found = fromText(text);
    const clipping = found && this.level.kind === 'machine' ? { ...found, activities: [], connections: [] } : found;
    if (!clipping || clipping.activities.length + clipping.notes.length === 0) return false;
    this.putClipping(clipping, at);
    return true;
  }

  duplicate(): void {
    const clipping = this.clipping();
    if (clipping) this.putClipping(clipping);
  }

  private clipping(): Clipping | undefined {
    const clipping = cut(this.level, this.store.state.selection.nodes);
    return clipping.activities.length + clipping.notes.length > 0 ? clipping : undefined;
  }

  private putClipping(clipping: Clipping, at?: Point): void {
    const { store, level } = this;
    const { activities, connections, notes } = renew(clipping, namesIn(store.design), at, this.boxes);
    const among = level.kind === 'list' ? [] : connections;
    // In an order, behind what is selected: at the end they would run after everything else.
    const { nodes } = store.state.selection;
    const last = level.kind === 'list' ? level.activities.findLast(({ id }) => nodes.has(id)) : undefined;
    const place = last ? { after: { id: last.id, port: 'Done' } } : {};
    const addActivities = (design: Design) =>
      commands.insert(design, levelAt(design, level.steps), activities, place, among);
    const addNotes = notes.map(
      (note) => (design: Design) => commands.addNote(design, levelAt(design, level.steps), note),
    );
    store.perform(together(store.design, ...(activities.length > 0 ? [addActivities] : []), ...addNotes));
    store.select([...activities, ...notes].map(({ id }) => id));
  }
}

/** Of a letter in the name of a way out. */
const LETTER = 6;
const LONGEST = 150;

/** Between columns: names of transitions and of ways out stand there. @param ports those of which the names have to have room */
export function gapOf({ kind, connections }: Level, ports = connections.map(({ port }) => port)): number {
  if (kind === 'machine') return 190;
  const longest = Math.max(0, ...ports.filter((port) => port !== 'Done').map((port) => port.length));
  return kind === 'flowchart' ? Math.max(60, Math.min(LONGEST, 30 + longest * LETTER)) : 60;
}

export function startsWorkflow({ customProperties }: ActivityJson): boolean {
  const { canStartWorkflow, CanStartWorkflow } = (customProperties ?? {}) as Readonly<Record<string, unknown>>;
  return canStartWorkflow === true || CanStartWorkflow === true;
}
