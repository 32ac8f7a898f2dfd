import { WaymarkError } from '@waymark/core';

/** Where the application keeps its secrets: an environment, a directory, a vault. */
export interface SecretProvider {
  /**
   * The secret of that name; undefined when there is none here, and the next provider is asked. Asked anew for each
   * evaluation, so that a secret that was replaced takes effect; a provider for which that is expensive keeps what it found.
   * @param name letters, digits, `-`, `_` and `.`, the first one a letter or digit
   */
  find(name: string): string | undefined | Promise<string | undefined>;
}

/** No provider has a secret of that name. */
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

/** The option `allowedSecrets` keeps a secret from the definitions that ask for it. */
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

/** A definition asks for a secret by a value that is not a name. The text is not repeated: it may be the secret itself. */
export class InvalidSecretNameError extends WaymarkError {
  readonly code = 'WM3041';
  constructor() {
    super(
      'The name of a requested secret is not valid. A name has up to 100 letters, digits, hyphens, underscores and dots.',
    );
  }
}
