import { toPlainJson } from '@waymark/core/adapter';

const NAME = /^[A-Za-z_][\w.-]*$/;

/** Data as XML: members and list items become elements. A single member names the root element. */
export function toXml(content: unknown): string {
  const data = toPlainJson(content);
  const entries = isRecord(data) ? Object.entries(data) : [];
  const [first] = entries;
  const root =
    entries.length === 1 && first && !Array.isArray(first[1]) ? element(first[0], first[1]) : element('root', data);
  return `<?xml version="1.0" encoding="utf-8"?>${root}`;
}

function element(name: string, value: unknown): string {
  const tag = NAME.test(name) ? name : 'item';
  const attribute = tag === name ? '' : ` name="${escape(name)}"`;
  if (value === null || value === undefined) return `<${tag}${attribute} />`;
  return `<${tag}${attribute}>${inner(value)}</${tag}>`;
}

function inner(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => element('item', item)).join('');
  if (!isRecord(value)) return escape(String(value));
  return Object.entries(value)
    .map(([name, member]) =>
      Array.isArray(member) ? member.map((item) => element(name, item)).join('') : element(name, member),
    )
    .join('');
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

// oxlint-disable-next-line no-control-regex -- XML has no way to write these
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

const escape = (text: string): string => text.replace(UNWRITABLE, '').replace(/[&<>"']/g, (c) => ENTITIES[c]!);
