import { setImmediate } from 'node:timers/promises';
import { Zip, ZipDeflate } from 'fflate';
import { fileNameOf } from './file-name.js';

export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** What is compressed before other requests get their turn. */
const SLICE_BYTES = 128 * 1024;
/** Archives have numbers of 32 bits. */
const MAX_BYTES = 0xffff_ffff;

/**
 * An archive, as it is made: one file is in memory at a time, and none is asked for before what was made is taken.
 * @throws Error when it becomes larger than an archive may be
 */
export async function* zipped(files: AsyncIterable<NamedText>, maxBytes = MAX_BYTES): AsyncGenerator<Uint8Array, void> {
  let made: Uint8Array[] = [];
  let bytes = 0;
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    bytes += chunk.length;
    made.push(chunk);
  });
  const taken = (): Uint8Array[] => {
    if (bytes > maxBytes) throw new Error('The archive would be larger than 4 GB. Request fewer items at a time.');
    const chunks = made;
    made = [];
    return chunks;
  };
  const names = new Map<string, number>();
  for await (const { name, text } of files) {
    const entry = new ZipDeflate(unusedName(fileNameOf(name), names));
    zip.add(entry);
    for (const slice of slicesOf(Buffer.from(text, 'utf8'))) {
      entry.push(slice.bytes, slice.isLast);
      yield* taken();
      await setImmediate();
    }
  }
  zip.end();
  yield* taken();
}

function* slicesOf(bytes: Uint8Array): Generator<{ readonly bytes: Uint8Array; readonly isLast: boolean }, void> {
  let at = 0;
  do {
    const end = at + SLICE_BYTES;
    yield { bytes: bytes.subarray(at, end), isLast: end >= bytes.length };
    at = end;
  } while (at < bytes.length);
}

/**
 * Two ids may make one name, and ten thousand as well.
 * @param used names, and the number that was given last to another entry of that name: counting from 1 each time costs the square of them
 */
function unusedName(name: string, used: Map<string, number>): string {
  let unused = name;
  let n = used.get(name) ?? 1;
  while (used.has(unused)) unused = name.replace(/(\.[^.]*)?$/, `-${++n}$1`);
  used.set(name, n);
  if (unused !== name) used.set(unused, 1);
  return unused;
}
