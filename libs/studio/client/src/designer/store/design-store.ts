import type { DefinitionProblem } from '../../api/designs.js';
import type { ApiError } from '../../api/api-error.js';
import type { Change, Design } from '../model/change.js';
import { type History, historyOf, perform, redo, undo } from '../model/history.js';
import { keyOf, type Level, levelAt, type Positions, type Step } from '../model/level.js';
import { stepsTo } from '../model/steps-to.js';

export type SaveState =
  | { readonly kind: 'saved' | 'unsaved' | 'saving' | 'publishing' }
  /** The server does not answer; it is tried again. */
  | { readonly kind: 'offline'; readonly isKept: boolean }
  /** The server does not take it: the next change is tried again. */
  | { readonly kind: 'refused'; readonly error: ApiError }
  /** Another person has deleted the definition: it is only here. */
  | { readonly kind: 'deleted' }
  /** Another person has saved meanwhile. */
  | { readonly kind: 'conflict'; readonly theirs: Design };

export interface Selection {
  readonly nodes: ReadonlySet<string>;
  /** Places among the connections of the level. */
  readonly edges: ReadonlySet<number>;
}

/** What the server decides about a definition. */
export type Standing = Pick<Design, 'id' | 'version' | 'isPublished' | 'isReadonly'>;

export interface DesignerState {
  readonly history: History;
  readonly level: Level;
  /** Where activities without a place of their own are shown. It is not stored. */
  readonly laidOut: Positions;
  readonly selection: Selection;
  readonly save: SaveState;
  readonly standing: Standing;
  readonly problems: readonly DefinitionProblem[];
  readonly warnings: readonly DefinitionProblem[];
}

export const NOTHING: Selection = { nodes: new Set(), edges: new Set() };

/** The one state of the designer: the document with its history, what of it is seen, and how it is saved. */
export class DesignStore {
  state: DesignerState;
  private stored: Design;
  private readonly listeners = new Set<() => void>();

  /** @param may if false, the user may look at definitions only */
  constructor(
    design: Design,
    private may = true,
  ) {
    this.stored = design;
    this.state = {
      history: historyOf(design),
      level: levelAt(design, []),
      laidOut: new Map(),
      selection: NOTHING,
      save: { kind: 'saved' },
      standing: this.standingOf(design),
      problems: [],
      warnings: [],
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  get mayWrite(): boolean {
    return this.may;
  }

  /** The permissions of a login change when it is renewed. */
  setMayWrite(mayWrite: boolean): void {
    if (mayWrite === this.may) return;
    this.may = mayWrite;
    this.setStanding(this.stored);
  }

  get design(): Design {
    return this.state.history.design;
  }

  get isReadonly(): boolean {
    return this.state.standing.isReadonly;
  }

  perform(change: Change | undefined): void {
    if (change && !this.isReadonly) this.go(perform(this.state.history, change));
  }

  /**
   * Shows what another person has saved meanwhile. It begins a new history: as a step of this one, an undo of one's own last change would
   * take back theirs, and save that.
   */
  follow(design: Design): void {
    this.go(historyOf(design));
  }

  /**
   * Takes another person's work, chosen instead of one's own. Undo brings back what was there, except to those who may not change it: it
   * would be a change of theirs.
   */
  take(design: Design): void {
    if (this.isReadonly) this.follow(design);
    else this.perform({ patches: [{ path: [], from: this.design, to: design }] });
  }

  undo(): void {
    const change = this.state.history.done.at(-1);
    this.go(undo(this.state.history));
    this.show(change);
  }

  redo(): void {
    const change = this.state.history.undone.at(-1);
    this.go(redo(this.state.history));
    this.show(change);
  }

  /** Goes to the level on which a change is seen: undone elsewhere, it would be undone unseen. */
  private show(change: Change | undefined): void {
    const path = change?.patches[0]?.path;
    // An empty slot that is seen is the place of what was in it.
    if (path?.[0] !== 'root' || path.join('/') === this.state.level.path.join('/')) return;
    const steps = stepsTo(this.design, path);
    if (keyOf(steps) !== keyOf(this.state.level.steps)) this.enter(steps);
  }

  enter(steps: readonly Step[], selected?: string): void {
    this.set({
      level: levelAt(this.design, steps),
      laidOut: new Map(),
      selection: selected === undefined ? NOTHING : { nodes: new Set([selected]), edges: new Set() },
    });
  }

  select(nodes: Iterable<string>, edges: Iterable<number> = []): void {
    const next = { nodes: new Set(nodes), edges: new Set(edges) };
    const { selection } = this.state;
    if (isSame(next.nodes, selection.nodes) && isSame(next.edges, selection.edges)) return;
    this.set({ selection: next });
  }

  setLaidOut(laidOut: Positions): void {
    this.set({ laidOut });
  }

  setSave(save: SaveState): void {
    this.set({ save });
  }

  setStanding(design: Design): void {
    this.stored = design;
    this.set({ standing: this.standingOf(design) });
  }

  setProblems(problems: readonly DefinitionProblem[], warnings: readonly DefinitionProblem[] = []): void {
    this.set({ problems, warnings });
  }

  private standingOf({ id, version, isPublished, isReadonly }: Design): Standing {
    return { id, version, isPublished, isReadonly: isReadonly || !this.may };
  }

  private go(history: History): void {
    if (history.design === this.state.history.design) return;
    const level = levelAt(history.design, this.state.level.steps);
    const { nodes, edges } = this.state.selection;
    const known = new Set([...level.activities, ...level.notes].map(({ id }) => id));
    const isCount = level.connections.length === this.state.level.connections.length;
    this.set({
      history,
      level,
      selection: { nodes: new Set([...nodes].filter((id) => known.has(id))), edges: isCount ? edges : new Set() },
    });
  }

  private set(next: Partial<DesignerState>): void {
    this.state = { ...this.state, ...next };
    for (const listener of this.listeners) listener();
  }
}

const isSame = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean =>
  a.size === b.size && [...a].every((item) => b.has(item));
