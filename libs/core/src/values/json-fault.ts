/** Where JSON text goes wrong. */
export interface JsonFault {
  /** What was expected there. */
  readonly reason: string;
  /** Way to the value that is malformed: names of members and indexes of items. */
  readonly steps: readonly (string | number)[];
  /** If true, that value is complete, and what follows it is wrong. */
  readonly isBehind: boolean;
  /** Of the first wrong character. */
  readonly index: number;
}

/** Finds the first fault in text that `JSON.parse` has refused. */
export function findJsonFault(text: string): JsonFault {
  const scanner = new Scanner(text);
  try {
    scanner.document();
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown.fault;
    throw thrown;
  }
  return { reason: 'The text is not JSON.', steps: [], isBehind: false, index: 0 };
}

class Fault extends Error {
  constructor(readonly fault: JsonFault) {
    super(fault.reason);
  }
}

const WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// One piece of a string at a time, of a bounded length: an expression remembers each step and runs out of stack.
// oxlint-disable-next-line no-control-regex -- JSON forbids them in strings
const PIECE = /[^"\\\u0000-\u001f]{1,4096}|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
/** Nothing, or a part of an escape. */
const END_IN_STRING = /^(?:\\(?:u[0-9a-fA-F]{0,3})?)?$/;
const SPACE = /[ \t\r\n]*/y;

/** Reads JSON without building it, to say where it breaks. Not recursive: the text may be deep on purpose. */
class Scanner {
  private index = 0;
  private readonly open: { kind: '{' | '['; name: string; count: number }[] = [];

  constructor(private readonly text: string) {}

  document(): void {
    this.value();
    this.space();
    if (this.index < this.text.length) this.fail('is invalid after a single JSON value. Expected the end of the text.');
  }

  private value(): void {
    for (;;) {
      this.space();
      const char = this.text[this.index];
      if (char === '{' || char === '[') {
        this.index++;
        this.open.push({ kind: char, name: '', count: 0 });
        if (!this.closeIfEmpty()) continue;
      } else if (!(char === '"' ? this.string() : this.take(WORD))) this.fail('is an invalid start of a value.');
      if (!this.next()) return;
    }
  }

  /** After `{` or `[`: true when it is closed at once; otherwise at the first value. */
  private closeIfEmpty(): boolean {
    const level = this.open.at(-1)!;
    this.space();
    if (this.text[this.index] === (level.kind === '{' ? '}' : ']')) {
      this.index++;
      this.open.pop();
      return true;
    }
    if (level.kind === '{') this.member(level);
    return false;
  }

  private member(level: { name: string }): void {
    this.space();
    const start = this.index;
    if (!this.string({ levels: this.open.slice(0, -1) }))
      this.fail("is an invalid start of a property name. Expected a '\"'.", { levels: this.open.slice(0, -1) });
    level.name = this.text.slice(start + 1, this.index - 1);
    this.space();
    if (this.text[this.index] !== ':') this.fail("is invalid after a property name. Expected a ':'.");
    this.index++;
  }

  /** After a value: true when another one follows. */
  private next(): boolean {
    for (;;) {
      const level = this.open.at(-1);
      if (!level) return false;
      this.space();
      const char = this.text[this.index];
      const close = level.kind === '{' ? '}' : ']';
      if (char === close) {
        this.index++;
        this.open.pop();
        continue;
      }
      if (char !== ',') this.fail(`is invalid after a value. Expected either ',' or '${close}'.`, { isBehind: true });
      this.index++;
      level.count++;
      if (level.kind === '{') this.member(level);
      return true;
    }
  }

  /** A whole string; when a character of it is wrong, nothing is taken. */
  private string(at: { levels?: { kind: '{' | '['; name: string; count: number }[] } = {}): boolean {
    const start = this.index;
    if (this.text[start] === '"') {
      this.index++;
      while (this.take(PIECE));
      if (this.text[this.index] === '"') {
        this.index++;
        return true;
      }
      if (END_IN_STRING.test(this.text.slice(this.index))) {
        this.index = this.text.length;
        this.fail("Expected a '\"' that closes the string.", at);
      }
    }
    this.index = start;
    return false;
  }

  private space(): void {
    this.take(SPACE);
  }

  private take(token: RegExp): boolean {
    token.lastIndex = this.index;
    const match = token.exec(this.text);
    if (!match) return false;
    this.index += match[0].length;
    return true;
  }

  private fail(reason: string, { levels = this.open, isBehind = false } = {}): never {
    const found = this.text[this.index];
    throw new Fault({
      reason:
        found === undefined ? `The text ends where it must not: ${this.expected(reason)}` : `'${found}' ${reason}`,
      steps: levels.map((level) => (level.kind === '{' ? level.name : level.count)),
      isBehind,
      index: this.index,
    });
  }

  private expected(reason: string): string {
    return /Expected.*$/.exec(reason)?.[0] ?? 'Expected a value.';
  }
}
