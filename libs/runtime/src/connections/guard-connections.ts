import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { WorkflowClock } from '../clock/workflow-clock.js';
import { loopTurns } from '../event-loop/loop-turns.js';
import { readInTurns } from './chunked-requests.js';
import { letReadLastAnswer } from './last-answer.js';
import { beginInTurn, hasWaiting } from './pipelined-requests.js';

const guarded = new WeakSet<Server>();

/**
 * Guards the connections of an HTTP server, whatever serves their requests: those that come without waiting for answers begin one
 * after the other, chunks of one leave turns to other work, the last answer of a connection can be read, and work waits while
 * connections come.
 *
 * @param server called again for the same one, nothing happens
 * @internal
 */
export function guardConnections(server: Server, clock: WorkflowClock): void {
  if (guarded.has(server)) return;
  guarded.add(server);
  const emit = server.emit.bind(server) as (event: string, ...args: unknown[]) => boolean;
  const begin = (request: IncomingMessage, response: ServerResponse): boolean => {
    letReadLastAnswer(request, clock);
    return emit('request', request, response);
  };
  const guarding = (event: string, ...args: unknown[]): boolean => {
    // Over TLS as well: it comes before the handshake.
    if (event === 'connection') loopTurns.connected();
    // Its answer would come before theirs, and nothing would be read of what follows: Node reads a connection that was stopped no
    // further once it has left its parser, and no timeout ends it.
    if ((event === 'upgrade' || event === 'connect') && hasWaiting((args[0] as IncomingMessage).socket)) {
      (args[0] as IncomingMessage).socket.destroy();
      return true;
    }
    const [request, response] = args as [IncomingMessage, ServerResponse];
    if (event !== 'request' || request.httpVersionMajor !== 1) return emit(event, ...args);
    readInTurns(request);
    // A response without a connection waits for those before it.
    if (response.socket) return begin(request, response);
    beginInTurn(request, response, () => begin(request, response));
    return true;
  };
  server.emit = guarding as typeof server.emit;
}
