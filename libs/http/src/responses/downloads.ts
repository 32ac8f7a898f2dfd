import type { Readable } from 'node:stream';
import { ByteBlocks } from '@waymark/runtime/adapter';
import { isHttpFile } from '../requests/http-file.js';
import { filenameOf } from '../requests/parse-content.js';
import { filenameInUrl } from '../requests/plain-filename.js';
import { renderText } from './render-content.js';
import { TooManyFilesError } from './too-many-files-error.js';

/** One file to send. */
export interface Download {
  readonly filename: string;
  /** By the content itself; a file name that was asked for counts for more. */
  readonly contentType?: string;
  readonly eTag?: string;
  readonly bytes: Uint8Array;
  /** It was made for this answer, of several files. */
  readonly isArchive?: boolean;
}

/** Fetches the content behind a URL. */
export type FetchFile = (
  url: string,
) => Promise<{ bytes: Uint8Array; contentType?: string; contentDisposition?: string; eTag?: string }>;

/** Of a list of files. */
export interface ArchiveLimits {
  /** Asked before any file is fetched. */
  readonly maxArchiveFiles: number;
  /** Of all of them together: they are in memory at the same time. */
  readonly maxDownloadBytes: number;
}

/**
 * The files that some content stands for: none, one, or a list of them.
 * @throws TooManyFilesError
 */
export async function downloadsOf(content: unknown, fetchFile: FetchFile, limits: ArchiveLimits): Promise<Download[]> {
  if (content === null || content === undefined) return [];
  if (content instanceof Set) return downloadsOf([...(content as Set<unknown>)], fetchFile, limits);
  if (!Array.isArray(content)) return [await downloadOf(content, fetchFile)];
  const { maxArchiveFiles, maxDownloadBytes } = limits;
  const items = content.filter((item) => item !== null && item !== undefined);
  if (items.length > maxArchiveFiles) throw TooManyFilesError.byNumber(items.length, maxArchiveFiles);
  const all: Download[] = [];
  let bytes = 0;
  for (const item of items) {
    const file = await downloadOf(item, fetchFile);
    bytes += file.bytes.length;
    if (bytes > maxDownloadBytes) throw TooManyFilesError.bySize(maxDownloadBytes);
    all.push(file);
  }
  return all;
}

async function downloadOf(content: unknown, fetchFile: FetchFile): Promise<Download> {
  if (content instanceof Uint8Array)
    return { filename: 'file.bin', contentType: 'application/octet-stream', bytes: content };
  if (isHttpFile(content)) return content;
  if (content instanceof URL) return fetched(content.href, fetchFile);
  if (typeof content === 'string')
    return /^https?:\/\/\S+$/i.test(content.trim())
      ? fetched(content.trim(), fetchFile)
      : textFile('file.txt', content);
  if (isStream(content))
    return { filename: 'file.bin', contentType: 'application/octet-stream', bytes: await collect(content) };
  if (isDescribed(content)) {
    const inner = await downloadOf(content.content, fetchFile);
    return {
      ...inner,
      filename: content.filename ?? inner.filename,
      contentType: content.contentType ?? inner.contentType,
      eTag: content.eTag ?? inner.eTag,
    };
  }
  return {
    filename: 'file.json',
    contentType: 'application/json',
    bytes: Buffer.from(renderText(content, 'application/json')),
  };
}

const textFile = (filename: string, text: string): Download => ({
  filename,
  contentType: 'text/plain',
  bytes: Buffer.from(text),
});

async function fetched(url: string, fetchFile: FetchFile): Promise<Download> {
  const { bytes, contentType, contentDisposition, eTag } = await fetchFile(url);
  const filename = filenameOf(contentDisposition) ?? filenameInUrl(url) ?? 'file.bin';
  return { filename, contentType, eTag, bytes };
}

/** `{ content, filename, contentType, eTag }`: content with a description, as a script can write it. */
function isDescribed(
  value: unknown,
): value is { content: unknown; filename?: string; contentType?: string; eTag?: string } {
  return (
    typeof value === 'object' && value !== null && 'content' in value && ('filename' in value || 'contentType' in value)
  );
}

const isStream = (value: unknown): value is Readable =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Readable>).pipe === 'function';

async function collect(stream: Readable): Promise<Uint8Array> {
  const blocks = new ByteBlocks();
  for await (const chunk of stream as AsyncIterable<Uint8Array | string>)
    blocks.append(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return blocks.take();
}
