import type { ActivityExecutionContextState, Bookmark, CompletionCallbackState } from '../state/workflow-state.js';
import { eachInParts } from '../values/in-parts.js';
import { FEW, LookedFor } from './looked-for.js';
import type { RestingPart } from '../state/resting-state.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';

/** Executions of one container that are at rest. */
export interface RestingChildren {
  count: number;
  /** Restores all of them, in their order. */
  wake(): void;
}

/** Parts of a state that a burst begins with, all of them at rest. */
export interface RestingParts {
  /** From the root on. */
  readonly contexts: readonly RestingPart<ActivityExecutionContextState>[];
  readonly callbacks: readonly RestingPart<CompletionCallbackState>[];
  readonly bookmarks: readonly RestingPart<Bookmark>[];
}

/** @param index place of the execution in the state, counted from the root */
export type RestoreOne = (state: ActivityExecutionContextState, index: number) => ActivityExecutionContext | undefined;

/**
 * Executions of a stored state that a burst has not needed yet. To continue with one of ten thousand branches, a burst needs that branch and
 * what is around it: the others are restored when something asks for them, and are stored again as they are.
 */
export class RestingContexts {
  private readonly parts: (RestingPart<ActivityExecutionContextState> | undefined)[];
  private readonly byOwner: LookedFor<RestingPart<ActivityExecutionContextState>>;
  private readonly callbacks: LookedFor<RestingPart<CompletionCallbackState>>;
  private readonly bookmarks: LookedFor<RestingPart<Bookmark>>;
  /** Of executions that were restored. */
  private readonly groups = new Map<string, RestingGroup>();
  private readonly restored = new Set<string>();
  /** By id, once many are asked for. */
  private places: Map<string, number> | undefined;
  private asked = 0;
  /** Those that are being restored part by part, or wait for it, one number of them after the other. */
  private readonly waking = new Set<ReadonlySet<string>>();
  private latest: Promise<void> | undefined;
  /** How many there are. */
  count: number;

  constructor(
    private readonly given: RestingParts,
    private readonly restore: RestoreOne,
  ) {
    this.parts = [...given.contexts];
    this.count = this.parts.length;
    this.byOwner = new LookedFor(given.contexts, ({ ownerId }) => ownerId);
    this.callbacks = new LookedFor(given.callbacks, ({ id }) => id);
    this.bookmarks = new LookedFor(given.bookmarks, ({ ownerId }) => ownerId);
  }

  /** By their places, counted from the root; undefined: it was restored. A copy. */
  list(): readonly (RestingPart<ActivityExecutionContextState> | undefined)[] {
    return [...this.parts];
  }

  callbackOf(id: string): RestingPart<CompletionCallbackState> | undefined {
    return this.callbacks.first(id);
  }

  bookmarksOf(id: string): readonly RestingPart<Bookmark>[] {
    return this.bookmarks.all(id);
  }

  /** Those within an execution, which is being restored: before any of them. */
  childrenOf(id: string): RestingChildren | undefined {
    const children = this.byOwner.all(id);
    if (children.length === 0) return undefined;
    const group = new RestingGroup(children, (child) => void this.wake(child));
    this.groups.set(id, group);
    return group;
  }

  /** Restores an execution, after those around it. @returns undefined when it is not here */
  wake(id: string): ActivityExecutionContext | undefined {
    const around: number[] = [];
    for (let index = this.placeOf(id); index !== undefined;) {
      around.push(index);
      const { ownerId } = this.parts[index]!;
      index = ownerId === undefined ? undefined : this.placeOf(ownerId);
    }
    let latest: ActivityExecutionContext | undefined;
    for (const index of around.reverse()) latest = this.take(index);
    return latest;
  }

  /** Of those at rest, from the root on. */
  ids(): string[] {
    return this.parts.flatMap((part) => part?.id ?? []);
  }

  /** Of those at rest within an execution, at any depth: what is around an execution comes before it. */
  within(id: string): string[] {
    const around = [id];
    const found: string[] = [];
    // What is added on the way is visited, too.
    for (const each of around)
      for (const child of this.byOwner.all(each)) {
        around.push(child.id);
        if (!this.restored.has(child.id)) found.push(child.id);
      }
    return found;
  }

  /**
   * Restores these with a pause after each part of them. What happens meanwhile may restore some of them, too. Several that are asked for
   * at the same time follow one another: each would restore a part in the same turn.
   */
  wakeInParts(ids: readonly string[], pause: () => Promise<void>, goesOn?: () => boolean): Promise<void> {
    const wanted = new Set(ids);
    const before = this.isBusy ? this.latest : undefined;
    this.waking.add(wanted);
    this.latest = this.wakeAfter(before, ids, pause, goesOn).finally(() => this.waking.delete(wanted));
    return this.latest;
  }

  /** True while some are restored part by part. */
  get isBusy(): boolean {
    return this.waking.size > 0;
  }

  /** True when at least one of them is to be restored part by part: what is left of a large number is restored in the same way. */
  isWaking(ids: readonly string[]): boolean {
    for (const wanted of this.waking) if (ids.some((id) => wanted.has(id))) return true;
    return false;
  }

  private async wakeAfter(
    before: Promise<void> | undefined,
    ids: readonly string[],
    pause: () => Promise<void>,
    goesOn?: () => boolean,
  ): Promise<void> {
    let left = ids;
    if (before) {
      // Its error is that of its caller.
      await before.catch(() => undefined);
      left = ids.filter((id) => !this.restored.has(id));
      if (left.length > 0) await pause();
    }
    await eachInParts(left, (id) => void this.wake(id), pause, goesOn);
  }

  wakeAll(): void {
    if (this.count === 0) return;
    for (const part of this.given.contexts) this.wake(part.id);
  }

  private take(index: number): ActivityExecutionContext | undefined {
    const part = this.parts[index]!;
    this.parts[index] = undefined;
    this.restored.add(part.id);
    this.count--;
    const group = part.ownerId === undefined ? undefined : this.groups.get(part.ownerId);
    if (group) group.count--;
    return this.restore(part.read(), index);
  }

  /** Undefined: it was restored, or is not here. */
  private placeOf(id: string): number | undefined {
    if (this.restored.has(id)) return undefined;
    if (!this.places && ++this.asked <= FEW) {
      const index = this.given.contexts.findIndex((part) => part.id === id);
      return index < 0 ? undefined : index;
    }
    this.places ??= new Map(this.given.contexts.map((part, index) => [part.id, index]));
    return this.places.get(id);
  }
}

/** By their ids: to look for them among all parts would be quadratic where the executions of ten thousand branches are cancelled. */
class RestingGroup implements RestingChildren {
  count: number;

  constructor(
    private readonly parts: readonly RestingPart<ActivityExecutionContextState>[],
    private readonly wakeOne: (id: string) => void,
  ) {
    this.count = parts.length;
  }

  wake(): void {
    for (const { id } of this.parts) this.wakeOne(id);
  }
}
