import { EncryptedValue } from '../values/encrypted-value.js';
import { deserialize, serialize } from '../values/storage-codec.js';
import type { SecretKeeper } from './secret-keeper.js';
import { EncryptionNotConfiguredError, type ValueCipher } from './value-cipher.js';

type Members = Readonly<Record<string, unknown>>;

/**
 * Encrypts what the definition wants encrypted when the state of an instance is taken, and decrypts it when the state is brought
 * back. What it has seen in clear is a secret of the burst: the journal, incidents and logs do not show it.
 */
export class StateVault {
  /** If true, what cannot be decrypted stays as it is. For what ends an instance, or only looks at it. */
  isLenient = false;

  constructor(
    private readonly cipher: ValueCipher | undefined,
    private readonly instanceId: string,
    private readonly secrets: SecretKeeper,
  ) {}

  /**
   * @param place what the value is in the instance, such as `variable x`
   * @throws EncryptionNotConfiguredError, ValueNotStorableError
   */
  seal(value: unknown, place: string): unknown {
    if (value === null || value === undefined || value instanceof EncryptedValue) return value;
    this.secrets.noteEncrypted(value);
    return this.required(place).encrypt(serialize(value, place), this.at(place));
  }

  /** @throws EncryptionNotConfiguredError, and what the cipher throws */
  open(value: unknown, placeOf: () => string): unknown {
    if (!(value instanceof EncryptedValue)) return value;
    const place = placeOf();
    try {
      const opened = deserialize(this.required(place).decrypt(value, this.at(place)));
      this.secrets.noteEncrypted(opened);
      return opened;
    } catch (error) {
      if (this.isLenient) return value;
      throw error;
    }
  }

  /** The members with those opened that are encrypted: the same object where none is. */
  openMembers<T extends Members>(members: T, placeOf: (name: string) => string): T {
    let copy: Record<string, unknown> | undefined;
    for (const name in members) {
      const value = members[name];
      if (value instanceof EncryptedValue) (copy ??= { ...members })[name] = this.open(value, () => placeOf(name));
    }
    return (copy as T | undefined) ?? members;
  }

  private required(place: string): ValueCipher {
    if (!this.cipher) throw new EncryptionNotConfiguredError(this.at(place));
    return this.cipher;
  }

  private at(place: string): string {
    return `${place} of instance ${this.instanceId}`;
  }
}
