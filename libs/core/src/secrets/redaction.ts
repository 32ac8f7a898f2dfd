import type { ValueType } from '../values/value-type.js';
import type { BurstSecrets } from './burst-secrets.js';
import { isClearlyPlain, type PlainRules } from './clearly-plain.js';
import { redactQuery, redactUrls } from './redact-urls.js';
import { REDACTED } from '../values/redacted.js';
import { isFormText, redactFormText } from './redact-form-text.js';
import { redactJsonText } from './redact-json-text.js';
import { redactMarkup } from './redact-markup.js';
import { type RewriteRules, rewriteValues } from './rewrite-values.js';
import { SensitiveNames } from './sensitive-names.js';

/** Option `redaction`: which values are secrets, by their names. */
export interface RedactionOptions {
  /**
   * Further names, or endings of names, of headers, query parameters and members whose values are secrets. Case, `-`, `_`
   * and `.` do not count.
   */
  readonly add?: readonly string[] | undefined;
  /**
   * Names whose values are not secrets, whatever their endings. An ending of the default list that is named here no longer
   * counts. @default none
   */
  readonly remove?: readonly string[] | undefined;
  /**
   * If true, credentials that came with a request are stored where a variable holds them, so that later bursts see them.
   * @default false: later bursts see `(redacted)`
   */
  readonly storeReceived?: boolean | undefined;
}

