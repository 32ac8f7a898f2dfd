import { camelCase } from '@waymark/core';
import { InvalidRequestError } from '../answers/api-errors.js';

/**
 * Parses the JSON text of a request.
 * @throws InvalidRequestError whose key is the path of the member that was being read
 */
export function parseJsonText(text: string): unknown {
  const json = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    throw new InvalidRequestError(
      { [pathOfError(json) || 'serializerErrors']: [`The text is no valid JSON: ${(error as Error).message}`] },
      { cause: error },
    );
  }
}

/** Path of the member in whose value the text breaks off or goes wrong; empty when it is outside of all members. */
export function pathOfError(text: string): string {
  const scanner = new Scanner(text);
  try {
    scanner.value();
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
  }
  return scanner.path();
}

class Broken extends Error {}

const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
// oxlint-disable-next-line no-control-regex -- JSON forbids them inside of texts
const TEXT = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const BLANK = /[ \t\r\n]*/y;

/** Walks through JSON like a parser that keeps nothing but the place it is at. */
class Scanner {
  private at = 0;
  private readonly open: (string | number)[] = [];

  constructor(private readonly text: string) {}

  path(): string {
    return this.open
      .map((step) => (typeof step === 'number' ? `[${step}]` : `.${camelCase(step)}`))
      .join('')
      .replace(/^\./, '');
  }

  value(): void {
    this.blank();
    const first = this.text[this.at];
    if (first === '{') this.object();
    else if (first === '[') this.list();
    else this.token(first === '"' ? TEXT : SCALAR);
    this.blank();
  }

  private object(): void {
    this.at++;
    this.blank();
    if (this.take('}')) return;
    for (;;) {
      this.blank();
      const name = this.token(TEXT);
      this.open.push(JSON.parse(name) as string);
      this.blank();
      this.require(':');
      this.value();
      this.open.pop();
      if (this.take('}')) return;
      this.require(',');
    }
  }

  private list(): void {
    this.at++;
    this.blank();
    if (this.take(']')) return;
    for (let index = 0; ; index++) {
      this.open.push(index);
      this.value();
      this.open.pop();
      if (this.take(']')) return;
      this.require(',');
    }
  }

  private blank(): void {
    BLANK.lastIndex = this.at;
    BLANK.exec(this.text);
    this.at = BLANK.lastIndex;
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  private require(character: string): void {
    if (!this.take(character)) throw new Broken();
  }

  private token(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) throw new Broken();
    this.at = pattern.lastIndex;
    return found[0];
  }
}
