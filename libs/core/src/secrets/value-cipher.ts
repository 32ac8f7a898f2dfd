import { WaymarkError } from '../errors/waymark-error.js';
import type { EncryptedValue } from '../values/encrypted-value.js';

/** Encrypts single values of a state. Synchronous, as it works within the commit of a burst; keys are loaded before. */
export interface ValueCipher {
  /**
   * Encrypts with the current key.
   * @param place where the value stands: what was encrypted for one place is not valid at another
   */
  encrypt(text: string, place: string): EncryptedValue;
  /** Returns the text. @throws WaymarkError if the key is missing, or the value was not encrypted with it for that place */
  decrypt(value: EncryptedValue, place: string): string;
}

/** Thrown when a definition declares an encrypted value, or a state holds one, but the host has no keys. */
export class EncryptionNotConfiguredError extends WaymarkError {
  readonly code = 'WM3043';
  constructor(
    /** What was to be encrypted or read. */
    readonly place: string,
  ) {
    super(
      `${place} must be encrypted, but this host has no keys. Set the option 'encryption' of WorkflowModule, or let the ` +
        "definition use another storage driver than 'EncryptedStorageDriver'.",
    );
  }
}
