import { getHeapStatistics } from 'node:v8';
import { WaymarkError } from '@waymark/core';

/** A body is small up to so many bytes. */
const SMALL_BYTES = 65_536;
/** Share of the budget that is reserved for small bodies. */
const SHARE_OF_SMALL = 0.25;

/**
 * The bodies of concurrent requests would take more memory than this process reserves for them.
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

/** The part of the budget that one request holds. */
export interface BodyClaim {
  /**
   * Checks whether so many bytes would fit, without holding them: a client may announce more than it sends.
   * @throws BodyMemoryError
   */
  expect(bytes: number): void;
  /**
   * Raises what the request holds to so many bytes in all; never lowers it.
   * @throws BodyMemoryError, and holds nothing: what was read can be discarded
   */
  hold(bytes: number): void;
  /** Ends the claim: nothing can be held afterwards. */
  release(): void;
}

/**
 * Limits the memory for the bodies of concurrent requests and the values made of them: without a limit, they could exhaust the heap
 * and end the process.
 *
 * 1. A body is refused before it is read if its announced length does not fit, and while it is read once it no longer fits. Only
 *    bytes that have arrived are held: clients that announce much and send little must not keep others out.
 * 2. Small bodies have a share of their own, which large ones cannot take.
 * 3. A single large body is always accepted: its size has a limit of its own.
 * @internal
 */
export class BodyMemory {
  private small = 0;
  private large = 0;

  constructor(
    /** How many bytes all bodies may take at the same time, by their weight. @default a quarter of the heap */
    public limitBytes: number = defaultBodyMemoryBytes(),
  ) {}

  /** Bytes that all claims hold, multiplied by their weights. */
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
 * One for the whole process, since all applications in it share the heap.
 * @internal
 */
export const bodyMemory = new BodyMemory();

/**
 * How many bytes of memory a byte of a body needs: for itself, its text, the values, the state that stores them, and the answer.
 * @internal
 */
export function bodyWeight(contentType: string | undefined): number {
  const type = contentType?.toLowerCase() ?? '';
  if (type.includes('json') || type.includes('urlencoded')) return 6;
  return type.includes('xml') || type.includes('text/') || type.includes('multipart') ? 4 : 3;
}
