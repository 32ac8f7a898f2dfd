import { deserialize, EncryptedValue, type OutgoingMessage, REDACTED, serialize } from '@waymark/core/adapter';
import type { OutboxMessage } from '../persistence/records.js';
import { type AesCipher, DecryptionFailedError, EncryptionKeyNotFoundError } from '../secrets/aes-cipher.js';
import type { OutboxHandler } from './outbox-handler.js';

/**
 * Before the kind of a message whose payload is encrypted. A node that does not know it has no handler for such a kind: it gives
 * the message back, and changes nothing.
 */
const PREFIX = 'encrypted-';

/** Their payloads are ids, and are looked at by nodes that only count. */
const OF_IDS: ReadonlySet<string> = new Set([
  'background-activity',
  'deliver-queued',
  'take-over',
  'cancel-children',
  'join-child',
  'follow-parent',
  'alteration-plan',
  'alteration-job',
  'resume-with-shared-input',
]);

/** A payload as it is stored: JSON that every node can read, whether it can decrypt it or not. */
interface SealedPayload {
  /** What the id of the message begins with: the payload is valid for that message alone, or those of one fan-out. */
  readonly of: string;
  readonly keyId: string;
  readonly data: string;
  // What operators select dead letters by.
  readonly definition?: unknown;
  readonly workflowInstanceId?: unknown;
}

/** Encrypts the payloads of stored messages: inputs of starts and resumes, events, and what activities send. */
export class SealedMessages {
  constructor(private readonly cipher: AesCipher | undefined) {}

  /**
   * Kind and payload to store.
   * @param of the id of the message, or of its fan-out
   * @throws ValueNotStorableError
   */
  seal(of: string, { kind, payload }: Pick<OutgoingMessage, 'kind' | 'payload'>) {
    if (!this.cipher || OF_IDS.has(kind)) return { kind, payload };
    const text = serialize(payload, `payload of message "${kind}"`);
    const { keyId, data } = this.cipher.encrypt(text, placeOf(of));
    const sealed: SealedPayload = { of, keyId, data, ...namesIn(payload) };
    return { kind: PREFIX + kind, payload: sealed };
  }

  /**
   * The message as it was before; others are answered as they are.
   * @throws EncryptionKeyNotFoundError, DecryptionFailedError
   */
  open(message: OutboxMessage): OutboxMessage {
    if (!isSealed(message.kind)) return message;
    const kind = message.kind.slice(PREFIX.length);
    const { of, keyId, data, ...added } = message.payload as SealedPayload & Record<string, unknown>;
    if (!message.id.startsWith(of)) throw new DecryptionFailedError(keyId, placeOf(message.id));
    if (!this.cipher) throw new EncryptionKeyNotFoundError(keyId, placeOf(of));
    const payload: unknown = deserialize(this.cipher.decrypt(new EncryptedValue(keyId, data), placeOf(of)));
    // A fan-out adds the bookmark to each of its messages. What was encrypted counts.
    return {
      ...message,
      kind,
      payload: Object.keys(added).length === 0 ? payload : { ...added, ...(payload as object) },
    };
  }

  /** The handler, and one for messages of its kind that are encrypted. */
  handlersOf(handler: OutboxHandler): readonly OutboxHandler[] {
    if (OF_IDS.has(handler.kind)) return [handler];
    const sealed: OutboxHandler = {
      kind: PREFIX + handler.kind,
      handle: (message, signal) => handler.handle(this.open(message), signal),
    };
    if (handler.isLong) Object.assign(sealed, { isLong: true });
    if (handler.waitsForRepair) Object.assign(sealed, { waitsForRepair: true });
    if (handler.abandon) sealed.abandon = async (message, error) => handler.abandon!(this.open(message), error);
    if (handler.findObsolete)
      sealed.findObsolete = async (messages) => handler.findObsolete!(messages.map((message) => this.open(message)));
    return [handler, sealed];
  }
}

function namesIn(payload: unknown): Pick<SealedPayload, 'definition' | 'workflowInstanceId'> {
  if (typeof payload !== 'object' || payload === null) return {};
  const { definition, workflowInstanceId } = payload as Partial<SealedPayload>;
  return {
    ...(definition === undefined ? {} : { definition }),
    ...(workflowInstanceId === undefined ? {} : { workflowInstanceId }),
  };
}

/** The message as it is shown: readers cannot use an encrypted payload. */
export function withoutCiphertext(message: OutboxMessage): OutboxMessage {
  return isSealed(message.kind) ? { ...message, payload: REDACTED } : message;
}

function isSealed(kind: string): boolean {
  return kind.startsWith(PREFIX);
}

const placeOf = (of: string): string => `payload of message ${of}`;
