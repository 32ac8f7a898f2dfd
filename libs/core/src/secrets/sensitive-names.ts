/**
 * Names of headers, query parameters and members whose values are credentials. Compared without regard to case, `-`, `_` and
 * `.`: `x-api-key` is also `xApiKey` and `X_API_KEY`. `SENSITIVE_ENDINGS` has what longer names end in.
 */
export const SENSITIVE_NAMES: readonly string[] = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'api-key',
  'x-auth-token',
  'x-access-token',
  'x-csrf-token',
  'x-xsrf-token',
  'x-amz-security-token',
  'x-functions-key',
  'x-goog-api-key',
  'x-vault-token',
  'private-token',
  'x-gitlab-token',
  'ocp-apim-subscription-key',
  'auth-token',
  'access-token',
  'refresh-token',
  'id-token',
  'bearer-token',
  'client-secret',
  'client-assertion',
  'password',
  'passwd',
  'passphrase',
  'secret',
  'secret-key',
  'secret-access-key',
  'private-key',
  'connection-string',
  'x-shopify-access-token',
  'x-forwarded-authorization',
  'x-forwarded-access-token',
  'x-rapidapi-key',
  'x-webhook-secret',
  'webhook-secret',
  'x-session-token',
  'session-token',
  'x-ms-token-aad-access-token',
  'x-ms-token-aad-id-token',
  'x-ms-token-aad-refresh-token',
  'x-original-authorization',
  'cf-access-jwt-assertion',
  'x-goog-iap-jwt-assertion',
  'x-amzn-oidc-data',
  'x-amzn-oidc-accesstoken',
  'x-amz-signature',
  'sig',
  'pwd',
];

/**
 * Endings of names whose value is a credential: `stripeApiKey`, `x-acme-auth-token`, `DB_PASSWORD`. Numbers and some words may
 * follow: `passwordHash`, `old_password2`, `cookieHeader`. `token` does not count after a word that makes it a cursor or a handle:
 * `nextPageToken`, `cancellationToken`.
 */
export const SENSITIVE_ENDINGS: readonly string[] = [
  'password',
  'passwords',
  'passwd',
  'pwd',
  'passphrase',
  'passcode',
  'secret',
  'secrets',
  'token',
  'access-tokens',
  'auth-tokens',
  'refresh-tokens',
  'api-key',
  'api-keys',
  'access-key',
  'account-key',
  'auth-key',
  'encryption-key',
  'master-key',
  'private-key',
  'secret-key',
  'shared-key',
  'signing-key',
  'subscription-key',
  'authorization',
  'cookie',
  'cookies',
  'credential',
  'credentials',
  'signature',
  'connection-string',
  'client-assertion',
  'jwt',
];

/** Words that may follow the ending. */
const CARRIERS = 'value header text hash plain plaintext raw old new current confirm confirmation repeat again'.split(
  ' ',
);
/** Words before `token` that make it a cursor or a handle. */
const HANDLES = 'page next prev previous continuation cancellation concurrency sync cursor delta change skip'.split(
  ' ',
);
/** Shorter endings must be words of their own, as in `dbPwd`: they are also the end of other words. */
const SHORTEST_PART = 5;
/** Longer names are not looked up. */
const LONGEST_NAME = 100;
/** Endings are looked up by their last characters. */
const TAIL = 3;
const ASCII = 128;

/** The same for names that differ only in case and in how words are joined, also with the brackets of forms: `user[password]`. */
const sameSpelling = (name: string): string => name.toLowerCase().replace(/[-_.[\]]/g, '');

/** Recognizes names of credentials: whole names, and endings. */
export class SensitiveNames {
  private readonly whole: ReadonlySet<string>;
  private readonly exempt: ReadonlySet<string>;
  /** Endings and carriers by their last characters. */
  private readonly tails = new Map<string, { readonly text: string; readonly isCarrier: boolean }[]>();
  /**
   * By the last two characters, 1 where a sensitive name may end so. Spares most names the look-up, which costs ten times as
   * much.
   */
  private readonly ends = new Uint8Array(ASCII * ASCII);
  private readonly shortest: number;

