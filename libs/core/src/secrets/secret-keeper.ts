import type { ValueType } from '../values/value-type.js';
import { BURST_SECRETS, BurstSecrets } from './burst-secrets.js';
import { DEFAULT_REDACTION, type Redaction } from './redaction.js';
import { sensitiveTexts } from './sensitive-texts.js';

type Members = Readonly<Record<string, unknown>> | null | undefined;

/** What is asked of an activity of a graph. */
interface JudgedNode {
  readonly inputs: readonly { readonly name: string; readonly constant: { readonly value: unknown } | undefined }[];
  judgedInputs: { readonly by: object; readonly doubtful: readonly string[] } | undefined;
}

const NONE: readonly string[] = Object.freeze([]);
const NO_NAMES: ReadonlyMap<string, string> = new Map();

/**
 * Keeps the secrets of a burst out of what is stored and shown of it. Child workflows that run in the same burst share them.
 */
export class SecretKeeper {
  private readonly redaction: Redaction | undefined;
  /** Asked for last: in a loop it is the same one again and again. */
  private plainName: string | undefined = undefined;

  /** @internal */
  constructor(
    redaction: Redaction | false = DEFAULT_REDACTION,
    private readonly transient: Map<unknown, unknown>,
  ) {
    this.redaction = redaction || undefined;
  }

  /** What the burst has come to know, if anything. @internal */
  get known(): BurstSecrets | undefined {
    return this.transient.get(BURST_SECRETS) as BurstSecrets | undefined;
  }

  /** Notes the credentials among parameters that were received from outside, by their names: states and journals do not have them. */
  noteReceived(members: Members): void {
    const { redaction } = this;
    if (!redaction || !members) return;
    for (const name in members) if (redaction.isListed(name)) this.open().receive(members[name]);
  }

  /**
   * The same for headers, whose names also count by their endings. Headers such as `Referer` repeat a URL: its credentials are noted,
   * too.
   */
  noteReceivedHeaders(members: Members): void {
    const { redaction } = this;
    if (!redaction || !members) return;
    for (const name in members) {
      if (redaction.isSensitive(name)) this.open().receiveHeader(name, members[name]);
      const inAddress = redaction.credentialsInAddress(name, members[name]);
      if (inAddress.length > 0) this.open().receive(inAddress);
    }
  }

  /**
   * Notes the texts under sensitive names in the content of a request or response, at any depth, such as `password` in a form or
   * `access_token` in an answer: journals do not show them, wherever they occur in this burst. States have them, since they are the
   * workflow's own data. Of a large content, the first 10,000 values are looked at, and 100 texts of up to 8,192 characters noted.
   */
  noteContent(content: unknown): void {
    const { redaction } = this;
    if (!redaction || typeof content !== 'object' || content === null) return;
    for (const text of sensitiveTexts(content, redaction.isSensitive)) this.open().bring(text);
  }

  /** Notes the credentials among headers that are to be sent, by their names: journals do not show them. */
  noteSent(members: Members): void {
    const { redaction } = this;
    if (!redaction || !members) return;
    for (const name in members) if (redaction.isSensitive(name)) this.open().use(members[name]);
  }

  /** Notes a value that journals must not show, wherever it occurs in this burst. Texts of fewer than eight characters are not. */
  note(value: unknown): void {
    if (this.redaction && value !== null && value !== undefined) this.open().use(value);
  }

  /** Notes a secret of the host: neither journals nor states have it. @param name its name, as errors show it */
  noteNamed(value: unknown, name?: string): void {
    if (this.redaction && value !== null && value !== undefined) this.open().name(value, name);
  }

  /** The secrets of the host that the burst has asked for: their names, by their values. @internal */
  get named(): ReadonlyMap<string, string> {
    return this.known?.namedTexts ?? NO_NAMES;
  }

