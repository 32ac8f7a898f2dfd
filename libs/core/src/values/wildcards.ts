/** Longer patterns match nothing: what they are compared with are names and codes. */
const MAX_PATTERN = 1000;

/**
 * Whether a text is what a pattern says, in which `*` stands for any text. Not by a regular expression: one with ten stars and a
 * text of some thousand characters would take hours to say no.
 */
export function matchesWildcards(text: string, pattern: string): boolean {
  if (pattern.length > MAX_PATTERN) return false;
  const parts = pattern.split('*');
  if (parts.length === 1) return text === pattern;
  const first = parts[0]!;
  const last = parts.at(-1)!;
  const end = text.length - last.length;
  if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  // The earliest place of each part leaves most room for the next ones.
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= end;
}
