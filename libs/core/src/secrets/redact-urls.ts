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

/**
 * The text without passwords in its URLs: user information, and parameters with a sensitive name. One pass from left to
 * right, whose cost grows with the text alone.
 */
export function redactUrls(text: string, isSensitive: (name: string) => boolean): string {
  let found = text.indexOf('://');
  if (found < 0) return text;
  const pieces: string[] = [];
  let done = 0;
  const budget = { left: MAX_HIDDEN };
  for (let urls = 0; found >= 0; urls++) {
    const start = found + 3;
    if (urls === MAX_URLS || budget.left <= 0) return pieces.join('') + text.slice(done, start) + REDACTED;
    END.lastIndex = start;
    const end = END.exec(text)?.index ?? text.length;
    pieces.push(text.slice(done, start), redactRest(text.slice(start, end), isSensitive, budget));
    done = end;
    found = text.indexOf('://', end);
  }
  return pieces.join('') + text.slice(done);
}

/** What follows `://`. */
function redactRest(rest: string, isSensitive: (name: string) => boolean, budget: { left: number }): string {
  const authorityEnd = rest.search(/[/?#]/);
  const authority = authorityEnd < 0 ? rest : rest.slice(0, authorityEnd);
  const at = authority.lastIndexOf('@');
  if (at >= 0) budget.left--;
  const host = at < 0 ? authority : `${redactUser(authority.slice(0, at))}${authority.slice(at)}`;
  const path = rest.slice(authority.length);
  const question = path.indexOf('?');
  if (question < 0) return host + path;
  const hash = path.indexOf('#', question);
  const query = path.slice(question + 1, hash < 0 ? undefined : hash);
  return (
    host +
    path.slice(0, question + 1) +
    redactParameters(query, isSensitive, budget) +
    (hash < 0 ? '' : path.slice(hash))
  );
}

/** The name is kept, it helps to tell what was called; a name alone may be a token. */
function redactUser(user: string): string {
  const colon = user.indexOf(':');
  return colon < 0 ? REDACTED : `${user.slice(0, colon + 1)}${REDACTED}`;
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
  if (!name.includes('%')) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
