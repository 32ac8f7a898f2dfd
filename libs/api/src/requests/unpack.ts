import { text as textOf } from 'node:stream/consumers';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { InvalidRequestError } from '../answers/api-errors.js';
import type { UploadBudget } from './upload-budget.js';

export interface UploadedText {
  readonly name: string;
  readonly text: string;
}

/** JSON shrinks to a twentieth, often to a fiftieth. What shrinks further is made to fill memory. */
const MOST_RATIO = 200;
/** Below this size the ratio says nothing. */
const SMALL_BYTES = 100_000;

/** What macOS packs beside each file, under its name: not JSON, and not by the user. */
const MAC_ENTRY = /^__MACOSX\//;

export const isZip = (bytes: Buffer): boolean => bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004';

/**
 * The JSON files of an archive. They are unpacked as streams, outside of the event loop, and counted as they come: what an
 * archive says about their sizes need not be true.
 * @throws BodyTooLargeError, InvalidRequestError for a broken archive
 */
export async function unpack(name: string, bytes: Buffer, budget: UploadBudget): Promise<UploadedText[]> {
  try {
    const archive = await fromBufferPromise(bytes, { lazyEntries: true });
    const texts: UploadedText[] = [];
    for await (const entry of archive.eachEntry()) {
      // Folders too: an archive may have a million of them.
      budget.addFile();
      if (/\.json$/i.test(entry.fileName) && !MAC_ENTRY.test(entry.fileName))
        texts.push({ name: entry.fileName, text: await readEntry(archive, entry, bytes.length, budget) });
    }
    return texts;
  } catch (error) {
    if (budget.isSpent) throw budget.error();
    throw new InvalidRequestError(`"${name}" cannot be read as an archive: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function readEntry(archive: ZipFile, entry: Entry, packedBytes: number, budget: UploadBudget): Promise<string> {
  let size = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      budget.addBytes(chunk.length);
      const isBomb = size > SMALL_BYTES && size > MOST_RATIO * packedBytes;
      if (budget.isSpent || isBomb)
        done(new Error(`"${entry.fileName}" has a compression ratio above ${MOST_RATIO}:1`));
      else done(null, chunk);
    },
  });
  const [, text] = await Promise.all([pipeline(await archive.openReadStreamPromise(entry), count), textOf(count)]);
  return text;
}
