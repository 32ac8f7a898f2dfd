/** Everything that moves the cursor, colours text or begins a line, but for the tab. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
/** The line break before a frame of a stack. */
const FRAME = /\r?\n(?=[ \t]+at )/;
/** A message may quote what a stranger sent. */
const LONGEST = 10_000;

const escaped = (char: string): string =>
  char === '\n' ? '\\n' : char === '\r' ? '\\r' : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Text for one entry of a log: ids, names and fault messages come from outside, and a line break or ANSI code in them would
 * forge entries, or hide some. The frames of a stack keep their lines.
 */
export function logText(text: string): string {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text;
  return short
    .split(FRAME)
    .map((line) => line.replace(CONTROL, escaped))
    .join('\n');
}
