import type { IncomingMessage } from 'node:http';

/** What is read of an adapter of Nest. */
interface Adapter {
  getType(): string;
  getInstance(): unknown;
}

type WithAddress = { readonly ip?: string };

/**
 * Address of the client of an upgrade, as `request.ip` has it for requests to routes: behind a proxy that the adapter trusts, what the
 * proxy says. An upgrade reaches neither Express nor Fastify, so their own accessors are applied to the request of Node. Else
 * all clients behind a proxy would share its address, and wrong keys of one would keep the others out.
 */
export function upgradeAddress(adapter: Adapter, request: IncomingMessage): string | undefined {
  const view = viewOf(adapter, request) as WithAddress | undefined;
  return view?.ip ?? request.socket.remoteAddress;
}

function viewOf(adapter: Adapter, request: IncomingMessage): object | undefined {
  const instance = adapter.getInstance();
  return adapter.getType() === 'fastify' ? fastifyView(instance, request) : expressView(instance, request);
}

/** `app.request` is the prototype of all requests of the application. */
function expressView(app: unknown, request: IncomingMessage): object | undefined {
  const prototype = (app as { request?: object } | undefined)?.request;
  if (!prototype) return undefined;
  const { headers, socket } = request;
  return Object.create(prototype, {
    headers: { value: headers },
    socket: { value: socket },
    connection: { value: socket },
  }) as object;
}

/** Fastify keeps the class of its requests, which knows `trustProxy`, under a symbol. */
function fastifyView(instance: unknown, request: IncomingMessage): object | undefined {
  if (typeof instance !== 'object' || instance === null) return undefined;
  const symbol = Object.getOwnPropertySymbols(instance).find(({ description }) => description === 'fastify.Request');
  const Request = symbol && (instance as Record<symbol, { prototype?: object } | undefined>)[symbol];
  return Request?.prototype && (Object.create(Request.prototype, { raw: { value: request } }) as object);
}