/** A shorter text holds neither a URL, JSON, markup nor a form with a secret, as most do not: `a://b@`, `?pw=ab`. */
const SHORTEST_URL = 6;
/** One of these stands in each text that holds a secret by its form. Looking for all at once takes two thirds of the time, in short texts. */
const MARKS = /["/<=]/;
const SHORT_TEXT = 200;
/** Longer texts are not looked through twice. */
const LONG_TEXT = 10_000;
/** Names are few, and asked for with every member of every record. */
const MAX_VERDICTS = 10_000;

/**
 * Decides which values are secrets, and keeps them out of everything that outlives a burst. Three kinds of values are secrets:
 * a member with a sensitive name, a password in a URL, and a value that the burst knows as a secret, wherever it stands.
 */
export class Redaction {
  /** See `RedactionOptions`. */
  readonly storeReceived: boolean;
  private readonly names: SensitiveNames;
  private readonly verdicts = new Map<string, boolean>();
  /** Where a burst knows no secrets, which is nearly always. */
  private readonly plainRules = this.shownRules(undefined);
  private readonly lookRules: PlainRules = {
    isPlainText: (text) =>
      isOrdinary(text, this.isSensitive) || (text.length <= LONG_TEXT && this.shownText(text) === text),
    isPlainMember: (name, member) => !this.isSensitive(name) && !isQuery(name, member),
  };

  constructor({ add = [], remove = [], storeReceived = false }: RedactionOptions = {}) {
    this.names = new SensitiveNames(add, remove);
    this.storeReceived = storeReceived;
  }

  /** Whether a member, header or parameter of that name is a secret. */
  isSensitive = (name: string): boolean => {
    if (!this.names.mayBe(name.length) || !this.names.mayEnd(name)) return false;
    const known = this.verdicts.get(name);
    if (known !== undefined) return known;
    const verdict = this.names.has(name);
    if (this.verdicts.size >= MAX_VERDICTS) this.verdicts.clear();
    this.verdicts.set(name, verdict);
    return verdict;
  };

  /**
   * True for a whole name of the list. This decides which received values are not stored: by endings, workflows would lose values
   * that they work with, such as a parameter `confirmationToken`. Headers are decided by `isSensitive`.
   */
  isListed = (name: string): boolean => this.isSensitive(name) && this.names.lists(name);

  /** A value as journals, answers and files show it. */
  shown<T>(value: T, secrets?: BurstSecrets): T {
    if (secrets?.hasKnown) return rewriteValues(value, this.shownRules(secrets));
    return isClearlyPlain(value, this.lookRules) ? value : rewriteValues(value, this.plainRules);
  }

  /** Returns true if nothing is hidden in the member, unless the burst knows secrets. */
  isPlainMember(name: string, member: unknown): boolean {
    if (member === null || member === undefined || typeof member === 'boolean') return true;
    return this.lookRules.isPlainMember(name, member) && isClearlyPlain(member, this.lookRules);
  }

  private shownRules(secrets: BurstSecrets | undefined): RewriteRules {
    return {
      text: (text) => this.shownText(text, secrets),
      member: (name, member) => {
        if (this.isSensitive(name)) return hidden(member);
        return isQuery(name, member) ? redactQuery(member, this.isSensitive) : member;
      },
      encrypted: REDACTED,
      ...(secrets && { name: (name: string) => secrets.mask(name) }),
    };
  }

  /** A text as it may be shown: without passwords in URLs, and what the burst knows as secrets. */
  shownText(text: string, secrets?: BurstSecrets): string {
    const masked = secrets ? secrets.mask(text) : text;
    if (masked.length < SHORTEST_URL) return masked;
    const { isSensitive } = this;
    const members = redactFormText(redactJsonText(masked, isSensitive), isSensitive);
    return redactUrls(redactMarkup(members, isSensitive), isSensitive);
  }

  /**
   * A value as it is stored for the bursts to come: without secrets of the host, wherever they stand, and without the
   * credentials that came with a request, where they still stand under their names. What a workflow has copied elsewhere on
   * purpose stays.
   */
  stored<T>(value: T, secrets: BurstSecrets | undefined): T {
    const hidesReceived = secrets?.hasReceived && !this.storeReceived;
    if (!secrets || (!hidesReceived && !secrets.hasNamed)) return value;
    return rewriteValues(value, {
      text: secrets.hasNamed ? (text) => secrets.withoutNamed(text) : (text) => text,
      ...(secrets.hasNamed && { name: (name: string) => secrets.withoutNamed(name) }),
      member: hidesReceived ? (name, member) => this.storedMember(name, member, secrets) : kept,
    });
  }

  private storedMember(name: string, member: unknown, secrets: BurstSecrets): unknown {
    const isHidden = this.isListed(name) || secrets.wasHeader(name);
    if (isHidden && holdsReceived(member, secrets)) return hidden(member);
    if (isQuery(name, member)) return redactQuery(member, this.isListed);
    if (!isAddress(name)) return member;
    if (Array.isArray(member)) return member.map((one: unknown) => this.storedAddress(name, one, secrets));
    return this.storedAddress(name, member, secrets);
  }

  /** One that the workflow has put together itself stays as it is. */
  private storedAddress(name: string, value: unknown, secrets: BurstSecrets): unknown {
    if (typeof value !== 'string') return value;
    const wasReceived = this.credentialsInAddress(name, value).some((text) => secrets.wasReceived(text));
    return wasReceived ? redactUrls(value, this.isListed) : value;
  }

  /** Credentials of the user and among the parameters of the URL that a header of that name has, such as `Referer`. */
  credentialsInAddress(name: string, value: unknown): readonly string[] {
    if (!isAddress(name)) return NO_CREDENTIALS;
    if (Array.isArray(value)) return value.flatMap((one: unknown) => this.credentialsInAddress(name, one));
    if (typeof value !== 'string') return [];
    const user = USER.exec(value)?.[1];
    const found = user === undefined ? [] : [user.slice(user.indexOf(':') + 1)];
    if (!value.includes('?')) return found;
    const query = value.slice(value.indexOf('?') + 1).split('#', 1)[0];
    for (const [parameter, text] of new URLSearchParams(query)) if (this.isListed(parameter)) found.push(text);
    return found;
  }

  /** True for an evaluated input that a waiting activity does not keep: it is evaluated again when the activity continues. */
  isWithheld(name: string, type: ValueType, value: unknown, secrets?: BurstSecrets): boolean {
    if (value === null || value === undefined) return false;
    if (secrets && rewriteValues(value, marking(secrets)) !== value) return true;
    if (this.isListed(name)) return true;
    if (typeof value === 'string') return redactUrls(value, this.isListed) !== value;
    return type.alias === 'HttpHeaders' && Object.keys(value).some(this.isSensitive);
  }
}

const marking = (secrets: BurstSecrets): RewriteRules => {
  const text = (value: string): string => (secrets.holdsForeign(value) ? REDACTED : value);
  return { text, name: text, member: kept };
};
const kept = (_name: string, member: unknown): unknown => member;

/** The redaction with the default list of names. */
export const DEFAULT_REDACTION = new Redaction();

/** Shape is kept for readers: a list of values stays one. */
function hidden(value: unknown): unknown {
  return Array.isArray(value) ? value.map(() => REDACTED) : REDACTED;
}

/** Returns true if neither JSON, a form, markup nor a URL, as nearly all texts are. */
function isOrdinary(text: string, isSensitive: (name: string) => boolean): boolean {
  if (text.length < SHORTEST_URL || (text.length <= SHORT_TEXT && !MARKS.test(text))) return true;
  if (text.includes('//') || text.includes('<') || (text.includes('"') && text.includes(':'))) return false;
  return !text.includes('=') || (!text.includes('?') && !isFormText(text, isSensitive));
}

const isQuery = (name: string, value: unknown): value is string =>
  typeof value === 'string' && (name === 'queryString' || name === 'QueryString');

/** Headers that repeat the URL of a request, or of the page before, with its parameters. */
const ADDRESSES = new Set([
  'referer',
  'x-original-url',
  'x-original-uri',
  'x-rewrite-url',
  'x-forwarded-uri',
  'x-envoy-original-path',
]);
const NO_CREDENTIALS: readonly string[] = Object.freeze([]);
/** User information of a URL. */
const USER = /^(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#]+)@/i;
const LETTER_R = 0x72;
const LETTER_X = 0x78;
/** Asked of each header of each request: nearly all of them begin with another letter. */
function isAddress(name: string): boolean {
  const first = name.charCodeAt(0) | 0x20;
  if (first !== LETTER_R && first !== LETTER_X) return false;
  return ADDRESSES.has(name) || ADDRESSES.has(name.toLowerCase());
}

/**
 * The value of a header as others may see it who must not see the credentials of its request: `Referer`, `X-Original-URI` and such repeat a
 * URL, with the parameters and the user that stand there. Values of other headers are returned as they are.
 */
export function withoutAddressCredentials<T>(name: string, value: T, isHidden: (parameter: string) => boolean): T {
  if (!isAddress(name)) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => withoutAddressCredentials(name, one, isHidden)) as T;
  return typeof value === 'string' ? (redactUrls(value, isHidden) as T & string) : value;
}

function holdsReceived(value: unknown, secrets: BurstSecrets): boolean {
  if (typeof value === 'string') return secrets.wasReceived(value);
  return Array.isArray(value) && value.some((item) => typeof item === 'string' && secrets.wasReceived(item));
}
