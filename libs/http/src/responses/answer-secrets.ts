import { setImmediate } from 'node:timers/promises';
import { type ActivityExecutionContext, WaymarkError } from '@waymark/core';
import { SecretSearch } from '@waymark/core/adapter';
import type { HeaderValue } from './http-response-writer.js';
import { formsOfSecret } from './secret-forms.js';

/** Thrown when an answer contains the value of a secret by name and its activity does not allow that (`allowSecrets`). */
export class SecretInAnswerError extends WaymarkError {
  readonly code = 'WM5017';
  constructor(
    /** Name of the secret. */
    readonly secret: string,
    /** Where it stands, such as `the content`. */
    readonly place: string,
  ) {
    super(
      `The answer contains the value of the secret '${secret}' in ${place}, so it is not sent. Remove the secret; if the client is ` +
        'meant to receive it, set AllowSecrets of the activity.',
    );
  }
}

/** Shorter ones stand in half of all texts: they are found where a text is nothing else. */
const SHORTEST_PART = 8;
/** So much of a content is looked through in one turn of the event loop. */
const SLICE = 256 * 1024;
const MOST_DEPTH = 32;

interface Searches {
  readonly ofText: SecretSearch;
  /** Of content in bytes, each of which is one character. */
  readonly ofBytes: SecretSearch;
  readonly byBytes: ReadonlyMap<string, string>;
  /** Characters of the longest form. */
  readonly longest: number;
}

/**
 * Looks for the secrets by name that its burst has asked for in what an activity answers. Streams are not looked through: no
 * expression makes one.
 */
export class AnswerSecrets {
  /** Names of secrets, by each form of their values. */
  private readonly byForm = new Map<string, string>();
  private readonly short = new Map<string, string>();
  private searches: Searches | undefined;

  private constructor(named: ReadonlyMap<string, string>) {
    for (const [secret, name] of named)
      if (secret.length < SHORTEST_PART) this.short.set(secret, name);
      else for (const form of formsOfSecret(secret)) this.byForm.set(form, name);
  }

  /** Undefined: there is nothing to look for. @param allows input of the activity */
  static of({ workflow }: ActivityExecutionContext, allows: boolean | null): AnswerSecrets | undefined {
    const { named } = workflow.secrets;
    return allows || named.size === 0 ? undefined : new AnswerSecrets(named);
  }

  /** @throws SecretInAnswerError (`WM5017`) */
  requireHeaders(headers: readonly (readonly [name: string, value: HeaderValue])[]): void {
    for (const [name, value] of headers)
      for (const text of [name, ...(typeof value === 'string' ? [value] : value)]) {
        const found = this.short.get(text) ?? this.findIn(text);
        // A name that has a secret in it is not shown.
        if (found !== undefined)
          throw new SecretInAnswerError(found, text === name ? 'a header' : `the header ${name}`);
      }
  }

  /**
   * A value as a workflow has it, before it is written: for secrets that are too short to be found in a text.
   * @throws SecretInAnswerError (`WM5017`)
   */
  requireValue(value: unknown): void {
    if (this.short.size === 0) return;
    const found = this.shortIn(value, 0);
    if (found !== undefined) throw new SecretInAnswerError(found, 'the content');
  }

  /**
   * @param what as the error names it
   * @returns a promise for one that is large
   * @throws SecretInAnswerError (`WM5017`)
   */
  requireContent(body: unknown, what = 'the content'): void | Promise<void> {
    const isText = typeof body === 'string';
    if (this.byForm.size === 0 || (!isText && !(body instanceof Uint8Array))) return undefined;
    if (body.length > SLICE) return this.requireLarge(body, what);
    this.requirePart(isText ? body : latin1(body), isText, what);
    return undefined;
  }

  private async requireLarge(body: string | Uint8Array, what: string): Promise<void> {
    const overlap = this.search().longest - 1;
    for (let start = 0; start < body.length; start += SLICE) {
      if (start > 0) await setImmediate();
      const end = start + SLICE + overlap;
      if (typeof body === 'string') this.requirePart(body.slice(start, end), true, what);
      else this.requirePart(latin1(body.subarray(start, end)), false, what);
    }
  }

  private requirePart(text: string, isText: boolean, what: string): void {
    const found = this.findIn(text, isText);
    if (found !== undefined) throw new SecretInAnswerError(found, what);
  }

  /** @param isText false: each character is a byte @returns the name of a secret */
  private findIn(text: string, isText = true): string | undefined {
    if (text.length < SHORTEST_PART || this.byForm.size === 0) return undefined;
    const { ofText, ofBytes, byBytes } = this.search();
    const form = (isText ? ofText : ofBytes).find(text);
    return form === undefined ? undefined : (isText ? this.byForm : byBytes).get(form);
  }

  private search(): Searches {
    if (this.searches) return this.searches;
    const { byForm } = this;
    const byBytes = new Map([...byForm].map(([form, name]) => [latin1(Buffer.from(form)), name]));
    const longest = Math.max(...[...byBytes.keys()].map(({ length }) => length));
    const [ofText, ofBytes] = [new SecretSearch(byForm.keys()), new SecretSearch(byBytes.keys())];
    return (this.searches = { ofText, ofBytes, byBytes, longest });
  }

  private shortIn(value: unknown, depth: number): string | undefined {
    if (typeof value === 'string') return this.short.get(value);
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || depth > MOST_DEPTH)
      return undefined;
    const items = value instanceof Map || value instanceof Set ? [...value].flat() : Object.values(value);
    for (const item of items) {
      const found = this.shortIn(item, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
