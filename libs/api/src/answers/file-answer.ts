import { StreamableFile } from '@nestjs/common';
import { strToU8, zipSync } from 'fflate';

export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** A download, named as the reference does it: its clients read the plain `filename`. */
export function fileAnswer(
  name: string,
  content: string | Uint8Array,
  type = 'application/octet-stream',
): StreamableFile {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  return new StreamableFile(bytes, { type, disposition: dispositionOf(name), length: bytes.byteLength });
}

export function zipAnswer(name: string, files: readonly NamedText[]): StreamableFile {
  const entries: Record<string, Uint8Array> = {};
  for (const file of files) entries[withoutFolders(file.name)] = strToU8(file.text);
  return fileAnswer(name, zipSync(entries));
}

/** Names come from clients: who unpacks or saves the file stays where it is. */
const withoutFolders = (name: string): string => {
  const last = name.replaceAll('\\', '/').split('/').at(-1)!;
  return /^\.*$/.test(last) ? 'file' : last === '__proto__' ? 'proto' : last;
};

export function dispositionOf(given: string): string {
  const name = withoutFolders(given);
  const ascii = name.replace(/[^\x20-\x7e]|["\\;]/g, '_');
  const plain = /^[\w.-]+$/.test(ascii) ? ascii : `"${ascii}"`;
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename=${plain}; filename*=UTF-8''${encoded}`;
}
