import { readFile } from 'node:fs/promises';
import { WaymarkError } from '@waymark/core';

/** A key for values that are encrypted at rest. */
export interface EncryptionKey {
  /** Id of the key, stored with each value that was encrypted with it: up to 64 letters, digits, `-`, `_` and `.` */
  readonly id: string;
  /** The key, 32 bytes. */
  readonly key: Uint8Array;
}

/** Provides the keys for values that are encrypted at rest, from the environment, a file or a key service. */
export interface EncryptionKeyProvider {
  /**
   * Returns all keys: the first one encrypts, and each value is decrypted with the key whose id it contains. Called when the
   * application starts, when a value names a key that is not among them, and by `WorkflowEncryption.reloadKeys`.
   */
  keys(): readonly EncryptionKey[] | Promise<readonly EncryptionKey[]>;
}

/** The option `encryption`. */
export interface EncryptionOptions {
  /** Provider of the keys: `EnvironmentKeys`, `FileKeys`, or your own. */
  readonly keys: EncryptionKeyProvider;
}

/**
 * Thrown when a provider does not return a valid list of keys. The message does not repeat texts, since they may contain a key.
 */
export class InvalidEncryptionKeysError extends WaymarkError {
  readonly code = 'WM3046';
  constructor(
    /** What is wrong with them. */
    readonly reason: string,
  ) {
    super(
      `The keys for encryption cannot be used: ${reason} A key is written as 'id:base64 of 32 random bytes', such as ` +
        "2026-11:… made by 'openssl rand -base64 32'; several are separated by commas or line breaks, the one that encrypts first.",
    );
  }
}

/** Thrown at start when the provider of the keys does not answer. */
export class EncryptionKeysTimeoutError extends WaymarkError {
  readonly code = 'WM6081';
  constructor(
    /** How long it was waited for. */
    readonly timeoutMs: number,
  ) {
    super(
      `The provider of the encryption keys has not answered within ${timeoutMs / 1000} s. Nothing was started: check the provider in the ` +
        "option 'encryption' of WorkflowModule, and the service that it asks.",
    );
  }
}

/** Reads keys from an environment variable: `2026-11:base64,2025-03:base64`. */
export class EnvironmentKeys implements EncryptionKeyProvider {
  /** @param variable @default 'WAYMARK_ENCRYPTION_KEYS' */
  constructor(
    private readonly variable = 'WAYMARK_ENCRYPTION_KEYS',
    private readonly environment: Readonly<Record<string, string | undefined>> = process.env,
  ) {}

  /** Returns the keys, beginning with the one that encrypts. */
  keys(): readonly EncryptionKey[] {
    return readKeys(this.environment[this.variable] ?? '');
  }
}

/** Reads keys from a file with one key on each line, as container platforms mount secrets. */
export class FileKeys implements EncryptionKeyProvider {
  constructor(private readonly file: string) {}

  /** @throws Error of the file system */
  async keys(): Promise<readonly EncryptionKey[]> {
    return readKeys(await readFile(this.file, 'utf8'));
  }
}

function readKeys(text: string): EncryptionKey[] {
  return text
    .split(/[,\s]+/)
    .filter((entry) => entry !== '')
    .map((entry, index) => {
      const colon = entry.indexOf(':');
      if (colon < 0) throw new InvalidEncryptionKeysError(`entry ${index + 1} has no colon.`);
      return { id: entry.slice(0, colon), key: Buffer.from(entry.slice(colon + 1), 'base64') };
    });
}

const KEY_BYTES = 32;
const KEY_ID = /^[\w.-]{1,64}$/;

/** @throws InvalidEncryptionKeysError (`WM3046`) */
export function requireKeys(keys: readonly EncryptionKey[]): readonly EncryptionKey[] {
  if (keys.length === 0) throw new InvalidEncryptionKeysError('there is none.');
  const ids = new Set<string>();
  for (const [index, { id, key }] of keys.entries()) {
    if (!KEY_ID.test(id)) throw new InvalidEncryptionKeysError(`the id of entry ${index + 1} is not valid.`);
    if (ids.has(id)) throw new InvalidEncryptionKeysError(`two keys are called '${id}'.`);
    if (key.length !== KEY_BYTES)
      throw new InvalidEncryptionKeysError(`key '${id}' has ${key.length} bytes instead of ${KEY_BYTES}.`);
    ids.add(id);
  }
  return keys;
}
