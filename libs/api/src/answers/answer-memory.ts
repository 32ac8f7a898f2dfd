import { Inject, Injectable } from '@nestjs/common';
import { WaymarkError } from '@waymark/core';
import { WorkflowClock } from '@waymark/runtime';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';

/** Large answers at the same time would take more memory than the process has for them. */
export class AnswerMemoryError extends WaymarkError {
  readonly code = 'WM5080';
  /** Until the next attempt. */
  readonly retryAfterSeconds = 1;
  constructor() {
    super(
      "The server makes other large answers at the moment. Send the request again later; the option 'answerMemoryBytes' of " +
        'WorkflowApiModule says how much memory they may take.',
    );
  }
}

/** An answer of so many characters, or fewer, needs no turn. */
const SMALL = 65_536;
/** What making an answer takes beside its text: what was read, its values, and copies of them. */
const MAKING = 8;
/** What sending it takes: its text, and the bytes of it. */
const SENDING = 2;
/** Sizes that are remembered. */
const MOST_KNOWN = 10_000;
/** A size is believed for so long: what is shown may grow. */
const KNOWN_MS = 10_000;
const LONGEST_WAIT_MS = 30_000;
const MOST_WAITING = 1000;

/** How many of unknown size are made at once: those that may turn out to be small the next time, and those that never do. */
const MOST_TRIES = { whole: 1, read: 2 };

interface Waiting {
  readonly key: string | undefined;
  readonly begin: (claim: AnswerClaim) => void;
}

/** What one answer takes of the memory. */
export interface AnswerClaim {
  /** It is made, which counts once. @param size in characters; undefined: it is made piece by piece while it is sent */
  made(size: number | undefined): void;
  /** It is sent, or will not be. */
  release(): void;
}

const NOTHING: AnswerClaim = { made: () => undefined, release: () => undefined };

/**
 * The memory for answers that show whole definitions and instances: a few of them, asked for many times at once, would end the
 * process. How large one is shows only once it is made, so one whose size is not known is made by itself; the next ones like it
 * are made beside each other as far as the memory goes. What was small the last time takes no turn at all.
 */
@Injectable()
export class AnswerMemory {
  private readonly limit: number;
  private readonly largestPiece: number;
  private readonly known = new Map<string, { readonly size: number; readonly until: number }>();
  private readonly waiting = new Set<Waiting>();
  private readonly tries = { whole: 0, read: 0 };
  private held = 0;

  constructor(
    @Inject(API_OPTIONS) options: ResolvedApiOptions,
    private readonly clock: WorkflowClock,
  ) {
    this.limit = options.answerMemoryBytes;
    this.largestPiece = options.definitionBytes;
  }

  /** Of all that are made and sent, in bytes, as far as they are known. */
  get heldBytes(): number {
    return this.held;
  }

  /**
   * Waits until there is memory for an answer.
   * @param key of answers that are likely as large as each other; undefined: nothing is known of any
   * @param isLeft aborted when the client leaves: it waits no longer, and there is nothing to claim
   * @throws AnswerMemoryError
   */
  begin(key: string | undefined, isLeft?: AbortSignal): AnswerClaim | Promise<AnswerClaim> {
    const claim = this.tryBegin(key);
    if (claim) return claim;
    if (this.waiting.size >= MOST_WAITING) throw new AnswerMemoryError();
    return new Promise((resolve, reject) => {
      const end = (begun: AnswerClaim): void => {
        cancel();
        isLeft?.removeEventListener('abort', leave);
        this.waiting.delete(waiting);
        resolve(begun);
      };
      const leave = (): void => end(NOTHING);
      const waiting: Waiting = { key, begin: end };
      const cancel = this.clock.setTimer(() => {
        isLeft?.removeEventListener('abort', leave);
        this.waiting.delete(waiting);
        reject(new AnswerMemoryError());
      }, LONGEST_WAIT_MS);
      isLeft?.addEventListener('abort', leave);
      this.waiting.add(waiting);
    });
  }

  private tryBegin(key: string | undefined): AnswerClaim | undefined {
    const size = key === undefined ? undefined : this.sizeOf(key);
    if (size === undefined) {
      const lane = key === undefined ? 'read' : 'whole';
      if (this.tries[lane] === MOST_TRIES[lane]) return undefined;
      // It may have any size: not beside others that fill the memory.
      if (this.held > 0 && this.held >= this.limit) return undefined;
      this.tries[lane]++;
      return this.claim(key, 0, lane);
    }
    if (size <= SMALL) return this.claim(key, 0);
    const bytes = size * MAKING;
    // A single one is made whatever it takes.
    if (this.held > 0 && this.held + bytes > this.limit) return undefined;
    return this.claim(key, bytes);
  }

  /** @param lane of one whose size is not known */
  private claim(key: string | undefined, making: number, lane?: 'whole' | 'read'): AnswerClaim {
    let bytes = making;
    let isMade = false;
    let isOver = false;
    const put = (count: number): void => {
      this.held += count - bytes;
      bytes = count;
      if (lane && !isMade) this.tries[lane]--;
      isMade = true;
      this.goOn();
    };
    this.held += making;
    return {
      made: (size) => {
        if (isOver || isMade) return;
        if (key !== undefined && size !== undefined) this.remember(key, size);
        put(size === undefined ? this.largestPiece * MAKING : size > SMALL ? size * SENDING : 0);
      },
      release: () => {
        if (isOver) return;
        isOver = true;
        put(0);
      },
    };
  }

  /** In their order, as far as the memory goes; small ones wait for no large one. */
  private goOn(): void {
    for (const waiting of this.waiting) {
      const claim = this.tryBegin(waiting.key);
      if (!claim) continue;
      waiting.begin(claim);
    }
  }

  private sizeOf(key: string): number | undefined {
    const known = this.known.get(key);
    if (known && known.until > this.clock.now()) return known.size;
    this.known.delete(key);
    return undefined;
  }

  private remember(key: string, size: number): void {
    // What is shown grows between two answers: the largest counts.
    if (size < (this.sizeOf(key) ?? 0)) return;
    this.known.delete(key);
    this.known.set(key, { size, until: this.clock.now() + KNOWN_MS });
    if (this.known.size > MOST_KNOWN) this.known.delete(this.known.keys().next().value!);
  }
}
