/** A multiple of three, so that the texts of the pieces, put together, are the text of the whole. */
const PIECE = 0x1800;

/** From this length on Node's own way is asked for: ten times as fast, which an upload of megabytes has need of. */
const LARGE = 0x4000;

/** Node's own type of bytes, where there is one: this library runs elsewhere too. */
interface Buffers {
  from(bytes: ArrayBufferLike, offset: number, length: number): { toString(encoding: 'base64'): string };
  from(text: string, encoding: 'base64'): Uint8Array;
}
const buffers = (): Buffers | undefined => (globalThis as { Buffer?: Buffers }).Buffer;

export function encodeBase64(bytes: Uint8Array): string {
  const { buffer, byteOffset, length } = bytes;
  const fast = length < LARGE ? undefined : buffers()?.from(buffer, byteOffset, length);
  return fast ? fast.toString('base64') : encodePieces(bytes);
}

/** Piece by piece: the arguments of one call are limited, and `btoa` of one long text takes three times as long. */
function encodePieces(bytes: Uint8Array): string {
  const texts: string[] = [];
  for (let i = 0; i < bytes.length; i += PIECE) texts.push(btoa(String.fromCharCode(...bytes.subarray(i, i + PIECE))));
  return texts.join('');
}

/**
 * `undefined` when the text is not base64. White space is ignored. Padding is required, as in .NET: without it, words such as `OK`
 * would be bytes, and others than were meant.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  return (text.length < LARGE ? undefined : decodeLarge(text)) ?? decodeCarefully(text);
}

/** `undefined` for anything but the usual form: without white space and with all of its padding. */
function decodeLarge(text: string): Uint8Array | undefined {
  // Node takes these letters of another alphabet for what they stand for, and leaves out what is none at all.
  if (text.length % 4 !== 0 || text.includes('-') || text.includes('_')) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = buffers()?.from(text, 'base64');
  if (bytes?.length !== (text.length / 4) * 3 - padding) return undefined;
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

function decodeCarefully(text: string): Uint8Array | undefined {
  if (text.replace(/[\t\n\f\r ]+/g, '').length % 4 !== 0) return undefined;
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    return undefined;
  }
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
