/** What emits `close` once: a response, a socket. */
interface Closing {
  once(event: 'close', listener: () => void): unknown;
}

const waiting = new WeakMap<Closing, Set<() => void>>();

/**
 * Calls back once when a response or socket closes. All callbacks of one share a listener: Nest, Fastify and Node add nine of their own
 * to the response of a file that an interceptor of the application wraps, and Node warns of a leak at eleven.
 *
 * @param emitter one that is closed already never calls back
 * @returns takes the callback back
 * @internal
 */
export function whenClosed(emitter: Closing, callback: () => void): () => void {
  // A function of its own: the same callback may wait twice.
  const own = (): void => callback();
  const known = waiting.get(emitter);
  const callbacks = known ?? new Set();
  callbacks.add(own);
  if (!known) {
    waiting.set(emitter, callbacks);
    emitter.once('close', () => {
      waiting.delete(emitter);
      for (const each of callbacks) each();
    });
  }
  return () => void callbacks.delete(own);
}
