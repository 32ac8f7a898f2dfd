/**
 * Searches for texts in texts, in a time that grows with the sum of both lengths. Those of the language take the product
 * for a part such as `baaa…` in `aaaa…`: ten thousand characters searched for five thousand take 20 ms, each time.
 */

/** Up to here the searches of the language look at each character a few times only, and are many times as fast. */
const SHORT_PART = 16;

type CharacterAt = (index: number) => number;

/** `text.indexOf(part, from)`. */
export function findText(text: string, part: string, from = 0): number {
  if (part.length <= SHORT_PART || part.length > text.length - from) return text.indexOf(part, from);
  const at = search(
    text.length - from,
    part.length,
    (i) => text.charCodeAt(from + i),
    (i) => part.charCodeAt(i),
  );
  return at < 0 ? -1 : from + at;
}

/** `text.lastIndexOf(part)`: both are searched from their ends. */
export function findLastText(text: string, part: string): number {
  if (part.length <= SHORT_PART || part.length > text.length) return text.lastIndexOf(part);
  const lastOfText = text.length - 1;
  const lastOfPart = part.length - 1;
  const at = search(
    text.length,
    part.length,
    (i) => text.charCodeAt(lastOfText - i),
    (i) => part.charCodeAt(lastOfPart - i),
  );
  return at < 0 ? -1 : text.length - at - part.length;
}

/** `text.split(part)`. */
export function splitText(text: string, part: string): string[] {
  if (part.length <= SHORT_PART) return text.split(part);
  const parts: string[] = [];
  let begin = 0;
  for (let at = findText(text, part); at >= 0; at = findText(text, part, begin)) {
    parts.push(text.slice(begin, at));
    begin = at + part.length;
  }
  parts.push(text.slice(begin));
  return parts;
}

/** `text.replace(part, by)`, where `$` means nothing in what is put in. */
export function replaceFirstText(text: string, part: string, by: string): string {
  const at = findText(text, part);
  return at < 0 ? text : text.slice(0, at) + by + text.slice(at + part.length);
}

/** The same for the last place. */
export function replaceLastText(text: string, part: string, by: string): string {
  const at = findLastText(text, part);
  return at < 0 ? text : text.slice(0, at) + by + text.slice(at + part.length);
}

/** `text.replaceAll(part, by)`, where `$` means nothing in what is put in. */
export function replaceAllTexts(text: string, part: string, by: string): string {
  return part.length <= SHORT_PART ? text.replaceAll(part, () => by) : splitText(text, part).join(by);
}

/** Knuth, Morris and Pratt: no character of the text is looked at again after a mismatch. */
function search(textLength: number, partLength: number, textAt: CharacterAt, partAt: CharacterAt): number {
  const fallback = fallbacksOf(partLength, partAt);
  let matched = 0;
  for (let i = 0; i < textLength; i++) {
    const character = textAt(i);
    while (matched > 0 && character !== partAt(matched)) matched = fallback[matched - 1]!;
    if (character === partAt(matched)) matched++;
    if (matched === partLength) return i + 1 - partLength;
  }
  return -1;
}

/** For each prefix of the part: how long the longest of its own prefixes is that it also ends with. */
function fallbacksOf(length: number, partAt: CharacterAt): Uint32Array {
  const fallback = new Uint32Array(length);
  let matched = 0;
  for (let i = 1; i < length; i++) {
    while (matched > 0 && partAt(i) !== partAt(matched)) matched = fallback[matched - 1]!;
    if (partAt(i) === partAt(matched)) matched++;
    fallback[i] = matched;
  }
  return fallback;
}
