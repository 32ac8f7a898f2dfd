import { WaymarkError } from '@waymark/core';

/** Provides the secrets of the application, from the environment, a directory or a vault. */
export interface SecretProvider {
  /**
   * Returns the secret of that name, or undefined if this provider does not have it; then the next provider is asked. An empty text
   * does not count as one. Called for each evaluation, so that a replaced secret takes effect; a provider for which this is expensive should
   * cache its results. One that fails, gives something other than text, or takes longer than 30 s fails what asks (`WM6080`).
   * @param name letters, digits, `-`, `_` and `.`, the first one a letter or digit
   */
  find(name: string): string | undefined | Promise<string | undefined>;
}

/** Thrown when no provider has a secret of that name. */
export class SecretNotFoundError extends WaymarkError {
  readonly code = 'WM3040';
  constructor(
    /** Name of the secret. */
    readonly secretName: string,
  ) {
    super(
      `There is no secret '${secretName}'. Correct the name, or give it to a provider of the option 'secrets' of WorkflowModule.`,
    );
  }
}

/**
 * Thrown when a provider of secrets fails. The message names the kind of the failure only: the text of a vault may quote its token, or the
 * secret.
 */
export class SecretProviderError extends WaymarkError {
  readonly code = 'WM6080';
  constructor(
    /** Name of the secret. */
    readonly secretName: string,
    /** What went wrong, without any text of the provider. */
    readonly reason: string,
  ) {
    super(
      `The provider of the secret '${secretName}' failed: ${reason}. Look at the provider in the option 'secrets' of WorkflowModule, and at ` +
        'what it asks; then repeat what needs the secret.',
    );
  }
}

/** Thrown when the option `allowedSecrets` does not allow a definition to use a secret. */
export class SecretNotAllowedError extends WaymarkError {
  readonly code = 'WM3042';
  constructor(
    /** Name of the secret. */
    readonly secretName: string,
    /** Logical id of the workflow definition, which all its versions share. */
    readonly definitionId: string,
  ) {
    super(
      `Workflow '${definitionId}' may not use the secret '${secretName}'. To allow it, list both in the option 'allowedSecrets' of WorkflowModule.`,
    );
  }
}

/**
 * Thrown when a definition refers to a secret by a value that is not a valid name. The message does not repeat the text, since
 * it may be the secret itself.
 */
export class InvalidSecretNameError extends WaymarkError {
  readonly code = 'WM3041';
  constructor() {
    super(
      'The name of a requested secret is not valid. A name has up to 100 letters, digits, hyphens, underscores and dots. ' +
        'Give the name of the secret, not the secret itself.',
    );
  }
}
