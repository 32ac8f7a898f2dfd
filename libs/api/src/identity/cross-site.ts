import type { HttpReply, HttpRequest } from '../requests/http-request.js';

/**
 * Whether a page of another site has the browser make a request that its own site was not allowed to: by a link, an image, a form, or a fetch
 * of which it does not see the answer. The browser adds the cookies of the user to it, and what it knows of the network. Browsers say where a
 * request comes from; programs do not, and none of this applies to them.
 *
 * A fetch that CORS allows is what the application wants. Its answer to that is in the response before guards run.
 */
export function isForeign({ headers }: HttpRequest, reply: HttpReply): boolean {
  if (headers['sec-fetch-site'] !== 'cross-site') return false;
  if (headers['sec-fetch-mode'] !== 'cors') return true;
  const allowed = reply.getHeader('access-control-allow-origin');
  if (allowed !== '*' && (allowed === undefined || allowed !== headers.origin)) return true;
  return headers.cookie !== undefined && String(reply.getHeader('access-control-allow-credentials')) !== 'true';
}
