import { REDACTED } from '../values/redacted.js';

/** Of an element or an attribute, with its prefix: no name that people list is longer. */
const NAME = /[^\s=<>"'/!?]{1,200}/y;
const ATTRIBUTE = /\s+([^\s=<>"'/]{1,200})\s*=\s*(["'])/y;
const CDATA = '<![CDATA[';
/** Most elements that are looked at; the rest of the text is left out. */
const MAX_TAGS = 300_000;
/** Most values that are hidden: putting the text together again costs more than looking. */
const MAX_HIDDEN = 20_000;

/**
 * XML in a text, such as the envelope of a SOAP request, without the texts of elements and the values of attributes that have a sensitive
 * name: `<wsse:Password>…</wsse:Password>`, `<user password="…"/>`. It need not be complete. One pass from tag to tag.
 */
export function redactMarkup(text: string, isSensitive: (name: string) => boolean): string {
  let open = text.indexOf('<');
  if (open < 0 || !isMarkup(text, open)) return text;
  const hiding = new Hiding(text);
  for (let tags = 0; open >= 0; tags++) {
    NAME.lastIndex = open + 1;
    const name = NAME.exec(text)?.[0];
    let at = open + 1;
    if (name !== undefined) {
      if (tags === MAX_TAGS || hiding.isFull) return hiding.upTo(open);
      at = hideAttributes(open + 1 + name.length, hiding, isSensitive);
      if (text[at] === '>' && isSensitive(localName(name))) at = hideText(at + 1, hiding);
    }
    open = text.indexOf('<', at);
  }
  return hiding.whole();
}

/** It begins so, or has an end of an element: unlike `<token>` and `Promise<Token>` in prose. */
const isMarkup = (text: string, open: number): boolean =>
  behindSpaces(text, 0) === open || text.includes('</', open) || text.includes('/>', open);

/** @returns the index behind them */
function hideAttributes(start: number, hiding: Hiding, isSensitive: (name: string) => boolean): number {
  const { text } = hiding;
  for (let at = start; ;) {
    ATTRIBUTE.lastIndex = at;
    const found = ATTRIBUTE.exec(text);
    if (!found) return behindSpaces(text, at);
    const value = ATTRIBUTE.lastIndex;
    const end = hiding.quoteFrom(found[2]!, value);
    if (isSensitive(localName(found[1]!)) && end > value) hiding.hide(value, end);
    at = end + 1;
  }
}

/** Up to the next tag, or to the end of a section of characters. @returns the index behind it */
function hideText(start: number, hiding: Hiding): number {
  const { text } = hiding;
  const from = behindSpaces(text, start);
  if (text.startsWith(CDATA, from)) {
    const end = text.indexOf(']]>', from);
    hiding.hide(from + CDATA.length, end < 0 ? text.length : end);
    return end < 0 ? text.length : end;
  }
  const next = text.indexOf('<', from);
  const end = next < 0 ? text.length : next;
  if (end > from) hiding.hide(from, end);
  return end;
}

function behindSpaces(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charCodeAt(at) <= 32) at++;
  return at;
}

const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1);

/** A text, and what has been hidden of it. */
class Hiding {
  private readonly pieces: string[] = [];
  private done = 0;
  /** Marks that do not occur any more: each look for one would read the rest of the text. */
  private readonly missing = new Set<string>();

  constructor(readonly text: string) {}

  get isFull(): boolean {
    return this.pieces.length >= 2 * MAX_HIDDEN;
  }

  hide(start: number, end: number): void {
    this.pieces.push(this.text.slice(this.done, start), REDACTED);
    this.done = end;
  }

  /** Index of the mark from there on, or the end of the text. */
  quoteFrom(mark: string, from: number): number {
    const end = this.missing.has(mark) ? -1 : this.text.indexOf(mark, from);
    if (end < 0) this.missing.add(mark);
    return end < 0 ? this.text.length : end;
  }

  /** With a note in place of what follows. */
  upTo(end: number): string {
    return this.pieces.join('') + this.text.slice(this.done, end) + REDACTED;
  }

  whole(): string {
    return this.pieces.length === 0 ? this.text : this.pieces.join('') + this.text.slice(this.done);
  }
}
