import { posix } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';
import { ByteBlocks } from '@waymark/runtime/adapter';
import { Zip, type ZipInputFile } from 'fflate';
import type { Download } from './downloads.js';
import { safePath } from './safe-filename.js';

const deflate = promisify(deflateRaw);

const DEFLATED = 8;
/** Of which the sum is formed before other requests get their turn. */
const SLICE_BYTES = 8 * 1024 * 1024;
/** The same for all: archives of the same files are the same bytes. */
const MODIFIED_AT = '1980-01-01T12:00:00';

/**
 * Several files as one archive. The same files always give the same bytes, so a download that is resumed needs no copy
 * kept on the server: running the workflow again makes it, and its entity tag tells whether it is the same.
 *
 * Nodes with another version of Node may compress them to other bytes, which have another tag.
 *
 * They are compressed by the threads of Node: here, each megabyte would hold up all other requests for a tenth of a second and more.
 */
export async function zipped(
  files: readonly Download[],
  filename: string | undefined,
  signal?: AbortSignal,
): Promise<Download> {
  const blocks = new ByteBlocks();
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    blocks.append(chunk);
  });
  const taken = new Set<string>();
  const copies = new Map<string, number>();
  for (const file of files) {
    signal?.throwIfAborted();
    const name = freeName(safePath(file.filename), taken, copies);
    const entry = await entryOf(file.bytes, name);
    const compressed = await deflate(file.bytes);
    zip.add(entry);
    entry.ondata!(null, compressed, true);
  }
  zip.end();
  return {
    filename: filename ?? 'download.zip',
    contentType: 'application/zip',
    bytes: blocks.take(),
    isArchive: true,
  };
}

async function entryOf(bytes: Uint8Array, filename: string): Promise<ZipInputFile> {
  let crc = 0;
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    crc = crc32(bytes.subarray(at, at + SLICE_BYTES), crc);
    await setImmediate();
  }
  return { filename, size: bytes.length, crc, compression: DEFLATED, mtime: MODIFIED_AT };
}

/**
 * `a.txt`, then `a-1.txt`, `a-2.txt` …, in the same folder.
 * @param taken in small letters, as are those of `copies`: many systems write `A.txt` over `a.txt`
 * @param copies how many of each name there are: counting from 1 each time costs the square of them
 */
function freeName(name: string, taken: Set<string>, copies: Map<string, number>): string {
  const { dir, name: stem, ext } = posix.parse(name);
  const key = name.toLowerCase();
  let free = name;
  let copy = copies.get(key) ?? 0;
  while (taken.has(free.toLowerCase())) free = posix.join(dir, `${stem}-${++copy}${ext}`);
  copies.set(key, copy);
  taken.add(free.toLowerCase());
  return free;
}
