import http, { Agent as HttpAgent, type AgentOptions } from 'node:http';
import https, { Agent as HttpsAgent } from 'node:https';

export type Agent = HttpAgent | HttpsAgent;

/** Until when Node's own agents keep an idle connection. */
const IDLE_MS = 5_000;
/**
 * A server that closes an idle connection may do so just as it is used again. Whether it has had that request cannot be known, so
 * it fails; requests that are not repeated therefore get no connection that has been idle for as long as servers keep one.
 */
const SHORT_IDLE_MS = 1_000;

const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/**
 * True for a request that the server may get twice: by its method (RFC 9110, 9.2.2), or because the server knows it again.
 * The others are sent once, since the server may have done its work before the connection broke.
 */
export const isRepeatable = (method: string, headers: readonly (readonly [name: string, value: unknown])[]): boolean =>
  IDEMPOTENT.has(method.toUpperCase()) || headers.some(([name]) => name.toLowerCase() === 'idempotency-key');

/** Connections of one owner, in two pools. */
export class OutgoingAgents {
  private readonly pools = [IDLE_MS, SHORT_IDLE_MS].map((timeout) => ({
    'http:': new HttpAgent({ keepAlive: true, timeout }),
    'https:': new HttpsAgent({ keepAlive: true, timeout }),
  }));

  of({ protocol }: URL, isRepeated: boolean): Agent {
    return this.pools[isRepeated ? 0 : 1]![protocol as 'http:' | 'https:'];
  }
}

const shortLived = new WeakMap<Agent, Agent>();

/** The agent of the process, which the application may have replaced or set up (a proxy, certificates); or one set up alike. */
export function processAgent({ protocol }: URL, isRepeated: boolean): Agent {
  const agent = protocol === 'https:' ? https.globalAgent : http.globalAgent;
  const Plain = protocol === 'https:' ? HttpsAgent : HttpAgent;
  // Of a class of the application, or with connections that it makes itself, it is not known how to make another one.
  if (isRepeated || agent.constructor !== Plain || Object.hasOwn(agent, 'createConnection')) return agent;
  let similar = shortLived.get(agent);
  if (!similar) shortLived.set(agent, (similar = new Plain({ ...optionsOf(agent), timeout: SHORT_IDLE_MS })));
  // Often set after it was made.
  similar.maxSockets = agent.maxSockets;
  return similar;
}

/** A member that Node does not document, and all its agents have. */
const optionsOf = (agent: Agent): AgentOptions => (agent as unknown as { options?: AgentOptions }).options ?? {};
