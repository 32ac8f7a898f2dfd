import type { AuditEntry } from '@waymark/runtime/adapter';

const COLUMNS = [
  'at',
  'id',
  'actorKind',
  'actor',
  'action',
  'targetKind',
  'targetIds',
  'targetCount',
  'outcome',
  'code',
  'address',
  'userAgent',
  'requestId',
  'details',
] as const;

export const CSV_HEAD = `${COLUMNS.join(',')}\r\n`;

/** Entries as lines of RFC 4180. */
export const csvLines = (entries: readonly AuditEntry[]): string =>
  entries.map((entry) => `${lineOf(entry)}\r\n`).join('');

const lineOf = (entry: AuditEntry): string => COLUMNS.map((column) => cellOf(entry[column])).join(',');

function cellOf(value: AuditEntry[keyof AuditEntry]): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  if (value instanceof Date) return value.toISOString();
  return quoted(typeof value === 'string' ? value : Array.isArray(value) ? value.join(' ') : JSON.stringify(value));
}

/** Characters that begin a formula in spreadsheets, including full-width forms, after characters that they skip. */
const FORMULA = /^[\s\u200b\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20|%]/;

/** An apostrophe keeps spreadsheets from evaluating text that a client has sent, such as a user name. */
const quoted = (text: string): string => `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
