import type { Readable } from 'node:stream';
import type { BodyDeadline } from './body-deadline.js';
import { readChunks } from './read-chunks.js';

/**
 * All bytes of a stream; undefined as soon as there are more than the limit. The stream is not destroyed then.
 * @throws RequestAbortedError, BodyTimeoutError
 */
export async function readBytes(source: Readable, limit: number, deadline?: BodyDeadline): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer): boolean => {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    return size <= limit;
  };
  if (!(await readChunks(source, take, deadline))) return undefined;
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size);
}
