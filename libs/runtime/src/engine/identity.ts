import { hash, randomFillSync } from 'node:crypto';
import type { WorkflowClock } from '../clock/workflow-clock.js';

const RANDOM_BYTES = 7;
const POOL_BYTES = 4096;
/** Of 16 milliseconds each: ten hex digits last until the year 2527. */
const TIME_DIGITS = 10;
const MS_PER_TICK = 16;
const ID_DIGITS = TIME_DIGITS + 2 * RANDOM_BYTES;
const OWN_ID = new RegExp(`^[0-9a-f]{${ID_DIGITS}}$`);

/**
 * Makes ids of 24 lower-case hex digits: ten of time, then 56 random bits. What is made together begins alike and so lies
 * together in every index, where a random id would touch a page of its own in each, and a table of gigabytes would be
 * read and written all over (ADR 9). They tell when they were made and cannot be guessed.
 */
export function createIdGenerator(clock: Pick<WorkflowClock, 'now'>): () => string {
  // Drawn in bulk: one system call for many ids.
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  let tick = -1;
  let time = '';
  return () => {
    const current = Math.floor(clock.now() / MS_PER_TICK);
    if (current !== tick) {
      tick = current;
      time = current.toString(16).padStart(TIME_DIGITS, '0');
    }
    if (used + RANDOM_BYTES > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    const start = used;
    used += RANDOM_BYTES;
    return time + pool.toString('hex', start, used);
  };
}

/**
 * An id made from a text, always the same, that lies beside another one in every index.
 * @param neighbour its time is taken over, if it begins with one
 */
export function derivedId(text: string, neighbour: string): string {
  const time = OWN_ID.test(neighbour) ? neighbour.slice(0, TIME_DIGITS) : '';
  return time + sha256(text).slice(time.length, ID_DIGITS).toLowerCase();
}

/** SHA-256, upper-case hex. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex').toUpperCase();
}
