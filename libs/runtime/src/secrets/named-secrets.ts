import { type ExpressionScope, isWaymarkError, type SecretLookup, type WaymarkError } from '@waymark/core';
import { isPromiseLike, matchesWildcards, readableError } from '@waymark/core/adapter';
import type { WorkflowClock } from '../clock/workflow-clock.js';
import {
  InvalidSecretNameError,
  SecretNotAllowedError,
  SecretNotFoundError,
  SecretProviderError,
  type SecretProvider,
} from './secret-provider.js';

/** Begins with a letter or digit, so that no name leads to another directory or a hidden file. */
const NAME = /^[a-z0-9][\w.-]{0,99}$/i;

/** A kind or a code of an error: no text that might have come from outside. */
const WORD = /^\w{1,60}$/;
/** How long a provider may take. */
const LIMIT_MS = 30_000;

/** Names of secrets by id of the definitions that may ask for them; `*` stands for any text in both. */
export type AllowedSecrets = Readonly<Record<string, readonly string[]>>;

type Rule = readonly [definition: (id: string) => boolean, secret: (name: string) => boolean];

/** The secrets of the host, as expressions ask for them. */
export class NamedSecrets implements SecretLookup {
  private readonly rules: readonly Rule[] | undefined;

  /** @param allowed @default every definition may ask for every secret */
  constructor(
    private readonly providers: readonly SecretProvider[],
    allowed: AllowedSecrets | undefined,
    private readonly clock: WorkflowClock,
  ) {
    this.rules =
      allowed &&
      Object.entries(allowed).flatMap(([definition, names]) =>
        names.map((name): Rule => [like(definition), like(name)]),
      );
  }

  find(name: string, scope: ExpressionScope): string | Promise<string> {
    const noted = (value: string): string => {
      scope.noteSecret?.(value, name);
      return value;
    };
    this.requireAllowed(name, scope.facts.workflowDefinitionId);
    const instead = scope.secretInstead?.();
    if (instead !== undefined) return instead;
    const found = this.ask(name, 0);
    return isPromiseLike(found) ? abandonable((found as Promise<string>).then(noted)) : noted(found as string);
  }

  /** Finds a secret for code other than an expression. Keep the result out of rows, logs and answers. */
  findFor(name: string, workflowDefinitionId: string): string | Promise<string> {
    this.requireAllowed(name, workflowDefinitionId);
    return this.ask(name, 0);
  }

  private requireAllowed(name: string, workflowDefinitionId: string): void {
    if (!NAME.test(name)) throw new InvalidSecretNameError();
    if (this.rules && !this.rules.some(([definition, secret]) => definition(workflowDefinitionId) && secret(name)))
      throw new SecretNotAllowedError(name, workflowDefinitionId);
  }

  private ask(name: string, from: number): string | Promise<string> {
    for (let i = from; i < this.providers.length; i++) {
      const found = this.askOne(name, this.providers[i]!);
      if (isPromiseLike(found))
        return abandonable((found as Promise<unknown>).then((value) => checked(name, value) ?? this.ask(name, i + 1)));
      const value = checked(name, found);
      if (value !== undefined) return value;
    }
    throw new SecretNotFoundError(name);
  }

  private askOne(name: string, provider: SecretProvider): unknown {
    try {
      const found: unknown = provider.find(name);
      return isPromiseLike(found) ? this.inTime(name, found) : found;
    } catch (error) {
      throw failed(name, error);
    }
  }

  /** Each burst that asks would wait for it, with the lease of its instance. */
  private inTime(name: string, found: PromiseLike<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const cancel = this.clock.setTimer(
        () => reject(new SecretProviderError(name, `it has not answered within ${LIMIT_MS / 1000} s`)),
        LIMIT_MS,
        { holdsProcess: false },
      );
      Promise.resolve(found)
        .then(resolve, (error: unknown) => reject(failed(name, error)))
        .finally(cancel);
    });
  }
}

/** An expression whose time is over waits for it no longer. Without a handler, its failure later would end the process. */
function abandonable<T>(asked: Promise<T>): Promise<T> {
  asked.catch(() => undefined);
  return asked;
}

/** An empty one does not count: what is signed with it, any sender can sign. */
function checked(name: string, found: unknown): string | undefined {
  if (found === undefined || found === null || found === '') return undefined;
  // It would not be found where it has to be redacted.
  if (typeof found !== 'string')
    throw new SecretProviderError(name, `it gave a value of type ${typeof found}, not text`);
  return found;
}

function failed(name: string, error: unknown): WaymarkError {
  if (isWaymarkError(error)) return error;
  const { name: kind, code } = (readableError(error) ?? {}) as { name?: unknown; code?: unknown };
  const words = [kind, code].filter((word) => typeof word === 'string' && WORD.test(word));
  return new SecretProviderError(name, words.length > 0 ? `it failed with ${words.join(', ')}` : 'it threw an error');
}

const like =
  (pattern: string) =>
  (text: string): boolean =>
    matchesWildcards(text, pattern);
