import { REDACTED } from '../values/redacted.js';
/** What ends a URL within a text. */
const END = /[\s"'`<>\\]/g;
/** What follows so many URLs is not looked through, so it is not shown. */
const MAX_URLS = 100_000;
/** The same for the parameters of one query. */
const MAX_PARAMETERS = 10_000;
/** The same for what is hidden in one text: putting it together again costs ten times what looking does. */
const MAX_HIDDEN = 20_000;
/** Of a parameter, encoded: no name that people list is longer. */
const LONGEST_NAME = 1000;
/** Of user information and host; of a longer one, what follows its first blank may be shown. */
const LONGEST_AUTHORITY = 2000;
const AUTHORITY_END = /[/?#]/;
const LINE_OF_AUTHORITY = /[/?#\r\n]/;
/** As in `http://localhost:3000 failed, ask ann@host`. */
const PORT_IN_PROSE = /^[^\s:@]*:\d{1,5}\s/;
/** Of a scheme, with what may stand before it. */
const LONGEST_SCHEME = 30;
const SCHEME = /^\s*[a-z][a-z0-9+.-]*:$/i;

/**
 * The text without passwords in its URLs: user information, and parameters with a sensitive name. Also in those without a scheme
 * (`//ann:password@host`) or without a server (`/orders?api_key=…`), and in a text that only means to be one: errors show what could not
 * be sent. One pass from left to right, whose cost grows with the text alone.
 */
export function redactUrls(text: string, isSensitive: (name: string) => boolean): string {
  const budget = { left: MAX_HIDDEN };
  let found = text.indexOf('//');
  if (found < 0) return redactLoose(text, isSensitive, budget);
  const pieces: string[] = [];
  let done = 0;
  let urls = 0;
  let scheme = text.indexOf('://');
  while (found >= 0) {
    const start = found + 2;
    if (scheme >= 0 && scheme < start) scheme = text.indexOf('://', start);
    const before = redactLoose(text.slice(done, start), isSensitive, budget);
    if (urls === MAX_URLS || budget.left <= 0) return pieces.join('') + before + REDACTED;
    END.lastIndex = found === 0 || isScheme(text, found) ? endOfUser(text, start) : start;
    let end = END.exec(text)?.index ?? text.length;
    const hasScheme = text[found - 1] === ':';
    // What stands behind a mere `//` may have URLs of its own: `//https://ann:password@host`.
    if (!hasScheme && scheme >= 0 && scheme < end) end = scheme + 1;
    if (hasScheme) urls++;
    pieces.push(before, redactRest(text.slice(start, end), hasScheme, isSensitive, budget));
    done = end;
    found = text.indexOf('//', end);
  }
  return pieces.join('') + redactLoose(text.slice(done), isSensitive, budget);
}

/** Whether what stands before is a scheme and nothing else, so that the text is meant to be one URL. */
const isScheme = (text: string, slashes: number): boolean =>
  slashes <= LONGEST_SCHEME && SCHEME.test(text.slice(0, slashes));

/** Passwords of a URL may have blanks and quotes: parsers encode them. */
function endOfUser(text: string, start: number): number {
  const rest = text.slice(start, start + LONGEST_AUTHORITY);
  const authority = rest.slice(0, LINE_OF_AUTHORITY.exec(rest)?.index ?? rest.length);
  const at = authority.lastIndexOf('@');
  const user = authority.slice(0, at + 1);
  // A colon before a blank is one of prose: `// by: ann@host`. One with a number before a blank is that of a port.
  return /:\S/.test(user) && !PORT_IN_PROSE.test(user) ? start + at + 1 : start;
}

/** What is outside of URLs: queries of relative ones, and of what follows a blank that a URL should not have. */
function redactLoose(text: string, isSensitive: (name: string) => boolean, budget: { left: number }): string {
  let equals = text.includes('?') ? text.indexOf('=') : -1;
  if (equals < 0) return text;
  const pieces: string[] = [];
  let done = 0;
  let from = 0;
  while (equals >= 0) {
    const question = text.slice(from, equals).lastIndexOf('?');
    END.lastIndex = equals;
    const end = END.exec(text)?.index ?? text.length;
    if (question >= 0) {
      const start = from + question + 1;
      END.lastIndex = start;
      // Not a query, but a question in prose, if a blank stands between.
      if ((END.exec(text)?.index ?? text.length) > equals) {
        if (budget.left <= 0) return pieces.join('') + text.slice(done, start) + REDACTED;
        pieces.push(text.slice(done, start), redactLooseQuery(text.slice(start, end), isSensitive, budget));
        done = end;
      }
    }
    from = end;
    equals = text.indexOf('=', end);
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(done);
}

/** Without a scheme, `?.` is code, such as `account?.password=given`: no parameter begins with a dot. Those that follow may be some. */
function redactLooseQuery(query: string, isSensitive: (name: string) => boolean, budget: { left: number }): string {
  if (query[0] !== '.') return redactParameters(query, isSensitive, budget);
  const end = query.indexOf('&');
  return end < 0 ? query : query.slice(0, end) + redactParameters(query.slice(end), isSensitive, budget);
}

/** What follows `//`. @param hasScheme false: a comment, unless its user has a password */
function redactRest(
  rest: string,
  hasScheme: boolean,
  isSensitive: (name: string) => boolean,
  budget: { left: number },
): string {
  const authorityEnd = rest.search(AUTHORITY_END);
  const authority = authorityEnd < 0 ? rest : rest.slice(0, authorityEnd);
  const at = authority.lastIndexOf('@');
  const hasUser = at >= 0 && (hasScheme || authority.lastIndexOf(':', at) >= 0);
  if (hasUser) budget.left--;
  const host = hasUser ? `${redactUser(authority.slice(0, at))}${authority.slice(at)}` : authority;
  const path = rest.slice(authority.length);
  const question = path.indexOf('?');
  if (question < 0) return host + path;
  const hash = path.indexOf('#', question);
  const query = path.slice(question + 1, hash < 0 ? undefined : hash);
  return (
    host +
    path.slice(0, question + 1) +
    // Behind a path, it is a URL that lacks its scheme.
    (hasScheme || question > 0 ? redactParameters : redactLooseQuery)(query, isSensitive, budget) +
    (hash < 0 ? '' : path.slice(hash))
  );
}

/** The name is kept, it helps to tell what was called; a name alone may be a token. */
function redactUser(user: string): string {
  const colon = user.indexOf(':');
  // An at sign before the colon ends a name that may be a token: `https://token@host:443 failed, ask ann@host`.
  return colon < 0 || user.lastIndexOf('@', colon) >= 0 ? REDACTED : `${user.slice(0, colon + 1)}${REDACTED}`;
}

/** A query string without the values of sensitive parameters. */
export function redactQuery(query: string, isSensitive: (name: string) => boolean): string {
  return redactParameters(query, isSensitive, { left: MAX_HIDDEN });
}

function redactParameters(query: string, isSensitive: (name: string) => boolean, budget: { left: number }): string {
  if (!query.includes('=')) return query;
  const pieces: string[] = [];
  let done = 0;
  for (let start = 0, count = 0; start <= query.length; count++) {
    if (count === MAX_PARAMETERS) return pieces.join('') + query.slice(done, start) + REDACTED;
    const ampersand = query.indexOf('&', start);
    const end = ampersand < 0 ? query.length : ampersand;
    const equals = query.slice(start, Math.min(end, start + LONGEST_NAME)).indexOf('=');
    if (equals > 0 && isSensitive(decodeName(query.slice(start, start + equals)))) {
      budget.left--;
      pieces.push(query.slice(done, start + equals + 1), REDACTED);
      done = end;
    }
    start = end + 1;
  }
  return pieces.length === 0 ? query : pieces.join('') + query.slice(done);
}

function decodeName(name: string): string {
  if (!name.includes('%') && !name.includes('+')) return name;
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}
