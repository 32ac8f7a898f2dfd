/** Stands where a secret stood. */
export const REDACTED = '(redacted)';

/** What ends a URL within a text. */
const END = /[\s"'`<>\\]/;

/**
 * The text without passwords in its URLs: user information, and parameters with a sensitive name. One pass from left to
 * right, whose cost grows with the text alone.
 */
export function redactUrls(text: string, isSensitive: (name: string) => boolean): string {
  let found = text.indexOf('://');
  if (found < 0) return text;
  let result = '';
  let done = 0;
  while (found >= 0) {
    const start = found + 3;
    let end = start;
    while (end < text.length && !END.test(text[end]!)) end++;
    result += text.slice(done, start) + redactRest(text.slice(start, end), isSensitive);
    done = end;
    found = text.indexOf('://', end);
  }
  return result + text.slice(done);
}

/** What follows `://`. */
function redactRest(rest: string, isSensitive: (name: string) => boolean): string {
  const authorityEnd = rest.search(/[/?#]/);
  const authority = authorityEnd < 0 ? rest : rest.slice(0, authorityEnd);
  const at = authority.lastIndexOf('@');
  const host = at < 0 ? authority : `${redactUser(authority.slice(0, at))}${authority.slice(at)}`;
  const path = rest.slice(authority.length);
  const question = path.indexOf('?');
  if (question < 0) return host + path;
  const hash = path.indexOf('#', question);
  const query = path.slice(question + 1, hash < 0 ? undefined : hash);
  return host + path.slice(0, question + 1) + redactQuery(query, isSensitive) + (hash < 0 ? '' : path.slice(hash));
}

/** The name is kept, it helps to tell what was called; a name alone may be a token. */
function redactUser(user: string): string {
  const colon = user.indexOf(':');
  return colon < 0 ? REDACTED : `${user.slice(0, colon + 1)}${REDACTED}`;
}

/** A query string without the values of sensitive parameters. */
export function redactQuery(query: string, isSensitive: (name: string) => boolean): string {
  if (!query.includes('=')) return query;
  return query
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=');
      return equals > 0 && isSensitive(decodeName(pair.slice(0, equals)))
        ? `${pair.slice(0, equals + 1)}${REDACTED}`
        : pair;
    })
    .join('&');
}

function decodeName(name: string): string {
  if (!name.includes('%')) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
