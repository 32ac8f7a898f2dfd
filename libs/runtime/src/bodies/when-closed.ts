import type { ServerResponse } from 'node:http';

const waiting = new WeakMap<ServerResponse, (() => void)[]>();

/**
 * Calls back once when a response closes. All callbacks of a response share one listener: Nest, Fastify and Node
 * add nine of their own to a file that an interceptor of the application wraps, and Node warns of a leak at eleven.
 *
 * @param response one that is closed already never calls back
 * @internal
 */
export function whenClosed(response: ServerResponse, callback: () => void): void {
  const callbacks = waiting.get(response);
  if (callbacks) {
    callbacks.push(callback);
    return;
  }
  const all = [callback];
  waiting.set(response, all);
  response.once('close', () => {
    waiting.delete(response);
    for (const each of all) each();
  });
}
