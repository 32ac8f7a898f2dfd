import type { ActivityExecutionContextState, CompletionCallbackState } from '../state/workflow-state.js';
import { eachInParts } from './in-parts.js';
import type { RestingPart } from '../state/resting-state.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';

/** Executions of one container that are at rest. */
export interface RestingChildren {
  count: number;
  /** Restores all of them, in their order. */
  wake(): void;
}

/** Parts of a state that a burst begins with. */
export interface RestingParts {
  /** From the root on. */
  readonly contexts: readonly RestingPart<ActivityExecutionContextState>[];
  readonly callbacks: readonly RestingPart<CompletionCallbackState>[];
  /** Ids of bookmarks, by the execution that waits at them. */
  readonly bookmarkIds: ReadonlyMap<string, readonly string[]>;
}

/** @param index place of the execution in the state, counted from the root */
export type RestoreOne = (state: ActivityExecutionContextState, index: number) => ActivityExecutionContext | undefined;

/**
 * Executions of a stored state that a burst has not needed yet. To go on with one of ten thousand branches, a burst needs that branch and
 * what is around it: the others are restored when something asks for them, and are stored again as they are.
 */
export class RestingContexts {
  private readonly parts: (RestingPart<ActivityExecutionContextState> | undefined)[];
  private readonly places = new Map<string, number>();
  private readonly groups = new Map<string, RestingGroup>();
  private readonly callbacks: ReadonlyMap<string, RestingPart<CompletionCallbackState>>;
  /** How many there are. */
  count: number;

  constructor(
    private readonly given: RestingParts,
    private readonly restore: RestoreOne,
  ) {
    this.parts = [...given.contexts];
    this.count = this.parts.length;
    this.callbacks = new Map(given.callbacks.map((part) => [part.id, part]));
    for (const [index, { id, ownerId }] of given.contexts.entries()) {
      this.places.set(id, index);
      if (ownerId === undefined) continue;
      const group = this.groups.get(ownerId);
      if (group) group.add(id);
      else this.groups.set(ownerId, new RestingGroup(id, (child) => void this.wake(child)));
    }
  }

  /** How many executions the state had. */
  get length(): number {
    return this.parts.length;
  }

  /** The execution at that place, counted from the root; undefined: it was restored. */
  at(index: number): RestingPart<ActivityExecutionContextState> | undefined {
    return this.parts[index];
  }

  callbackOf(id: string): RestingPart<CompletionCallbackState> | undefined {
    return this.callbacks.get(id);
  }

  bookmarkIdsOf(id: string): readonly string[] {
    return this.given.bookmarkIds.get(id) ?? NONE;
  }

  /** Those within an execution, which is restored. */
  childrenOf(id: string): RestingChildren | undefined {
    return this.groups.get(id);
  }

  /** Restores an execution, after those around it. @returns undefined when it is not here */
  wake(id: string): ActivityExecutionContext | undefined {
    const around: number[] = [];
    for (let index = this.places.get(id); index !== undefined;) {
      around.push(index);
      const { ownerId } = this.parts[index]!;
      index = ownerId === undefined ? undefined : this.places.get(ownerId);
    }
    let latest: ActivityExecutionContext | undefined;
    for (const index of around.reverse()) latest = this.take(index);
    return latest;
  }

  /** Of those at rest, from the root on. */
  ids(): string[] {
    return [...this.places.keys()];
  }

  /** Of those at rest within an execution, at any depth: what is around an execution comes before it. */
  within(id: string): string[] {
    const around = [id];
    const found: string[] = [];
    // What is added on the way is visited, too.
    for (const each of around)
      for (const child of this.groups.get(each)?.ids ?? NONE) {
        around.push(child);
        if (this.places.has(child)) found.push(child);
      }
    return found;
  }

  /** Restores these with a pause after each part of them. What happens meanwhile may restore some of them, too. */
  wakeInParts(ids: readonly string[], pause: () => Promise<void>): Promise<void> {
    return eachInParts(ids, (id) => void this.wake(id), pause);
  }

  wakeAll(): void {
    if (this.count === 0) return;
    for (const part of this.given.contexts) this.wake(part.id);
  }

  private take(index: number): ActivityExecutionContext | undefined {
    const part = this.parts[index]!;
    this.parts[index] = undefined;
    this.places.delete(part.id);
    this.count--;
    if (part.ownerId !== undefined) this.groups.get(part.ownerId)!.count--;
    return this.restore(part.read(), index);
  }
}

/** By their ids: to look for them among all parts would be quadratic where the executions of ten thousand branches are cancelled. */
class RestingGroup implements RestingChildren {
  count = 1;
  readonly ids: string[];

  constructor(
    id: string,
    private readonly wakeOne: (id: string) => void,
  ) {
    this.ids = [id];
  }

  add(id: string): void {
    this.ids.push(id);
    this.count++;
  }

  wake(): void {
    for (const id of this.ids) this.wakeOne(id);
  }
}

const NONE: readonly string[] = [];
