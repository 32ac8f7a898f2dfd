import { safeFilename } from './safe-filename.js';

/** `attachment` with the file name, for old readers in ASCII and for all others in full. */
export function attachment(filename: string): string {
  const safe = safeFilename(filename);
  const ascii = safe.replace(/[^\x20-\x7e]/g, '_').replace(/["\\]/g, '\\$&');
  const plain = /^[\w!#$&+.^`|~-]+$/.test(ascii) ? ascii : `"${ascii}"`;
  const full = encodeURIComponent(safe).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename=${plain}; filename*=UTF-8''${full}`;
}
