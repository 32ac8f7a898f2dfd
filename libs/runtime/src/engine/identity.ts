import { createHash, randomFillSync } from 'node:crypto';

const HEX = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));
const ID_BYTES = 8;
const POOL_BYTES = 4096;

/** Makes ids of 16 hex digits, as Elsa's tools do. */
export function createIdGenerator(): () => string {
  // Drawn in bulk: one system call for many ids.
  const pool = new Uint8Array(POOL_BYTES);
  let used = POOL_BYTES;
  return () => {
    if (used + ID_BYTES > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    let id = '';
    for (const end = used + ID_BYTES; used < end; used++) id += HEX[pool[used]!];
    return id;
  };
}

/** SHA-256, upper-case hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex').toUpperCase();
}
