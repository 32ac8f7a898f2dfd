/** Longer patterns match nothing: what they are compared with are names and codes. */
const MAX_PATTERN = 1000;

/**
 * Returns true if a text matches a pattern in which `*` stands for any text. Uses no regular expression: one with ten stars can take hours
 * to reject a text of some thousand characters.
 */
export function matchesWildcards(text: string, pattern: string): boolean {
  if (pattern.length > MAX_PATTERN) return false;
  return pattern.includes('*') ? matchesParts(text, partsOf(pattern)) : text === pattern;
}

/**
 * Many patterns, taken apart once: a definition may have a hundred thousand, and each fault of an activity is looked for in them. One by
 * one, that took a third of a second for each.
 */
export class WildcardPatterns {
  private readonly exact = new Set<string>();
  private readonly others: WildcardParts[] = [];

  constructor(patterns: readonly string[]) {
    for (const pattern of patterns) {
      if (pattern.length > MAX_PATTERN) continue;
      if (pattern.includes('*')) this.others.push(partsOf(pattern));
      else this.exact.add(pattern);
    }
  }

  /** Whether one of the texts is what one of the patterns says. */
  matchSome(texts: readonly string[]): boolean {
    if (texts.some((text) => this.exact.has(text))) return true;
    return this.others.some((parts) => texts.some((text) => matchesParts(text, parts)));
  }
}

/** What stands before the first star, between the stars, and behind the last. */
interface WildcardParts {
  readonly first: string;
  readonly inner: readonly string[];
  readonly last: string;
}

function partsOf(pattern: string): WildcardParts {
  const parts = pattern.split('*');
  return { first: parts[0]!, inner: parts.slice(1, -1), last: parts.at(-1)! };
}

function matchesParts(text: string, { first, inner, last }: WildcardParts): boolean {
  const end = text.length - last.length;
  if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  // The earliest place of each part leaves most room for the next ones.
  for (const part of inner) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= end;
}
