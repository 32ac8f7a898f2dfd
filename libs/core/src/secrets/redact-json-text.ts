import { endOfJsonString } from '../values/json-string.js';
import { REDACTED } from '../values/redacted.js';

const [QUOTE, BACKSLASH, SPACE] = [34, 92, 32];
const SPACES = /\s*/y;
const NUMBER = /-?\d[^\s,}\]"\\]*/y;
/** Longer names are not sensitive. */
const MAX_NAME = 100;
/** Most members that are checked, more than most texts of a megabyte have. The rest of the text is left out. */
const MAX_MEMBERS = 150_000;
/** Most members that are hidden: assembling the text again costs ten times as much as checking it. */
const MAX_HIDDEN = 20_000;
/** Most colons that are checked, whether or not they belong to members. */
const MAX_COLONS = 2_000_000;

/** JSON within a text of JSON within a text of JSON: deeper ones have more backslashes than that before each mark of quotation. */
const MAX_BACKSLASHES = 7;

/**
 * JSON in a text, such as a body that nothing has asked to be parsed, without the values of sensitive members: also behind words
 * (`Received {"password":…}`), and escaped, as a text within JSON. Other texts are returned as they are. What it stands in need not be
 * complete, as texts are cut. One pass from colon to colon, whatever the text.
 */
export function redactJsonText(text: string, isSensitive: (name: string) => boolean): string {
  const pieces: string[] = [];
  let done = 0;
  let members = 0;
  let hidden = 0;
  let colons = 0;
  // A member needs a mark of quotation before its colon.
  let from = text.indexOf('"');
  if (from < 0) return text;
  for (let colon = text.indexOf(':', from); colon >= 0; colon = text.indexOf(':', from)) {
    const name = nameBefore(text, done, from, colon);
    from = colon + 1;
    if (++colons > MAX_COLONS) return pieces.join('') + text.slice(done, from) + REDACTED;
    if (name === undefined) continue;
    if (++members > MAX_MEMBERS || hidden === MAX_HIDDEN) return pieces.join('') + text.slice(done, from) + REDACTED;
    if (!isSensitive(name.text)) continue;
    SPACES.lastIndex = from;
    SPACES.test(text);
    const start = SPACES.lastIndex;
    const end = endOfValue(text, start, name.backslashes);
    if (end === start) continue;
    hidden++;
    const mark = `${'\\'.repeat(name.backslashes)}"`;
    pieces.push(text.slice(done, start), mark, REDACTED, mark);
    done = from = end;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(done);
}

interface MemberName {
  readonly text: string;
  /** Before each of its marks of quotation. */
  readonly backslashes: number;
}

/**
 * The name of the member whose colon that is, if it is one.
 * @param done where the name may begin at the earliest @param from what follows the colon before, which it may contain
 */
function nameBefore(text: string, done: number, from: number, colon: number): MemberName | undefined {
  let mark = colon - 1;
  while (mark >= from && text.charCodeAt(mark) <= SPACE) mark--;
  if (mark < from || text.charCodeAt(mark) !== QUOTE) return undefined;
  const backslashes = backslashesBefore(text, mark);
  const end = mark - backslashes;
  const first = Math.max(done, end - MAX_NAME - 1);
  for (let start = end - 1; start >= first; start--) {
    const char = text.charCodeAt(start);
    if (char === BACKSLASH) return undefined;
    if (char === QUOTE) return start + 1 === end ? undefined : { text: text.slice(start + 1, end), backslashes };
  }
  return undefined;
}

/** Zero for so many that the mark is not one of a name. */
function backslashesBefore(text: string, mark: number): number {
  let count = 0;
  while (count <= MAX_BACKSLASHES && text.charCodeAt(mark - 1 - count) === BACKSLASH) count++;
  return count > MAX_BACKSLASHES ? 0 : count;
}

/** Of a text, a number, a list or an object; anything else ends where it starts. */
function endOfValue(text: string, start: number, backslashes: number): number {
  if (backslashes > 0) {
    const first = start + backslashes;
    if (text.charCodeAt(first) === QUOTE && backslashesBefore(text, first) === backslashes)
      return endOfEscaped(text, first + 1, backslashes);
  } else if (text[start] === '"') return Math.min(endOfJsonString(text, start) + 1, text.length);
  if (text[start] === '[' || text[start] === '{') return endOfNested(text, start, backslashes);
  NUMBER.lastIndex = start;
  return NUMBER.test(text) ? NUMBER.lastIndex : start;
}

/** Of a list or an object; the end of the text where it has none. An empty one ends where it starts: it hides nothing. */
function endOfNested(text: string, start: number, backslashes: number): number {
  let depth = 0;
  let isEmpty = true;
  for (let at = start; at < text.length; at++) {
    const char = text[at]!;
    if (char === '"') {
      const before = backslashesBefore(text, at);
      // It ends the text that the list stands in.
      if (before < backslashes) return at - before;
      at = backslashes > 0 ? endOfEscaped(text, at + 1, backslashes) - 1 : endOfJsonString(text, at);
      isEmpty = false;
    } else if (char === '[' || char === '{') depth++;
    else if (char === ']' || char === '}') {
      if (--depth === 0) return isEmpty ? start : at + 1;
    } else if (char > ' ' && char !== ',' && char !== '\\') isEmpty = false;
  }
  return text.length;
}

/**
 * The end of a text whose marks of quotation have so many backslashes. In it, a mark has at least twice as many and one; one with fewer
 * ends what it stands in.
 */
function endOfEscaped(text: string, start: number, backslashes: number): number {
  const unit = 2 * (backslashes + 1);
  let run = 0;
  for (let at = start; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === BACKSLASH) run++;
    else {
      if (char === QUOTE && run < backslashes) return at - run;
      if (char === QUOTE && run % unit === backslashes) return at + 1;
      run = 0;
    }
  }
  return text.length;
}
