import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorAnswer } from '../answers/error-answer.js';

export type TakeUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/**
 * Takes the requests for upgrades that are ours before any other listener: gateways of the application would end what they do not
 * know. A server with a listener hands it every request that offers an upgrade, such as those of clients that would rather speak
 * HTTP/2. Where no other listener is there for them, they are answered as they were before: as ordinary requests.
 */
export function takeUpgrades(server: Server, isOurs: (url: string) => boolean, take: TakeUpgrade): void {
  const emit = server.emit.bind(server) as (event: string, ...args: unknown[]) => boolean;
  const withOurs = (event: string, ...args: unknown[]): boolean => {
    const [request, socket, head] = args as Parameters<TakeUpgrade>;
    const isTaken = event === 'upgrade' && isWebSocket(request) && isOurs(request.url ?? '');
    if (!isTaken) return emit(event, ...args);
    take(request, socket, head);
    return true;
  };
  server.emit = withOurs as typeof server.emit;
  server.on('upgrade', (request, socket, head) => {
    if (server.listenerCount('upgrade') === 1) takeBack(server, request, socket, head);
  });
}

const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket';

/** The server has let go of the socket: it gets it anew, with the same request, without the offer. */
function takeBack(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const name = request.rawHeaders[i]!;
    if (!/^(upgrade|http2-settings)$/i.test(name))
      lines.push(`${name}: ${withoutOffer(name, request.rawHeaders[i + 1]!)}`);
  }
  if (head.length > 0) socket.unshift(head);
  socket.unshift(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
  const isEncrypted = (socket as { encrypted?: boolean }).encrypted === true;
  server.emit(isEncrypted ? 'secureConnection' : 'connection', socket);
}

const withoutOffer = (name: string, value: string): string =>
  name.toLowerCase() === 'connection'
    ? value
        .split(',')
        .filter((token) => !/^\s*(upgrade|http2-settings)\s*$/i.test(token))
        .join(',')
    : value;

/** Answers an upgrade that is refused, and closes. */
export function refuseUpgrade(socket: Duplex, { status, headers = {}, body }: ErrorAnswer): void {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(text === '' ? [] : ['Content-Type: application/json']),
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ];
  socket.once('finish', () => socket.destroy());
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`);
}
