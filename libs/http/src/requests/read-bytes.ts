import type { Readable } from 'node:stream';
import { type BodyClaim, type BodyDeadline, ByteBlocks, readChunks } from '@waymark/runtime/adapter';

/**
 * All bytes of a stream; undefined as soon as there are more than the limit. The stream is not destroyed then.
 * @throws RequestAbortedError, BodyTimeoutError, BodyMemoryError
 */
export async function readBytes(
  source: Readable,
  limit: number,
  deadline?: BodyDeadline,
  claim?: BodyClaim,
  announced = 0,
): Promise<Buffer | undefined> {
  const blocks = new ByteBlocks();
  const take = (chunk: Buffer): boolean => {
    if (blocks.length + chunk.length > limit) return false;
    if (blocks.length === 0) claim?.expect(announced);
    claim?.hold(blocks.length + chunk.length);
    blocks.append(chunk);
    return true;
  };
  if (!(await readChunks(source, take, deadline, limit))) return undefined;
  return blocks.take();
}
