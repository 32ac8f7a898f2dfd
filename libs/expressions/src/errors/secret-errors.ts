import { WaymarkError } from '@waymark/core';

/** An expression asks for a secret by something else than a literal name. It is not repeated: it may be a secret itself. */
export class SecretNameError extends WaymarkError {
  readonly code = 'WM4009';
  constructor() {
    super(
      "The name of a secret must be a literal in the expression: secret('stripe') in " +
        "JavaScript, {{ 'stripe' | secret }} in Liquid.",
    );
  }
}

/** A secret is too short to be found, and hidden, within other texts. */
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
