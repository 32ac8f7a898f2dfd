import type { WorkflowExecutionContext, WorkflowGraph } from '@waymark/core';
import { LookedFor } from '@waymark/core/adapter';
import type { LoadedInstance } from '../persistence/records.js';
import { BookmarkConsumedError } from '../persistence/persistence-errors.js';
import { bookmarkEntries, type BurstExtras } from './burst-commit-builder.js';
import { type CompleteBurst, nextBurst } from './complete-burst.js';
import { BookmarkNotFoundError, InstanceNotRunningError } from '../services/instance-errors.js';
import type { RunInstanceResult } from '../services/instance-services.js';
import { MAX_SHARED, type ResumeRequest } from './resume-request.js';

/** For so long a burst takes further resumes along, in milliseconds: the first of them waits for the last. */
const SHARES_FOR_MS = 1000;
/** The journal of a burst is stored half-way when it grows by so much. It is stored at the end of a resume instead. */
const MAX_JOURNAL = 10_000;
const MAX_MESSAGES = 1000;

/** A resume that continues with a burst. */
export interface FurtherResume {
  readonly burst: CompleteBurst;
  readonly extras: BurstExtras;
}

/**
 * One attempt to resume several bookmarks of an instance in one burst, in their order: each begins with what those before it
 * left. Bounded in number, time, journal and messages.
 */
export class SharedBurst {
  /** Begun and not stored yet, in order. */
  private begun: ResumeRequest[] = [];
  /** Not begun: their answers rest on what is not stored yet. */
  private refused: { readonly request: ResumeRequest; readonly error: Error }[] = [];
  private sharesUntil = Infinity;
  private isRunning = false;

  /**
   * @param given to be resumed first
   * @param takeNext gives further ones; undefined: there are none
   * @param apart bookmarks whose resumes share a burst with no other
   */
  constructor(
    private readonly before: LoadedInstance,
    private readonly graph: WorkflowGraph,
    private readonly given: ResumeRequest[],
    private readonly takeNext: () => ResumeRequest | undefined,
    private readonly apart: ReadonlySet<string>,
  ) {}

  /** No other resume than one is in what is to be stored. */
  get isAlone(): boolean {
    return this.begun.length <= 1;
  }

  /** The first one that can be resumed at all. Undefined: none of them. */
  first(): FurtherResume | undefined {
    return this.take(() => undefined, new LookedFor(bookmarkEntries(this.before.state), ({ id }) => id));
  }

  /** The one with which the burst continues; undefined: it is to be stored. */
  next(wec: WorkflowExecutionContext): FurtherResume | undefined {
    this.isRunning = false;
    if (this.sharesUntil === Infinity) this.sharesUntil = wec.now() + SHARES_FOR_MS;
    if (this.isFull(wec)) return undefined;
    const last = this.begun.at(-1)!;
    const hasEnded = () => (wec.isRunning ? undefined : new InstanceNotRunningError(wec.id, wec.subStatus));
    const found = this.take(hasEnded, wec.bookmarks);
    if (found) last.noteEnd(wec);
    return found;
  }

  /** All that was begun is stored. */
  stored(committed: RunInstanceResult): void {
    for (const request of this.begun.splice(0)) request.succeed(committed);
    this.refuseAll();
  }

  /** The same, but the latest continues. */
  storedHalfway(committed: RunInstanceResult): void {
    const running = this.begun.pop();
    this.stored(committed);
    if (running) this.begun.push(running);
  }

  /** What is stored by now says why. */
  refuseAll(): void {
    for (const { request, error } of this.refused.splice(0)) request.fail(error);
  }

  /** What was begun, when it cannot be stored. `culprit`: which one ended the burst, if one did. */
  failed(): { readonly begun: readonly ResumeRequest[]; readonly culprit: ResumeRequest | undefined } {
    for (const request of this.begun) request.attempts++;
    return { begun: this.begun, culprit: this.isRunning ? this.begun.at(-1) : undefined };
  }

  private isFull(wec: WorkflowExecutionContext): boolean {
    const { journal, outgoing } = wec;
    return (
      this.begun.length + this.refused.length >= MAX_SHARED ||
      wec.now() >= this.sharesUntil ||
      (journal !== undefined && journal.size >= MAX_JOURNAL) ||
      outgoing.length >= MAX_MESSAGES
    );
  }

  private take(hasEnded: () => Error | undefined, bookmarks: { has(id: string): boolean }): FurtherResume | undefined {
    for (;;) {
      const request = this.given.shift() ?? this.takeNext();
      // It has its turn when this is stored.
      if (!request || (this.begun.length > 0 && this.apart.has(request.run.bookmarkId))) return undefined;
      const error = hasEnded() ?? this.missing(request, bookmarks);
      if (!error) return this.begin(request);
      this.refused.push({ request, error });
      if (this.refused.length >= MAX_SHARED) return undefined;
    }
  }

  private missing({ run, attempts }: ResumeRequest, bookmarks: { has(id: string): boolean }): Error | undefined {
    const { bookmarkId } = run;
    if (bookmarks.has(bookmarkId)) return undefined;
    const { id } = this.before;
    return attempts > 0 ? new BookmarkConsumedError(bookmarkId, id) : new BookmarkNotFoundError(bookmarkId, id);
  }

  private begin(request: ResumeRequest): FurtherResume {
    const { before, graph } = this;
    request.forgetEnd();
    this.begun.push(request);
    this.isRunning = true;
    const burst = nextBurst(before.id, graph, request.run, before.state, request.attempts + 1, request.cause);
    return { burst, extras: request.extras };
  }
}
