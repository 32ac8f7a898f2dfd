import { StreamableFile } from '@nestjs/common';
import { encodeExtended, format } from 'content-disposition';
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
  const parameters = { filename: name.replace(/[^\x20-\x7e]|["\\;]/g, '_'), 'filename*': encodeExtended(name) };
  return format({ type: 'attachment', parameters });
}
