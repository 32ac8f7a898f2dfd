import { REDACTED } from './redacted.js';

/**
 * Represents an encrypted value in a state. It is a class and not data of a certain shape, so that no data of a request can be
 * mistaken for one.
 */
export class EncryptedValue {
  constructor(
    /** The key that it was encrypted with; keys are replaced, and old values are read with theirs. */
    readonly keyId: string,
    /** Base64 of what the cipher made. */
    readonly data: string,
  ) {}

  /** Lets answers and logs show that there is a value. Stores do not call it. */
  toJSON(): string {
    return REDACTED;
  }

  /** `(redacted)`: what is encrypted is not shown. */
  toString(): string {
    return REDACTED;
  }
}
