import { Inject, Injectable } from '@nestjs/common';
import { WaymarkError } from '@waymark/core';
import { WorkflowClock } from '@waymark/runtime';
import { AnswerTurns } from './answer-turns.js';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';

/** Large answers at the same time would take more memory than the process has for them. */
export class AnswerMemoryError extends WaymarkError {
  readonly code = 'WM5080';
  /** Until the next attempt. */
  readonly retryAfterSeconds = 1;
  constructor() {
    super(
      "The server is busy with other large answers. Send the request again later, or raise the option 'answerMemoryBytes' of " +
        'WorkflowApiModule.',
    );
  }
}

/** Answers up to so many characters never wait. */
const SMALL = 65_536;
/** Bytes per character while an answer is made: rows, values, copies of them, and its text. */
const MAKING = 8;
/** Bytes per character while it is sent: its text, and that encoded. */
const SENDING = 2;
/** Sizes that are remembered. */
const MOST_KNOWN = 10_000;
/** A remembered size is used for that long: the data behind an answer may grow. */
const KNOWN_MS = 10_000;
const LONGEST_WAIT_MS = 30_000;
const MOST_WAITING = 1000;

/** How many answers of unknown size are made at once: `whole` ones, whose size is remembered for the next time, and `read` ones. */
const MOST_TRIES = { whole: 1, read: 2 };

interface Waiting {
  readonly key: string | undefined;
  readonly owner: string;
  readonly begin: (claim: AnswerClaim) => void;
  readonly refuse: (error: Error) => void;
}

/** The part of the memory that one answer holds. */
export interface AnswerClaim {
  /** The answer has been made; only the first call counts. @param size in characters; undefined: it is made in pieces while it is sent */
  made(size: number | undefined): void;
  /** The answer was sent, or the request failed. */
  release(): void;
}

const NOTHING: AnswerClaim = { made: () => undefined, release: () => undefined };

/**
 * Limits the memory for answers with whole definitions and instances: many requests at once for a few large ones would exhaust
 * the heap. The size of an answer is known only once it is made, so answers of unknown size are made one at a time; later ones
 * with the same key are made at the same time as far as the memory allows. Answers that were small the last time never wait.
 */
@Injectable()
export class AnswerMemory {
  private readonly limit: number;
  private readonly largestPiece: number;
  private readonly known = new Map<string, { readonly size: number; readonly until: number }>();
  private readonly waiting = new AnswerTurns<Waiting>(MOST_WAITING);
  private readonly tries = { whole: 0, read: 0 };
  private held = 0;

  constructor(
    @Inject(API_OPTIONS) options: ResolvedApiOptions,
    private readonly clock: WorkflowClock,
  ) {
    this.limit = options.answerMemoryBytes;
    this.largestPiece = options.definitionBytes;
  }

  /** Bytes of all answers that are being made or sent, as far as their sizes are known. */
  get heldBytes(): number {
    return this.held;
  }

  /**
   * Waits until there is memory for an answer.
   * @param key the same for answers that are likely of the same size; undefined: no size is remembered
   * @param isLeft aborted when the client leaves: it resolves then with a claim that holds nothing
   * @param owner for whom: those of several take turns
   * @throws AnswerMemoryError, or the error that `refuse` was called with
   */
  begin(key: string | undefined, isLeft?: AbortSignal, owner = ''): AnswerClaim | Promise<AnswerClaim> {
    const claim = this.tryBegin(key);
    if (claim) return claim;
    return new Promise((resolve, reject) => {
      const ended = (settle: () => void): void => {
        cancel();
        isLeft?.removeEventListener('abort', leave);
        this.waiting.delete(waiting);
        settle();
      };
      const leave = (): void => ended(() => resolve(NOTHING));
      const waiting: Waiting = {
        key,
        owner,
        begin: (claim) => ended(() => resolve(claim)),
        refuse: (error) => ended(() => reject(error)),
      };
      const cancel = this.clock.setTimer(() => waiting.refuse(new AnswerMemoryError()), LONGEST_WAIT_MS);
      isLeft?.addEventListener('abort', leave);
      this.waiting.add(waiting)?.refuse(new AnswerMemoryError());
    });
  }

  /** Rejects all that wait. */
  refuse(error: Error): void {
    for (const waiting of this.waiting.list()) waiting.refuse(error);
  }

  private tryBegin(key: string | undefined): AnswerClaim | undefined {
    const size = key === undefined ? undefined : this.sizeOf(key);
    if (size === undefined) {
      const lane = key === undefined ? 'read' : 'whole';
      if (this.tries[lane] === MOST_TRIES[lane]) return undefined;
      // It may have any size, so it waits while the memory is used up.
      if (this.held > 0 && this.held >= this.limit) return undefined;
      this.tries[lane]++;
      return this.claim(key, 0, lane);
    }
    if (size <= SMALL) return this.claim(key, 0);
    const bytes = size * MAKING;
    // A single answer is made however large it is.
    if (this.held > 0 && this.held + bytes > this.limit) return undefined;
    return this.claim(key, bytes);
  }

  /** @param lane for an answer of unknown size */
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

  /** Begins waiting answers in their turns, as far as the memory allows; one that does not fit lets later ones pass. */
  private goOn(): void {
    this.waiting.goOn((waiting) => {
      const claim = this.tryBegin(waiting.key);
      if (claim) waiting.begin(claim);
      return claim !== undefined;
    });
  }

  private sizeOf(key: string): number | undefined {
    const known = this.known.get(key);
    if (known && known.until > this.clock.monotonic()) return known.size;
    this.known.delete(key);
    return undefined;
  }

  private remember(key: string, size: number): void {
    // What is shown grows between two answers: the largest counts.
    if (size < (this.sizeOf(key) ?? 0)) return;
    this.known.delete(key);
    this.known.set(key, { size, until: this.clock.monotonic() + KNOWN_MS });
    if (this.known.size > MOST_KNOWN) this.known.delete(this.known.keys().next().value!);
  }
}
