import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers';
import type { ErrorAnswer } from '../answers/error-answer.js';

type TakeUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/**
 * Handles upgrades to WebSockets at our URLs before any other listener does: gateways of the application close connections at
 * paths that they do not know. Node hands every request with an `Upgrade` header to the listeners of a server once there is one,
 * also those of clients that merely offer HTTP/2. When ours is the only listener, such requests are served as ordinary ones, as
 * they were before.
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
    if (server.listenerCount('upgrade') === 1) serveAsOrdinary(server, request, socket, head);
  });
}

const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket';

/** Node has detached the socket from its HTTP parser: hands it back as a new connection with the same request, without `Upgrade`. */
function serveAsOrdinary(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  // The parser that it came by is gone, and with it who would answer this one after those before.
  const { _httpMessage: before } = socket as { _httpMessage?: ServerResponse | null };
  if (before && !before.writableFinished) {
    // Node has taken its listener off. A client that resets the connection meanwhile would end the process.
    const drop = (): void => void socket.destroy();
    socket.on('error', drop);
    // In a turn of its own: a client may send thousands of them at once.
    before.once('close', () => {
      setImmediate(() => {
        if (socket.destroyed) return;
        socket.off('error', drop);
        serveAsOrdinary(server, request, socket, head);
      });
    });
    return;
  }
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

/** Sends the error response to an upgrade, and closes the connection. */
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
