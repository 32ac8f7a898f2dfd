/** Before the path of a request in absolute form, which clients of proxies send and servers have to accept (RFC 9112, 3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** Characters of a URL of a request before its path. */
export const originLength = (url: string): number => (url.startsWith('/') ? 0 : (ORIGIN.exec(url)?.[0].length ?? 0));

/**
 * The path of a request as routers read it: without origin and query, and with characters that are written as `%61` decoded. What decides
 * by the path before a router does, such as a guard or who reads the body, must not see another path: any spelling leads to the route.
 */
export function routedPath(url: string): string {
  const from = originLength(url);
  const [query, fragment] = [url.indexOf('?', from), url.indexOf('#', from)];
  const end = query < 0 || (fragment >= 0 && fragment < query) ? fragment : query;
  const path = url.slice(from, end < 0 ? undefined : end);
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    // Routers refuse it.
    return path;
  }
}
