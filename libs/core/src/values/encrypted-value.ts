import { REDACTED } from './redacted.js';

/**
 * What a state has in place of a value that is encrypted at rest. A class, and not data of a certain shape: nothing that comes
 * with a request can be taken for one.
 */
export class EncryptedValue {
  constructor(
    /** The key that it was encrypted with; keys are replaced, and old values are read with theirs. */
    readonly keyId: string,
    /** Base64 of what the cipher made. */
    readonly data: string,
  ) {}

  /** Answers and logs say that something is there. Stores do not come through here. */
  toJSON(): string {
    return REDACTED;
  }

  /** `(redacted)`: what is encrypted is not shown. */
  toString(): string {
    return REDACTED;
  }
}