  /** Takes note of a value that is stored encrypted. @internal */
  noteEncrypted(value: unknown): void {
    if (this.redaction && value !== null && value !== undefined) this.open().encrypt(value);
  }

  /** Takes over what another burst has come to know. @internal */
  add(others: BurstSecrets | undefined): void {
    if (others) this.open().add(others);
  }

  /**
   * Returns false if the member is shown as it is, unless the burst knows secrets. So are flags, and numbers whose name is not
   * sensitive.
   * @internal
   */
  mayHide(name: string, value: unknown): boolean {
    if (typeof value === 'object') return value !== null;
    if (typeof value === 'boolean' || value === undefined) return false;
    if (typeof value === 'number') return name !== this.plainName && this.isSensitive(name);
    return true;
  }

  private isSensitive(name: string): boolean {
    if (this.redaction?.isSensitive(name)) return true;
    this.plainName = name;
    return false;
  }

  /** Returns false if it cannot be said at a glance that the member is shown as it is. The burst knows no secrets. @internal */
  isPlain(name: string, value: unknown): boolean {
    return this.redaction === undefined || this.redaction.isPlainMember(name, value);
  }

  /** Those of the inputs that may hold a secret: constants are judged once, and most of them hold none. @internal */
  doubtfulInputs(node: JudgedNode): readonly string[] {
    const { redaction } = this;
    if (!redaction) return NONE;
    if (node.judgedInputs?.by === redaction) return node.judgedInputs.doubtful;
    const isDoubtful = ({ name, constant }: JudgedNode['inputs'][number]) =>
      !constant || !redaction.isPlainMember(name, constant.value);
    const doubtful = node.inputs.filter(isDoubtful).map(({ name }) => name);
    node.judgedInputs = { by: redaction, doubtful };
    return doubtful;
  }

  /**
   * True for a credential: by the name of the member, or because its value has a secret of the burst in it. Without redaction
   * the stock list of names holds.
   * @internal
   */
  isCredential(name: string, value: unknown): boolean {
    const redaction = this.redaction ?? DEFAULT_REDACTION;
    if (redaction.isSensitive(name)) return true;
    const { known } = this;
    if (!known) return false;
    const texts = Array.isArray(value) ? (value as unknown[]) : [value];
    return texts.some(
      (text) => typeof text === 'string' && (known.mask(text) !== text || known.withoutNamed(text) !== text),
    );
  }

  /**
   * True if a text holds a credential that came with a request or response: later bursts of the instance do not have it.
   * @internal
   */
  holdsReceived(texts: readonly string[]): boolean {
    const { known } = this;
    return known?.hasReceived === true && texts.some((text) => known.holdsReceived(text));
  }

  /** A value as journals, incidents and logs show it: with `(redacted)` in place of secrets. */
  shown<T>(value: T): T {
    return this.redaction ? this.redaction.shown(value, this.known) : value;
  }

  /**
   * The text of an error as journals, incidents and logs show it. Parsers quote what they could not read, so parts of secrets are
   * hidden, too.
   */
  shownError(text: string): string {
    return this.redaction ? this.redaction.shownText(this.known?.maskError(text) ?? text) : text;
  }

  /** The same as `shown` for many values: by what the burst knows now. @internal */
  showing(): <T>(value: T) => T {
    const { redaction, known } = this;
    return redaction ? (value) => redaction.shown(value, known) : (value) => value;
  }

  /** A value as it is stored for the bursts to come. @internal */
  stored<T>(value: T): T {
    return this.redaction ? this.redaction.stored(value, this.known) : value;
  }

  /** True for an evaluated input that is not stored. @internal */
  isWithheld(name: string, type: ValueType, value: unknown): boolean {
    return this.redaction !== undefined && this.redaction.isWithheld(name, type, value, this.known);
  }

  private open(): BurstSecrets {
    let { known } = this;
    if (!known) this.transient.set(BURST_SECRETS, (known = new BurstSecrets()));
    return known;
  }
}
