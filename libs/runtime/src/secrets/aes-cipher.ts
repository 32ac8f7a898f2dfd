import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { WaymarkError } from '@waymark/core';
import { EncryptedValue, toErrorLike, type ValueCipher } from '@waymark/core/adapter';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import { type EncryptionKeyProvider, InvalidEncryptionKeysError, requireKeys } from './encryption-keys.js';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Requests for values of a key that is gone may come by the thousand: a key service is asked once in that time. */
const ASKED_AGAIN_AFTER_MS = 1000;

/** Thrown when a value was encrypted with a key that this host does not have. */
export class EncryptionKeyNotFoundError extends WaymarkError {
  readonly code = 'WM3044';
  constructor(
    /** Id of the key. */
    readonly keyId: string,
    /** What the value is: its place in its instance. */
    readonly place: string,
  ) {
    super(
      `There is no encryption key '${keyId}', which ${place} was encrypted with. Add it after the current one to the keys of the ` +
        "option 'encryption' of WorkflowModule; nothing was changed, and work that needs it continues when it is repeated.",
    );
  }
}

/** Thrown when a value cannot be decrypted: it was changed, truncated or moved to another place, or another key has its id. */
export class DecryptionFailedError extends WaymarkError {
  readonly code = 'WM3045';
  constructor(
    /** Id of the key. */
    readonly keyId: string,
    /** What the value is: its place in its instance. */
    readonly place: string,
  ) {
    super(
      `${place} cannot be decrypted with key '${keyId}': the stored value was changed, truncated or moved, or another ` +
        'key has that id now. Restore the key or the row; the instance can still be cancelled.',
    );
  }
}

/** How long an answer of the provider is waited for by others who ask. */
const GIVEN_UP_AFTER_MS = 30_000;

/**
 * Encrypts with AES-256-GCM and replaceable keys: the first key encrypts, and each value is decrypted with the key whose id it
 * contains.
 */
export class AesCipher implements ValueCipher {
  private keys = new Map<string, KeyObject>();
  private current: string | undefined;
  private loading: Promise<void> | undefined;
  private loadingSince = -Infinity;
  private asked = 0;
  /** Which of the answers its keys are from. */
  private taken = 0;
  private askedAt = -Infinity;
  private readonly logger = new WorkflowLogger('WorkflowEncryption');

  /** @param now monotonic, in milliseconds of real time */
  constructor(
    private readonly provider: EncryptionKeyProvider,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Of the key that encrypts. Undefined before the keys are loaded. */
  get currentKeyId(): string | undefined {
    return this.current;
  }

  /** @throws InvalidEncryptionKeysError (`WM3046`), and what the provider throws; the keys stay as they were */
  load(): Promise<void> {
    const now = this.now();
    // One that does not answer is asked anew: otherwise a key that is added would not be found until the next start.
    if (this.loading && now - this.loadingSince < GIVEN_UP_AFTER_MS) return this.loading;
    this.loadingSince = now;
    const loading = this.loadAnew().finally(() => {
      if (this.loading === loading) this.loading = undefined;
    });
    return (this.loading = loading);
  }

  private async loadAnew(): Promise<void> {
    const order = ++this.asked;
    const keys = requireKeys(await this.provider.keys());
    // Given up, and asked for anew since then.
    if (order < this.taken) return;
    this.taken = order;
    this.keys = new Map(keys.map(({ id, key }) => [id, createSecretKey(key)]));
    this.current = keys[0]!.id;
  }

  encrypt(text: string, place: string): EncryptedValue {
    const id = this.required();
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.keys.get(id)!, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(place));
    const data = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return new EncryptedValue(id, data.toString('base64'));
  }

  decrypt({ keyId, data }: EncryptedValue, place: string): string {
    this.required();
    const key = this.keys.get(keyId);
    if (!key) {
      // It may have been added since; what is repeated after that finds it.
      this.askAgain();
      throw new EncryptionKeyNotFoundError(keyId, place);
    }
    const bytes = Buffer.from(data, 'base64');
    if (bytes.length < IV_BYTES + TAG_BYTES) throw new DecryptionFailedError(keyId, place);
    try {
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(place));
      decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
      const text = decipher.update(bytes.subarray(IV_BYTES, bytes.length - TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      throw new DecryptionFailedError(keyId, place);
    }
  }

  private askAgain(): void {
    if (this.now() - this.askedAt < ASKED_AGAIN_AFTER_MS) return;
    this.askedAt = this.now();
    // Its name only: the message of a key service may quote what it was asked for.
    this.load().catch((error: unknown) =>
      this.logger.warn(`Failed to reload the encryption keys (${toErrorLike(error).name}).`),
    );
  }

  private required(): string {
    if (!this.current)
      throw new InvalidEncryptionKeysError('they are loaded when the application starts, which has not happened yet.');
    return this.current;
  }
}
