import { createHash, randomFillSync } from 'node:crypto';

const ID_BYTES = 8;
const POOL_BYTES = 4096;

/** Makes ids of 16 hex digits, as Elsa's tools do. */
export function createIdGenerator(): () => string {
  // Drawn in bulk: one system call for many ids.
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  return () => {
    if (used + ID_BYTES > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    const start = used;
    used += ID_BYTES;
    return pool.toString('hex', start, used);
  };
}

/** SHA-256, upper-case hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex').toUpperCase();
}
