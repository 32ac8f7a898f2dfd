import { WaymarkError } from '@waymark/core';

/** An expression asks for a secret by something else than a literal name. It is not repeated: it may be a secret itself. */
export class SecretNameError extends WaymarkError {
  readonly code = 'WM4009';
  constructor() {
    super(
      "A secret is asked for by a name that the expression does not spell out. Write it as a literal: secret('stripe') in " +
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
      `The secret '${secretName}' has fewer than ${minLength} characters and could not be hidden within a text. Use it by an ` +
        "expression of type 'Secret', whose input is hidden as a whole.",
    );
  }
}
