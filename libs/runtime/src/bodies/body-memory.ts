import { getHeapStatistics } from 'node:v8';
import { WaymarkError } from '@waymark/core';

/** A body of so many bytes, or less, is small. */
const SMALL_BYTES = 65_536;
/** Of the budget, which large bodies never take. */
const SHARE_OF_SMALL = 0.25;

/**
 * Bodies of requests at the same time would take more memory than the process has for them.
 * @internal
 */
export class BodyMemoryError extends WaymarkError {
  readonly code = 'WM5069';
  /** Until the next attempt. */
  readonly retryAfterSeconds = 1;
  constructor() {
    super('The host has no memory for this body at the moment. Nothing was started or resumed: send it again later.');
  }
}

/** What one request holds of the budget. */
export interface BodyClaim {
  /**
   * Asks whether so many bytes would be taken now, and holds none of them: what is announced need not come.
   * @throws BodyMemoryError
   */
  expect(bytes: number): void;
  /**
   * Holds so many bytes in all, as they arrive; never fewer than before.
   * @throws BodyMemoryError, and holds nothing: what was read is of no more use
   */
  hold(bytes: number): void;
  /** The request is over. Nothing can be held afterwards. */
  release(): void;
}

/**
 * The memory that bodies of requests may take at the same time, and what is made of them: more of
 * them would end the process, and with it all other requests.
 *
 * 1. A body is refused before it is read if its announced length does not fit, and later when it no longer does. What counts
 *    is what has arrived: clients that announce much and send little would keep others out.
 * 2. Small bodies have a share of their own, which large ones cannot take.
 * 3. A single large body is let in whatever it takes: each has a limit of its own.
 * @internal
 */
export class BodyMemory {
  private small = 0;
  private large = 0;

  /** @param limitBytes for all bodies by their weight */
  constructor(public limitBytes: number = defaultBodyMemoryBytes()) {}

  /** Held by all, by their weight. */
  get heldBytes(): number {
    return this.small + this.large;
  }

  /** Begins a claim for one body. @param weight how many bytes of memory a byte of the body takes */
  claim(weight: number): BodyClaim {
    let bytes = 0;
    let isOver = false;
    const put = (count: number, sign: 1 | -1): void => {
      if (count <= SMALL_BYTES) this.small += sign * count * weight;
      else this.large += sign * count * weight;
    };
    return {
      expect: (count) => {
        put(bytes, -1);
        const fits = isOver || this.hasRoom(Math.max(count, bytes), weight);
        put(bytes, 1);
        if (!fits) throw new BodyMemoryError();
      },
      hold: (count) => {
        if (count <= bytes || isOver) return;
        put(bytes, -1);
        const fits = this.hasRoom(count, weight);
        bytes = fits ? count : 0;
        put(bytes, 1);
        if (!fits) throw new BodyMemoryError();
      },
      release: () => {
        put(bytes, -1);
        bytes = 0;
        isOver = true;
      },
    };
  }

  private hasRoom(bytes: number, weight: number): boolean {
    const forLarge = this.limitBytes * (1 - SHARE_OF_SMALL);
    if (bytes > SMALL_BYTES)
      return (
        this.large === 0 ||
        (this.large + bytes * weight <= forLarge && this.heldBytes + bytes * weight <= this.limitBytes)
      );
    return this.small + bytes * weight <= this.limitBytes - Math.min(this.large, forLarge);
  }
}

/**
 * A quarter of the heap that Node may use, in bytes.
 * @internal
 */
export const defaultBodyMemoryBytes = (): number => Math.floor(getHeapStatistics().heap_size_limit / 4);

/**
 * Of this process, which has one heap, whatever applications are in it.
 * @internal
 */
export const bodyMemory = new BodyMemory();

/**
 * How many bytes of memory a byte of a body takes: beside it there are its text, the values, the state that they are stored in,
 * and the answer.
 * @internal
 */
export function bodyWeight(contentType: string | undefined): number {
  const type = contentType?.toLowerCase() ?? '';
  if (type.includes('json') || type.includes('urlencoded')) return 6;
  return type.includes('xml') || type.includes('text/') || type.includes('multipart') ? 4 : 3;
}
