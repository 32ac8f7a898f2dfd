import { randomBytes, randomUUID } from 'node:crypto';
import { isUint8Array } from 'node:util/types';
import { toPlainJson } from '@waymark/core/adapter';
import type { JavaScriptGlobal } from './javascript-global.js';

/** Helpers for texts, ids and bytes that scripts of the format expect. */
export const textGlobals: readonly JavaScriptGlobal[] = [
  { name: 'isNullOrWhiteSpace', isPure: true, invoke: (_, text) => text == null || String(text).trim() === '' },
  { name: 'isNullOrEmpty', isPure: true, invoke: (_, text) => text == null || String(text) === '' },
  { name: 'toJson', isPure: true, invoke: (_, value) => JSON.stringify(toPlainJson(value)) },

  { name: 'parseGuid', isPure: true, invoke: (_, text) => parseGuid(text) },
  { name: 'newGuid', invoke: () => randomUUID() },
  { name: 'newGuidString', invoke: () => randomUUID() },
  { name: 'newShortGuid', invoke: () => shortGuid() },
  // Names of older versions, still found in files.
  { name: 'getGuidString', invoke: () => randomUUID() },
  { name: 'getShortGuid', invoke: () => shortGuid() },

  { name: 'bytesToString', invoke: (_, bytes) => toBuffer(bytes).toString('utf8') },
  { name: 'bytesFromString', invoke: (_, text) => Buffer.from(toText(text), 'utf8') },
  { name: 'bytesToBase64', invoke: (_, bytes) => toBuffer(bytes).toString('base64') },
  { name: 'bytesFromBase64', invoke: (_, text) => fromBase64(toText(text)) },
  { name: 'stringToBase64', isPure: true, invoke: (_, text) => Buffer.from(toText(text), 'utf8').toString('base64') },
  { name: 'stringFromBase64', isPure: true, invoke: (_, text) => fromBase64(toText(text)).toString('utf8') },
  // Streams never enter the sandbox: what a script holds is already the bytes.
  { name: 'streamToBytes', invoke: (_, bytes) => toBuffer(bytes) },
  { name: 'streamToBase64', invoke: (_, bytes) => toBuffer(bytes).toString('base64') },
];

/** 22 letters and digits, as in Elsa: half of all ids in base64 have neither hyphens nor underscores. */
function shortGuid(): string {
  for (;;) {
    const id = randomBytes(16).toString('base64url');
    if (!/[-_]/.test(id)) return id;
  }
}

/** Accepts the spellings of .NET: with or without hyphens, in braces or parentheses, any case. */
function parseGuid(value: unknown): string {
  const text = toText(value).trim();
  const bare = /^\{(.*)\}$|^\((.*)\)$/.exec(text);
  const match = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/i.exec(
    bare?.[1] ?? bare?.[2] ?? text,
  );
  if (!match) throw new TypeError(`"${text}" is not a GUID.`);
  return match.slice(1).join('-').toLowerCase();
}

function toText(value: unknown): string {
  if (value == null) throw new TypeError('A text was expected, not null.');
  return String(value);
}

/** Blanks within, both alphabets, with or without padding. Node itself decodes any text, and leaves out what it does not know. */
function fromBase64(text: string): Buffer {
  const dense = /\s/.test(text) ? text.replace(/\s+/g, '') : text;
  const digits = dense.length - (dense.endsWith('==') ? 2 : dense.endsWith('=') ? 1 : 0);
  const isPadded = digits < dense.length;
  if (!/^[\w+/-]*={0,2}$/.test(dense) || digits % 4 === 1 || (isPadded && dense.length % 4 !== 0))
    throw new TypeError(`"${text.length > 40 ? `${text.slice(0, 40)}…` : text}" is not base64.`);
  return Buffer.from(dense, 'base64');
}

function toBuffer(value: unknown): Buffer {
  if (isUint8Array(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (typeof value === 'string') return fromBase64(value);
  if (Array.isArray(value)) return Buffer.from(value as number[]);
  throw new TypeError('Bytes were expected.');
}
