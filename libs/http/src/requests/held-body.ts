import type { IncomingMessage } from 'node:http';
import type { BodyHeaders } from './http-request.js';

const NAMES = ['content-type', 'content-length', 'transfer-encoding'] as const;
const HELD = Symbol('waymark.http.held');

type Held = IncomingMessage & { [HELD]?: BodyHeaders };

/**
 * Takes the body out of the adapter's hands: its parsers see a request without one. Otherwise they would answer malformed
 * JSON, unknown content types and large bodies themselves, each adapter in its own way, before any guard is asked.
 */
export function holdBody(raw: IncomingMessage): void {
  const { headers } = raw;
  if (NAMES.every((name) => headers[name] === undefined)) return;
  const held: Record<string, string | undefined> = {};
  for (const name of NAMES) {
    held[name] = headers[name];
    delete headers[name];
  }
  (raw as Held)[HELD] = held;
}

/** Whether its headers announce a body. */
export const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Shows the headers again, once the parsers are past; false when there was no body to hold. */
export function releaseBody(raw: IncomingMessage): boolean {
  const held = (raw as Held)[HELD];
  if (held) for (const name of NAMES) if (held[name] !== undefined) raw.headers[name] = held[name];
  return held !== undefined;
}

/** Headers on the body, whether it is held or not. */
export const heldHeaders = (raw: IncomingMessage): BodyHeaders => (raw as Held)[HELD] ?? raw.headers;
