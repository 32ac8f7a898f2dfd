import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { routedPath } from '@waymark/runtime/adapter';

/** Names of this machine to itself, as a URL has them. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** Pages of this machine. */
export const LOOPBACK_ORIGIN = /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

const API = /^\/elsa\/(api|hubs)\b/i;

/** Links in mails come from elsewhere, and carry their own permission. */
const SIGNED = /^\/elsa\/api\/(events\/trigger|bookmarks\/resume)\/?$/i;
const HAS_TOKEN = /^[^?]*\?(.*&)?t=/i;

/**
 * Keeps web pages away from a host that asks for no key: it listens on loopback, but so does the browser of the person who works at
 * this machine, and any page that is open there can send requests. Refused with 403 are requests under another name than
 * this machine's (a page whose name was made to point here), and those that a page from elsewhere sends to the management API.
 */
export function refuseForeignPages(adapter: FastifyAdapter): void {
  adapter.getInstance().addHook('onRequest', (request, reply, done) => {
    const reason = whyForeign(request.raw);
    if (reason === undefined) return done();
    refuse(reply.raw, `${reason} Set WAYMARK_API_KEY, then every holder of the key may call from anywhere.`);
  });
}

function whyForeign({ headers, url = '' }: IncomingMessage): string | undefined {
  const { host = '', origin } = headers;
  if (!LOOPBACK.test(host)) return `This host has no key and answers to names of this machine only, not to "${host}".`;
  // As the router reads it: it would find the API behind any spelling.
  const path = routedPath(url);
  if (!API.test(path) || (SIGNED.test(path) && HAS_TOKEN.test(url))) return undefined;
  const isFromElsewhere =
    origin === undefined ? headers['sec-fetch-site'] === 'cross-site' : !LOOPBACK_ORIGIN.test(origin);
  return isFromElsewhere ? 'This host has no key, and its API answers to pages of this machine only.' : undefined;
}

function refuse(response: ServerResponse, message: string): void {
  response.writeHead(403, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ code: 'WM9005', message }));
}
