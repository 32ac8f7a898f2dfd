import { WaymarkError } from '@waymark/core';

/**
 * Thrown when an expression refers to a secret by anything but a literal name. The message does not repeat it, since it may be
 * the secret itself.
 */
export class SecretNameError extends WaymarkError {
  readonly code = 'WM4009';
  constructor() {
    super(
      "The name of a secret must be a literal in the expression: secret('stripe') in " +
        "JavaScript, {{ 'stripe' | secret }} in Liquid.",
    );
  }
}

/** Thrown when a secret is too short to be found and redacted within other texts. */
export class SecretTooShortError extends WaymarkError {
  readonly code = 'WM4010';
  constructor(
    /** Name of the secret. */
    readonly secretName: string,
    /** Fewest characters that a secret may have. */
    readonly minLength: number,
  ) {
    super(
      `The secret '${secretName}' has fewer than ${minLength} characters, too few to be redacted inside of a text. Use it by an ` +
        "expression of type 'Secret', whose input is redacted as a whole.",
    );
  }
}
