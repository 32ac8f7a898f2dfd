import { setImmediate } from 'node:timers/promises';

/** Of a slice. Some encodings take 100 ms for a megabyte, and UTF-8 with anything but ASCII 20 ms. */
const SLICE_BYTES = 262_144;

/** Decodes a long text slice by slice, in turns of their own. */
export async function* decodeSlices(bytes: Uint8Array, decoder: TextDecoder): AsyncGenerator<string> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    yield decoder.decode(bytes.subarray(at, at + SLICE_BYTES), { stream: true });
    await setImmediate();
  }
  yield decoder.decode();
}

/** UTF-8 as `Buffer.toString` reads it: what is malformed is replaced, and a byte order mark stays. Short texts are decoded at once. */
export async function decodeUtf8InTurns(bytes: Buffer): Promise<string> {
  if (bytes.length <= SLICE_BYTES) return bytes.toString();
  const pieces: string[] = [];
  for await (const piece of decodeSlices(bytes, new TextDecoder('utf-8', { ignoreBOM: true }))) pieces.push(piece);
  return pieces.join('');
}
