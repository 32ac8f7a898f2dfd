import { deserialize, EncryptedValue, serialize } from '@waymark/core/adapter';
import { type AesCipher, EncryptionKeyNotFoundError } from './aes-cipher.js';

type Members = Record<string, unknown>;

/** The one member of an object whose members are encrypted as a whole. */
const ALL = 'encrypted';

/** A copy to store: its members encrypted, where the host has keys. @throws ValueNotStorableError */
export function sealMembers(cipher: AesCipher | undefined, members: Readonly<Members>, place: string): Members {
  return cipher ? { [ALL]: cipher.encrypt(serialize(members, place), place) } : { ...members };
}

/** What `sealMembers` was given; what is in clear stays so. @throws EncryptionKeyNotFoundError, DecryptionFailedError */
export function openMembers(cipher: AesCipher | undefined, stored: Members, place: string): Members {
  const value = stored[ALL];
  if (!(value instanceof EncryptedValue)) return stored;
  if (!cipher) throw new EncryptionKeyNotFoundError(value.keyId, place);
  return deserialize<Members>(cipher.decrypt(value, place));
}
