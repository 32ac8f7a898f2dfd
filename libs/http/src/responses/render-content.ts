import { Readable } from 'node:stream';
import { CONVERTED_TEXT, parseIfJson, scalarText, toPlainJson } from '@waymark/core/adapter';
import { type HttpFile, isHttpFile, isStoredFile, openHttpFile } from '../requests/http-file.js';
import type { ResponseBody } from './http-response-writer.js';
import { toXml } from './to-xml.js';

/** Content with the type it is sent under. */
export interface RenderedContent {
  readonly contentType: string;
  readonly body: ResponseBody;
}

/** Sent in place of content that has no JSON form, such as an object that contains itself. */
export const NOT_SERIALIZABLE_CONTENT = 'The response includes a type that cannot be serialized.';

const OCTETS = 'application/octet-stream';

/**
 * Content as bytes, by the content type without its parameters. Bytes, streams and files stay what they are, text is taken
 * to be written in that type already.
 * @param given blank: by the content
 */
export function renderContent(content: unknown, given: string | null | undefined): RenderedContent {
  const contentType = given?.trim() || defaultType(content);
  if (content instanceof Uint8Array || content instanceof Readable) return { contentType, body: content };
  if (isHttpFile(content)) return { contentType, body: contentOf(content) };
  return { contentType, body: renderText(content, contentType) };
}

/** A large upload goes from the disk to the client. */
export const contentOf = (file: HttpFile): ResponseBody => (isStoredFile(file) ? openHttpFile(file) : file.bytes);

/** @returns text in that content type */
export function renderText(content: unknown, contentType: string): string {
  const mediaType = contentType.split(';')[0]!.trim().toLowerCase();
  if (mediaType === 'application/x-www-form-urlencoded') return toForm(content);
  if (typeof content === 'string') return content;
  if (mediaType.endsWith('xml')) return toXml(content);
  return typeof content === 'object' || mediaType.endsWith('json') ? toJson(content) : textOf(content);
}

/** As in every text of a workflow: booleans are spelled as in .NET. */
const textOf = (content: unknown): string =>
  content === true ? 'True' : content === false ? 'False' : String(content);

function defaultType(content: unknown): string {
  if (isHttpFile(content)) return content.contentType || OCTETS;
  if (content instanceof Uint8Array || content instanceof Readable) return OCTETS;
  return typeof content === 'string' ? 'text/plain' : 'application/json';
}

export function toJson(content: unknown): string {
  // Plain data, which is nearly everything, comes back as it is and is written the fast way.
  if (toPlainJson(content) === content) return JSON.stringify(content);
  try {
    return JSON.stringify(content, jsonMember) ?? NOT_SERIALIZABLE_CONTENT;
  } catch {
    return NOT_SERIALIZABLE_CONTENT;
  }
}

/** Not by the value given: a Buffer has been turned into something else by then. */
function jsonMember(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const source = this[key];
  const isSpecial =
    typeof source === 'bigint' || source instanceof Map || source instanceof Set || source instanceof Uint8Array;
  return isSpecial ? toPlainJson(source) : value;
}

function toForm(content: unknown): string {
  const data = typeof content === 'string' ? parsedObject(content) : content;
  if (typeof data === 'string') return data;
  const form = new URLSearchParams();
  const members = data instanceof Map ? data : Object.entries((data ?? {}) as Record<string, unknown>);
  for (const [name, value] of members as Iterable<[string, unknown]>)
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value])
      if (item !== null && item !== undefined)
        form.append(name, typeof item === 'object' ? (scalarText(item) ?? toJson(item)) : String(item));
  return form.toString();
}

/** An object written as JSON; any other text is a form already. */
const parsedObject = (text: string): unknown =>
  text.trim().startsWith('{') ? parseIfJson(text, CONVERTED_TEXT) : text;
