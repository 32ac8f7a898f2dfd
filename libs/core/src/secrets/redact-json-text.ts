import { endOfJsonString } from '../values/json-string.js';
import { REDACTED } from '../values/redacted.js';

const [QUOTE, BACKSLASH, SPACE] = [34, 92, 32];
const SPACES = /\s*/y;
const NUMBER = /-?\d[^\s,}\]]*/y;
/** Longer names are not sensitive. */
const MAX_NAME = 100;
/** Most members that are checked, more than most texts of a megabyte have. The rest of the text is left out. */
const MAX_MEMBERS = 150_000;
/** Most members that are hidden: assembling the text again costs ten times as much as checking it. */
const MAX_HIDDEN = 20_000;
/** Most colons that are checked, whether or not they belong to members. */
const MAX_COLONS = 2_000_000;

/**
 * JSON in a text, such as a body that nothing has asked to be parsed, without the values of sensitive members. Other texts are
 * returned as they are. What it stands in need not be complete, as texts are cut. One pass from colon to colon, whatever the
 * text.
 */
export function redactJsonText(text: string, isSensitive: (name: string) => boolean): string {
  const first = text.charCodeAt(0);
  // A bracket, a brace, or white space before one.
  if (first !== 0x7b && first !== 0x5b && (first > SPACE || !/^\s*[[{]/.test(text))) return text;
  const pieces: string[] = [];
  let done = 0;
  let members = 0;
  let hidden = 0;
  let colons = 0;
  let from = 0;
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', from)) {
    const name = nameBefore(text, done, from, colon);
    from = colon + 1;
    if (++colons > MAX_COLONS) return pieces.join('') + text.slice(done, from) + REDACTED;
    if (name === undefined) continue;
    if (++members > MAX_MEMBERS || hidden === MAX_HIDDEN) return pieces.join('') + text.slice(done, from) + REDACTED;
    if (!isSensitive(name)) continue;
    SPACES.lastIndex = from;
    SPACES.test(text);
    const start = SPACES.lastIndex;
    const end = endOfValue(text, start);
    if (end === start) continue;
    hidden++;
    pieces.push(text.slice(done, start), `"${REDACTED}"`);
    done = from = end;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(done);
}

/**
 * The name of the member whose colon that is, if it is one.
 * @param done where the name may begin at the earliest @param from what follows the colon before, which it may contain
 */
function nameBefore(text: string, done: number, from: number, colon: number): string | undefined {
  let end = colon - 1;
  while (end >= from && text.charCodeAt(end) <= SPACE) end--;
  if (end < from || text.charCodeAt(end) !== QUOTE) return undefined;
  const first = Math.max(done, end - MAX_NAME - 1);
  for (let start = end - 1; start >= first; start--) {
    const char = text.charCodeAt(start);
    if (char === BACKSLASH) return undefined;
    if (char === QUOTE) return start + 1 === end ? undefined : text.slice(start + 1, end);
  }
  return undefined;
}

/** Of a text or a number; anything else ends where it starts. */
function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return Math.min(endOfJsonString(text, start) + 1, text.length);
  NUMBER.lastIndex = start;
  return NUMBER.test(text) ? NUMBER.lastIndex : start;
}
