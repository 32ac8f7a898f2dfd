import { encodeExtended, format } from 'content-disposition';
import { safeFilename } from './safe-filename.js';

/** `attachment` with the file name, for old readers in ASCII and for all others in full. */
export function attachment(filename: string): string {
  const safe = safeFilename(filename);
  const parameters = { filename: safe.replace(/[^\x20-\x7e]/g, '_'), 'filename*': encodeExtended(safe) };
  return format({ type: 'attachment', parameters });
}
