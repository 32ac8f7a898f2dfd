import { StreamableFile } from '@nestjs/common';
import { fileNameOf } from './file-name.js';

/** A download, named as the reference does it: its clients read the plain `filename`. */
export function fileAnswer(
  name: string,
  content: string | Uint8Array,
  type = 'application/octet-stream',
): StreamableFile {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  return new StreamableFile(bytes, { type, disposition: dispositionOf(name), length: bytes.byteLength });
}

export function dispositionOf(given: string): string {
  const name = fileNameOf(given);
  const ascii = name.replace(/[^\x20-\x7e]|["\\;]/g, '_');
  const plain = /^[\w.-]+$/.test(ascii) ? ascii : `"${ascii}"`;
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename=${plain}; filename*=UTF-8''${encoded}`;
}
