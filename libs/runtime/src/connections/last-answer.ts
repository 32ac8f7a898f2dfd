import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { WorkflowClock } from '../clock/workflow-clock.js';

/** From the last answer of a connection to its end, where the client does not end it. */
const LINGER_MS = 10_000;

type DestroySoon = { destroySoon(): void };

/**
 * Has clients read the last answer of a connection that closes before their request has arrived: 413 to a body that is too long, 408 to
 * one that is too slow. Closed at once, with bytes that were not read, the system resets it, and the client loses the answer.
 */
export function letReadLastAnswer(request: IncomingMessage, clock: WorkflowClock): void {
  const { headers, socket } = request;
  if (headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0)) return;
  const closing = socket as Socket & DestroySoon;
  const { destroySoon } = Object.getPrototypeOf(socket) as DestroySoon;
  // Node calls it when the last response has been handed to the system.
  closing.destroySoon = () => {
    if (request.complete || socket.destroyed) destroySoon.call(socket);
    else linger(socket, clock);
  };
}

/** Ends our half, and drops what the client still sends, unparsed, until it has ended its own. */
function linger(socket: Socket, clock: WorkflowClock): void {
  const cancel = clock.setTimer(() => socket.destroy(), LINGER_MS, { isPoll: true });
  socket.once('close', cancel);
  socket.end();
  if (!socket.isPaused()) return drop(socket);
  // By the parser, as of a body that was not read: it has the connection read on when it hears of this.
  socket.once('resume', () => drop(socket));
  socket.resume();
}

/** A listener of ours takes the connection from the parser. */
function drop(socket: Socket): void {
  socket.removeAllListeners('data');
  socket.on('data', () => undefined);
}
