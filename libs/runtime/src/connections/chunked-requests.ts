import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers';

/** So many chunks take a few milliseconds, whatever their length. */
const MOST_CHUNKS = 1024;

/** Connections that are not read on in this turn. */
const paused = new WeakSet<Socket>();
const guarded = new WeakSet<Socket>();

/**
 * Lets other work run between the chunks of a request, or of the answer to one, whatever reads it. Node reads megabytes of a connection in one turn, and a client may
 * send chunks of a byte: the parsers of adapters, which read bodies for paths that are not there as well, got hundreds of thousands.
 * @param counted called with the length of each chunk
 */
export function readInTurns(request: IncomingMessage, counted?: (bytes: number) => void): void {
  if (request.headers['transfer-encoding'] === undefined) return;
  const { socket } = request;
  const push = request.push.bind(request);
  let chunks = 0;
  request.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    const isWanted = push(chunk, encoding);
    if (chunk instanceof Uint8Array) counted?.(chunk.length);
    if (++chunks >= MOST_CHUNKS && !paused.has(socket)) {
      chunks = 0;
      pauseForTurn(request, socket);
    }
    return isWanted;
  };
}

function pauseForTurn(request: IncomingMessage, socket: Socket): void {
  stayPaused(socket);
  paused.add(socket);
  socket.pause();
  setImmediate(() => {
    paused.delete(socket);
    // Otherwise it is read on when its reader wants more.
    if (request.complete || request.readableLength < request.readableHighWaterMark) socket.resume();
  });
}

/** Node has a connection read on whenever a reader has taken a chunk. */
function stayPaused(socket: Socket): void {
  if (guarded.has(socket)) return;
  guarded.add(socket);
  const { resume } = socket;
  socket.resume = () => (paused.has(socket) ? socket : resume.call(socket));
}