  /**
   * @param added count as whole names and as endings
   * @param exempt names that are not sensitive, whatever they end in; as endings they do not count either
   */
  constructor(added: readonly string[], exempt: readonly string[]) {
    this.exempt = new Set(exempt.map(sameSpelling));
    const known = (name: string): boolean => name.length > 0 && !this.exempt.has(name);
    const endings = new Set([...SENSITIVE_ENDINGS, ...added].map(sameSpelling).filter(known));
    this.whole = new Set([...SENSITIVE_NAMES, ...added].map(sameSpelling).filter(known));
    for (const [texts, isCarrier] of [
      [endings, false],
      [CARRIERS, true],
    ] as const)
      for (const text of texts) {
        const tail = text.slice(-TAIL);
        this.tails.set(tail, [...(this.tails.get(tail) ?? []), { text, isCarrier }]);
      }
    for (const text of [...this.whole, ...endings, ...CARRIERS]) this.markEnd(text);
    this.shortest = Math.min(...[...this.whole, ...endings].map(({ length }) => length));
  }

  /** Returns false if no name so short is sensitive. */
  mayBe(length: number): boolean {
    return length >= this.shortest && length <= LONGEST_NAME;
  }

  /** A quick test: false for most names. */
  mayEnd(name: string): boolean {
    let at = name.length - 1;
    // Digits and separators may follow any ending.
    for (; at > 0; at--) {
      const char = name.charCodeAt(at);
      if (char > 57 ? char !== 95 && char !== 93 && char !== 91 : char < 48 && char !== 45 && char !== 46) break;
    }
    if (at < 1) return false;
    const last = name.charCodeAt(at);
    const before = name.charCodeAt(at - 1);
    // Undecided for a last word of one letter, and letters beyond ASCII.
    if (last >= ASCII || before >= ASCII || before < 65 || before === 95) return true;
    return this.ends[before * ASCII + last] === 1;
  }

  has(name: string): boolean {
    const text = sameSpelling(name);
    if (this.exempt.has(text)) return false;
    return this.whole.has(text) || this.endsSo(name, text);
  }

  /** True for a whole name; endings do not count. */
  lists(name: string): boolean {
    return this.whole.has(sameSpelling(name));
  }

  private endsSo(name: string, text: string): boolean {
    for (let rest = withoutDigits(text), isCut = rest !== text; rest.length >= TAIL; isCut = true) {
      const tails = this.tails.get(rest.slice(-TAIL));
      const found = tails?.find((tail) => !tail.isCarrier && rest.endsWith(tail.text));
      if (found && this.isOne(name, rest, found.text, isCut)) return true;
      const carrier = tails?.find((tail) => tail.isCarrier && rest.endsWith(tail.text));
      if (!carrier) return false;
      rest = withoutDigits(rest.slice(0, -carrier.text.length));
    }
    return false;
  }

  private isOne(name: string, rest: string, ending: string, isCut: boolean): boolean {
    const before = rest.slice(0, -ending.length);
    if (before === '') return true;
    if (ending === 'token') return !HANDLES.some((handle) => before.endsWith(handle));
    return (
      ending.length >= SHORTEST_PART || (!isCut && isWord(name, name.replace(/[[\]]+$/, '').length - ending.length))
    );
  }

  private markEnd(text: string): void {
    const end = withoutDigits(text);
    const [before, last] = [end.at(-2) ?? '', end.at(-1) ?? ''];
    for (const b of [before, before.toUpperCase()])
      for (const l of [last, last.toUpperCase()])
        if (b.charCodeAt(0) < ASCII && l.charCodeAt(0) < ASCII)
          this.ends[b.charCodeAt(0) * ASCII + l.charCodeAt(0)] = 1;
  }
}

function withoutDigits(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) >= 48 && text.charCodeAt(end - 1) <= 57) end--;
  return end === text.length ? text : text.slice(0, end);
}

/** Whether a word begins there: after a separator, or with a capital letter after a small one. */
function isWord(name: string, at: number): boolean {
  const [before = '', first = ''] = [name[at - 1], name[at]];
  return /[-_.[\]\d]/.test(before) || (/[a-z]/.test(before) && /[A-Z]/.test(first));
}
