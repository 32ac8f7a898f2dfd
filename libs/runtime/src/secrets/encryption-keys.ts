import { readFile } from 'node:fs/promises';
import { WaymarkError } from '@waymark/core';

/** A key for values at rest. */
export interface EncryptionKey {
  /** Stands beside each value that was encrypted with it: up to 64 letters, digits, `-`, `_` and `.` */
  readonly id: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

/** Where the application keeps the keys for values at rest: an environment, a file, a key service. */
export interface EncryptionKeyProvider {
  /**
   * All keys: the first one encrypts, and values are read with the one that they name. Asked when the application starts, when a
   * value names a key that is not among them, and by `WorkflowEncryption.reloadKeys`.
   */
  keys(): readonly EncryptionKey[] | Promise<readonly EncryptionKey[]>;
}

/** The option `encryption`. */
export interface EncryptionOptions {
  /** Where keys come from: `EnvironmentKeys`, `FileKeys`, or a provider of yours. */
  readonly keys: EncryptionKeyProvider;
}

/** What a provider gave is not a list of keys. Texts are not repeated: they may hold a key. */
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

/** Keys in an environment variable: `2026-11:base64,2025-03:base64`. */
export class EnvironmentKeys implements EncryptionKeyProvider {
  /** @param variable @default 'WAYMARK_ENCRYPTION_KEYS' */
  constructor(
    private readonly variable = 'WAYMARK_ENCRYPTION_KEYS',
    private readonly environment: Readonly<Record<string, string | undefined>> = process.env,
  ) {}

  /** The keys, that for writing first. */
  keys(): readonly EncryptionKey[] {
    return readKeys(this.environment[this.variable] ?? '');
  }
}

/** Keys in a file, one a line, as container platforms mount secrets. */
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
