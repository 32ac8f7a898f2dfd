const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** Path of a member, as one would write it in code: `order.items[2]["unit price"]`. */
export function memberPath(parent: string, member: string | number): string {
  if (typeof member === 'number') return `${parent}[${member}]`;
  if (!IDENTIFIER.test(member)) return `${parent}[${JSON.stringify(member)}]`;
  return parent === '' ? member : `${parent}.${member}`;
}

/** Longer paths are shortened in errors, in characters. */
const MOST_CHARS = 300;
/** What is left of their beginning, and of their end. */
const [BEGINNING, END] = [180, 80];

/** The path as an error shows it: one of a thousand levels, or with names of megabytes, would fill logs, answers and states. */
export function shortPath(path: string): string {
  if (path.length <= MOST_CHARS) return path;
  // A cut may leave half of a pair, which no database keeps.
  return `${path.slice(0, BEGINNING)} … ${path.slice(-END)}`.replaceAll(/\p{Surrogate}/gu, '');
}
