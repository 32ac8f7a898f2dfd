/** Escapes that stand for one character or class, and may have braces of their own. */
const ESCAPE = /\\(?:[pP](?:\{[^}]*\}|[^])|x\{[^}]*\}|[^])/uy;
const CLASS = /\[\^?/uy;
/** What stands for several characters within a class, so that no range begins with it. */
const NAMED = /\[:[^]*?:\]|\\[pP](?:\{[^}]*\}|[^])|\\[dDsSwW]/uy;
const END = /\]/uy;
const TO = /-(?!\])/uy;
const QUOTED = /\\Q([^]*?)(?:\\E|$)/uy;
/** Nothing by itself: a repetition after it repeats what stands before it. */
const FLAGS = /\(\?[a-z]*(?:-[a-z]*)?\)/iuy;
const REPEAT = /\{(\d+)(,(\d*))?\}/uy;
const CHARACTER = /[^]/uy;
/** Case folding walks through the whole range; Unicode classes have hundreds of ranges. */
const WIDE = /-(?:[^\0-\x7f]|\\[xu])|\\[pP]/gu;

/** How often an expression has a range that ends beyond ASCII, or a Unicode class. */
export const countWideClasses = (source: string): number => source.match(WIDE)?.length ?? 0;

/** What is left of an expression. */
class Rest {
  private at = 0;
  constructor(private readonly source: string) {}

  get isEmpty(): boolean {
    return this.at >= this.source.length;
  }

  /** What stands here, if it is such a token. */
  take(token: RegExp): RegExpExecArray | null {
    token.lastIndex = this.at;
    const found = token.exec(this.source);
    if (found) this.at = token.lastIndex;
    return found;
  }
}

interface Group {
  size: number;
  /** What a repetition would repeat; part of `size`. */
  last: number;
}

/**
 * An upper bound of the instructions of the program that RE2 makes of an expression: `(a{99}){99}` has 9,800. From the text
 * alone, in time that grows with it, since compiling a large program is what has to be avoided. A text that RE2 refuses has
 * some size or other.
 */
export function boundProgramSize(source: string): number {
  // The first instruction fails, the last one matches; an empty expression is an instruction as well.
  const groups: Group[] = [{ size: 3, last: 0 }];
  const top = (): Group => groups[groups.length - 1]!;
  const put = (size: number): void => {
    top().size += size;
    top().last = size;
  };
  const rest = new Rest(source);
  for (let found: RegExpExecArray | null; !rest.isEmpty;) {
    if ((found = rest.take(QUOTED))) for (const _ of found[1]!) put(1);
    else if (rest.take(FLAGS)) continue;
    else if (rest.take(ESCAPE) || takeClass(rest)) put(1);
    else if ((found = rest.take(REPEAT))) repeat(top(), found);
    else {
      const char = rest.take(CHARACTER)![0];
      // A group keeps where it begins and ends; an empty one is an instruction.
      if (char === '(') groups.push({ size: 3, last: 0 });
      else if (char === ')' && groups.length > 1) put(groups.pop()!.size);
      else if (char === '*' || char === '+' || char === '?') grow(top(), top().last + 2);
      else put(char === '|' ? 2 : 1);
    }
  }
  return groups.reduce((sum, { size }) => sum + size, 0);
}

/** From `[` to its end: a `]` at the beginning, in names as `[:alpha:]` and at the end of a range does not end it. */
function takeClass(rest: Rest): boolean {
  if (!rest.take(CLASS)) return false;
  for (let isFirst = true; !rest.isEmpty; isFirst = false) {
    if (!isFirst && rest.take(END)) break;
    if (rest.take(NAMED)) continue;
    takeCharacter(rest);
    if (rest.take(TO)) takeCharacter(rest);
  }
  return true;
}

const takeCharacter = (rest: Rest): unknown => rest.take(ESCAPE) ?? rest.take(CHARACTER);

/** As many copies as it may take, each optional one with an instruction that leaves it out. */
function repeat(group: Group, [, least, more, most]: RegExpExecArray): void {
  const min = Number(least);
  const max = more === undefined ? min : most ? Number(most) : min;
  grow(group, Math.max(1, min, max) * group.last + Math.max(0, max - min) + (most ? 0 : 2));
}

function grow(group: Group, last: number): void {
  group.size += last - group.last;
  group.last = last;
}
