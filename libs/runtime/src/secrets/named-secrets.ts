import { type ExpressionScope, type SecretLookup } from '@waymark/core';
import { isPromiseLike, matchesWildcards } from '@waymark/core/adapter';
import {
  InvalidSecretNameError,
  SecretNotAllowedError,
  SecretNotFoundError,
  type SecretProvider,
} from './secret-provider.js';

/** Begins with a letter or digit, so that no name leads to another directory or a hidden file. */
const NAME = /^[a-z0-9][\w.-]{0,99}$/i;

/** Names of secrets by id of the definitions that may ask for them; `*` stands for any text in both. */
export type AllowedSecrets = Readonly<Record<string, readonly string[]>>;

type Rule = readonly [definition: (id: string) => boolean, secret: (name: string) => boolean];

/** The secrets of the host, as expressions ask for them. */
export class NamedSecrets implements SecretLookup {
  private readonly rules: readonly Rule[] | undefined;

  /** @param allowed @default every definition may ask for every secret */
  constructor(
    private readonly providers: readonly SecretProvider[],
    allowed?: AllowedSecrets,
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
    const found = this.findFor(name, scope.facts.workflowDefinitionId);
    return isPromiseLike(found) ? (found as Promise<string>).then(noted) : noted(found as string);
  }

  /** The same where no expression asks. Keep what it gives out of rows, logs and answers. */
  findFor(name: string, workflowDefinitionId: string): string | Promise<string> {
    if (!NAME.test(name)) throw new InvalidSecretNameError();
    if (this.rules && !this.rules.some(([definition, secret]) => definition(workflowDefinitionId) && secret(name)))
      throw new SecretNotAllowedError(name, workflowDefinitionId);
    return this.ask(name, 0);
  }

  private ask(name: string, from: number): string | Promise<string> {
    for (let i = from; i < this.providers.length; i++) {
      const found = this.providers[i]!.find(name);
      if (isPromiseLike(found)) return (found as Promise<string | undefined>).then((v) => v ?? this.ask(name, i + 1));
      if (found !== undefined) return found as string;
    }
    throw new SecretNotFoundError(name);
  }
}

const like =
  (pattern: string) =>
  (text: string): boolean =>
    matchesWildcards(text, pattern);
