import { type ExpressionScope, type SecretLookup } from '@waymark/core';
import { isPromiseLike } from '@waymark/core/adapter';
import { SecretNameError, SecretTooShortError } from '../errors/secret-errors.js';

/** A shorter text stands in half of all words: where it is part of a text, it could not be hidden. */
const MIN_LENGTH = 8;

/** What an evaluation may ask for: the values, and for those that cannot be had the reason. */
type Found = Map<string, { readonly value: string } | { readonly error: unknown }>;

/**
 * The secrets of a script or template, found before it is evaluated: providers may be asynchronous, and templates and the
 * sandbox are not. A secret that cannot be had is an error where it is used, and nowhere else.
 */
export class ReadySecrets {
  private readonly byScope = new WeakMap<ExpressionScope, Found>();

  constructor(private readonly lookup: SecretLookup) {}

  /** @returns a promise while a provider has still to answer */
  prepare(names: readonly string[], scope: ExpressionScope): Promise<void> | undefined {
    const found: Found = this.byScope.get(scope) ?? new Map();
    this.byScope.set(scope, found);
    const waiting: Promise<void>[] = [];
    for (const name of names) {
      const keep = (value: string) => void found.set(name, { value });
      const fail = (error: unknown) => void found.set(name, { error });
      try {
        const value = this.lookup.find(name, scope);
        if (isPromiseLike(value)) waiting.push((value as Promise<string>).then(keep, fail));
        else keep(value as string);
      } catch (error) {
        fail(error);
      }
    }
    return waiting.length > 0 ? Promise.all(waiting).then(() => undefined) : undefined;
  }

  /** @throws SecretNameError for a name that the text does not spell out, SecretTooShortError, and what the lookup threw */
  read(name: unknown, scope: ExpressionScope): string {
    const found = typeof name === 'string' ? this.byScope.get(scope)?.get(name) : undefined;
    if (!found) throw new SecretNameError();
    if ('error' in found) throw found.error;
    if (found.value.length < MIN_LENGTH) throw new SecretTooShortError(name as string, MIN_LENGTH);
    return found.value;
  }
}
