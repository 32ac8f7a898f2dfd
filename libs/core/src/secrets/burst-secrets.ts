import { REDACTED } from '../values/redacted.js';
import { type StorableType, storableTypeOfValue } from '../values/storable-type.js';
import { escapedForms } from './escaped-forms.js';
import { HiddenTexts, MIN_LENGTH } from './hidden-texts.js';
import { maskFragments } from './secret-fragments.js';

/** Parts are words more often than the whole is. */
const MIN_PART = 12;
/** Longer texts are no headers, and are looked for as a whole. */
const MAX_HEADER = 8192;
/** So many secrets of one burst are looked for; the oldest are forgotten. */
const MAX_SECRETS = 200;
/** A secret has up to nine escaped forms. */
const MAX_ESCAPED = 9 * MAX_SECRETS;

/** Transient token: the secrets of a burst, shared with the workflows that run inside of it. */
export const BURST_SECRETS = Symbol.for('@waymark/core:burst-secrets');

/** The secrets that a burst knows. They are in memory only, until the burst ends. */
export class BurstSecrets {
  private readonly known = new Set<string>();
  private readonly received = new Set<string>();
  /** What was received, and its parts. By itself: a caller may send hundreds, which would make `known` forget the others. */
  private readonly fromOutside = new Set<string>();
  /** Secrets among the workflow's own data, which its state keeps. */
  private readonly brought = new Set<string>();
  private readonly headers = new Set<string>();
  /** Names of the host's secrets, by their values. */
  private readonly named = new Map<string, string>();
  /** Those of the host as JSON and URLs have them: texts that a workflow puts together. */
  private readonly escaped = new Set<string>();
  private readonly encrypted = new Set<string>();
  /** What looks for all that is to be hidden, for what is encrypted, and for secrets of the host: made when needed, anew after each change. */
  private allHidden: HiddenTexts | undefined;
  private allForeign: HiddenTexts | undefined;
  private allEncrypted: HiddenTexts | undefined;
  private allNamed: HiddenTexts | undefined;

  /** True if a request brought credentials that later bursts must not see. */
  get hasReceived(): boolean {
    return this.received.size > 0;
  }

  /** True if there are texts that the journal must not show. */
  get hasKnown(): boolean {
    return this.known.size > 0 || this.fromOutside.size > 0 || this.escaped.size > 0 || this.brought.size > 0;
  }

  /** Notes credentials that came with a request or response. */
  receive(value: unknown): void {
    for (const text of textsOf(value)) {
      remember(this.received, text);
      this.hide(text, this.fromOutside);
    }
  }

  /** Notes what came with a request or response under a sensitive name, and is the workflow's own: the journal does not show it, states keep it. */
  bring(text: string): void {
    this.hide(text, this.brought);
  }

  /** Notes a header with a credential. */
  receiveHeader(name: string, value: unknown): void {
    remember(this.headers, name.toLowerCase());
    this.receive(value);
  }

  /** Returns true if a credential was received in a header of that name. */
  wasHeader(name: string): boolean {
    return this.headers.has(name.toLowerCase());
  }

  /** Notes credentials that the workflow itself uses: the journal does not show them. */
  use(value: unknown): void {
    for (const text of textsOf(value)) this.hide(text, this.known);
  }

  private hide(text: string, among: Set<string>): void {
    this.forgetSearches();
    if (text.length < MIN_LENGTH || text === REDACTED) return;
    remember(among, text);
    // What follows a scheme (`Bearer …`) or a cookie's name is what a workflow would pass on.
    if (text.length <= MAX_HEADER)
      for (const part of text.split(/[\s;,=]+/)) if (part.length >= MIN_PART) remember(among, part);
  }

  private forgetSearches(): void {
    this.allHidden = this.allForeign = this.allEncrypted = this.allNamed = undefined;
  }

  /**
   * Notes a secret that the host has by name. A later burst asks for it again, so nothing that is stored contains it. @param name '' if it
   * is unknown
   */
  name(value: unknown, name = ''): void {
    for (const text of textsOf(value)) {
      this.addNamed(text, name);
      this.use(text);
      for (const form of escapedForms(text)) remember(this.escaped, form, MAX_ESCAPED);
    }
  }

  /** Names of the host's secrets, by their values. Answers to requests contain them only if the workflow allows it. */
  get namedTexts(): ReadonlyMap<string, string> {
    return this.named;
  }

  private addNamed(text: string, name: string): void {
    if (text === '' || this.named.has(text)) return;
    this.named.set(text, name);
    forgetOldest(this.named);
  }

