/** A multiple of three, so that the texts of the pieces, put together, are the text of the whole. */
const PIECE = 0x1800;

/** Piece by piece: the arguments of one call are limited, and `btoa` of one long text takes three times as long. */
export function encodeBase64(bytes: Uint8Array): string {
  const texts: string[] = [];
  for (let i = 0; i < bytes.length; i += PIECE) texts.push(btoa(String.fromCharCode(...bytes.subarray(i, i + PIECE))));
  return texts.join('');
}

/** `undefined` when the text is not base64. White space is ignored and padding may be missing. */
export function decodeBase64(text: string): Uint8Array | undefined {
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
