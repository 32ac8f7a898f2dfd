import type { ValueType } from '../values/value-type.js';
import { BURST_SECRETS, BurstSecrets } from './burst-secrets.js';
import { DEFAULT_REDACTION, type Redaction } from './redaction.js';

type Members = Readonly<Record<string, unknown>> | null | undefined;

/** Keeps the secrets of a burst out of what is stored of it. They themselves are shared with bursts inside of it. */
export class SecretKeeper {
  private readonly redaction: Redaction | undefined;

  constructor(
    redaction: Redaction | false = DEFAULT_REDACTION,
    private readonly transient: Map<unknown, unknown>,
  ) {
    this.redaction = redaction || undefined;
  }

  /** What the burst has come to know, if anything. */
  get known(): BurstSecrets | undefined {
    return this.transient.get(BURST_SECRETS) as BurstSecrets | undefined;
  }

  /** Takes note of the credentials among headers or parameters that came from outside: they are not stored. */
  noteReceived(members: Members): void {
    const { redaction } = this;
    if (!redaction || !members) return;
    for (const name in members) if (redaction.isSensitive(name)) this.open().receive(members[name]);
  }

  /** Takes note of the credentials among headers that are to be sent: the journal does not show them. */
  noteSent(members: Members): void {
    const { redaction } = this;
    if (!redaction || !members) return;
    for (const name in members) if (redaction.isSensitive(name)) this.open().use(members[name]);
  }

  /** Takes note of a value that the journal must not show, wherever it turns up. */
  note(value: unknown): void {
    if (this.redaction && value !== null && value !== undefined) this.open().use(value);
  }

  /** Takes note of a secret of the host: neither the journal nor a state has it. */
  noteNamed(value: unknown): void {
    if (this.redaction && value !== null && value !== undefined) this.open().name(value);
  }

  /** Takes note of a value that is stored encrypted. */
  noteEncrypted(value: unknown): void {
    if (this.redaction && value !== null && value !== undefined) this.open().encrypt(value);
  }

  /** Takes over what another burst has come to know. */
  add(others: BurstSecrets | undefined): void {
    if (others) this.open().add(others);
  }

  /** False: the member is shown as it is, unless the burst knows secrets. So are most numbers and flags. */
  mayHide(name: string, value: unknown): boolean {
    if (typeof value === 'object') return value !== null;
    if (typeof value === 'boolean' || value === undefined) return false;
    if (typeof value === 'number') return this.redaction !== undefined && this.redaction.mayBeSensitive(name);
    return true;
  }

  /** A value as journals, incidents and logs show it. */
  shown<T>(value: T): T {
    return this.redaction ? this.redaction.shown(value, this.known) : value;
  }

  /** A value as it is stored for the bursts to come. */
  stored<T>(value: T): T {
    return this.redaction ? this.redaction.stored(value, this.known) : value;
  }

  /** True for an evaluated input that is not stored. */
  isWithheld(name: string, type: ValueType, value: unknown): boolean {
    return this.redaction !== undefined && this.redaction.isWithheld(name, type, value, this.known);
  }

  private open(): BurstSecrets {
    let { known } = this;
    if (!known) this.transient.set(BURST_SECRETS, (known = new BurstSecrets()));
    return known;
  }
}