  /** Notes a value that a state holds encrypted. */
  encrypt(value: unknown): void {
    for (const text of textsOf(value)) if (text.length >= MIN_LENGTH) remember(this.encrypted, text);
    this.use(value);
  }

  /** Takes over the secrets of another burst. */
  add(other: BurstSecrets): void {
    this.forgetSearches();
    for (const text of other.received) remember(this.received, text);
    for (const text of other.fromOutside) remember(this.fromOutside, text);
    for (const text of other.brought) remember(this.brought, text);
    for (const name of other.headers) remember(this.headers, name);
    for (const text of other.known) remember(this.known, text);
    for (const [text, name] of other.named) this.addNamed(text, name);
    for (const text of other.escaped) remember(this.escaped, text, MAX_ESCAPED);
    for (const text of other.encrypted) remember(this.encrypted, text);
  }

  /** True if the burst knows secrets of the host. */
  get hasNamed(): boolean {
    return this.named.size > 0;
  }

  /** Returns the text without secrets of the host. A secret that is too short to be searched for counts only as a whole text. */
  withoutNamed(text: string): string {
    if (this.named.has(text)) return REDACTED;
    return (this.allNamed ??= new HiddenTexts([...this.named.keys(), ...this.escaped])).mask(text);
  }

  /** True when the burst knows values that are stored encrypted. */
  get hasEncrypted(): boolean {
    return this.encrypted.size > 0;
  }

  /** Returns true if the whole text is a value that is stored encrypted. */
  isEncrypted(text: string): boolean {
    return this.encrypted.has(text);
  }

  /** Returns true if the text contains a value that is stored encrypted. */
  hasEncryptedIn(text: string): boolean {
    return (this.allEncrypted ??= new HiddenTexts(this.encrypted)).areIn(text);
  }

  /** Returns true if exactly this text came as a credential with a request. */
  wasReceived(text: string): boolean {
    return this.received.has(text);
  }

  /** Returns true if the text contains a credential that came with a request. */
  holdsReceived(text: string): boolean {
    return this.wasReceived(text) || new HiddenTexts(this.fromOutside).areIn(text);
  }

  /** Returns the text with every known secret replaced. */
  mask(text: string): string {
    if (text.length < MIN_LENGTH) return text;
    return (this.allHidden ??= new HiddenTexts([...this.secretTexts(), ...this.escaped])).mask(text);
  }

  /** Returns true if the text holds a secret that the state does not keep among the workflow's own data. */
  holdsForeign(text: string): boolean {
    if (text.length < MIN_LENGTH) return false;
    if (this.brought.size === 0) return this.mask(text) !== text;
    return (this.allForeign ??= new HiddenTexts([...this.foreignTexts(), ...this.escaped])).areIn(text);
  }

  private secretTexts(): Set<string> {
    return new Set([...this.foreignTexts(), ...this.brought]);
  }

  /** Each kind is kept by itself: many of one would make the others forgotten. */
  private foreignTexts(): string[] {
    return [...this.known, ...this.fromOutside, ...this.encrypted, ...this.named.keys()];
  }

  /** Replaces known secrets in the text of an error, which may quote parts of them. */
  maskError(text: string): string {
    if (!this.hasKnown) return text;
    return maskFragments(this.mask(text), [...this.secretTexts()].filter(isToHide), new Set(this.named.values()));
  }
}

const isToHide = (text: string): boolean => text.length >= MIN_LENGTH && text !== REDACTED;

function remember(texts: Set<string>, text: string, most = MAX_SECRETS): void {
  if (text === '' || texts.has(text)) return;
  texts.add(text);
  forgetOldest(texts, most);
}

function forgetOldest(texts: Set<string> | Map<string, string>, most = MAX_SECRETS): void {
  if (texts.size > most) texts.delete(texts.keys().next().value!);
}

/** The texts of a value: itself, or those of its items and members. */
function textsOf(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > 8 || ArrayBuffer.isView(value)) return [];
  // What is stored of an instance may be more than its own members.
  const storable = storableTypeOfValue(value);
  if (storable) return textsOf(dataOf(storable, value), depth + 1);
  return Object.values(value).flatMap((item) => textsOf(item, depth + 1));
}

/** Undefined: it cannot be stored, and says so there. */
function dataOf(storable: StorableType, value: object): unknown {
  try {
    return storable.toData(value);
  } catch {
    return undefined;
  }
}
