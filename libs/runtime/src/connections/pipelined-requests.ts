import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers';

/** Of a connection: requests that wait for earlier ones. */
const waiting = new WeakMap<Socket, number>();

/**
 * Lets a request that came before earlier ones of its connection were answered begin when they are, in a turn of its own. Node hands
 * requests on as it parses them, and reads megabytes of a connection at once: ten thousands would begin in one turn of the event loop.
 * While some wait, no more is read. Answers of a connection are sent one after the other in any case.
 *
 * @param begin not called when the connection has closed
 */
export function beginInTurn({ socket }: IncomingMessage, response: ServerResponse, begin: () => unknown): void {
  if (!waiting.has(socket)) stayPaused(socket);
  waiting.set(socket, (waiting.get(socket) ?? 0) + 1);
  socket.pause();
  // It gets its connection when the response before it has left it.
  response.once('socket', () => {
    setImmediate(() => {
      const left = waiting.get(socket)! - 1;
      waiting.set(socket, left);
      // The body of the request that begins may not be there yet.
      if (left === 0) socket.resume();
      if (!socket.destroyed) begin();
    });
  });
}

/** Whether requests of that connection wait for earlier ones. */
export const hasWaiting = (socket: Socket): boolean => Boolean(waiting.get(socket));

/** Node has a connection read on at the end of each request, and for each that is consumed. */
function stayPaused(socket: Socket): void {
  const { resume } = socket;
  socket.resume = () => (hasWaiting(socket) ? socket : resume.call(socket));
}
