import http from 'node:http';
import { type ForkedNode, forkNode } from '../../support/spawn-node.js';
import type { HostileNodeCommand, HostileNodeSettings } from './hostile-node.js';
import type { HostileRequest } from './hostile-request.js';

export interface AttackResult {
  readonly status: number;
  readonly body: string;
  /** The longest turn of the event loop meanwhile, in milliseconds of the processor. */
  readonly stallMs: number;
  /** Of the probe that asked for `/health/live` meanwhile. */
  readonly health: number;
}

/** A host that is attacked. */
export class Target {
  private constructor(
    private readonly node: ForkedNode<HostileNodeCommand>,
    private readonly url: string,
  ) {}

  static async start(adapter: HostileNodeSettings['adapter']): Promise<Target> {
    const settings: HostileNodeSettings = { adapter };
    const node = await forkNode<HostileNodeCommand>('../hostile/bodies/hostile-node.ts', settings);
    return new Target(node, await node.ask({ do: 'url' }));
  }

  async attack(request: HostileRequest): Promise<AttackResult> {
    const body = request.body();
    await this.node.ask({ do: 'watch' });
    const [answer, probe] = await Promise.all([
      send(this.url, request, body),
      send(this.url, { method: 'GET', path: '/health/live', headers: {} }, ''),
    ]);
    return { ...answer, stallMs: await this.node.ask<number>({ do: 'stall' }), health: probe.status };
  }

  kill(): Promise<void> {
    return this.node.kill();
  }
}

/** Not by `fetch`, which sends less than strangers do. Status 0: the connection ended before an answer. */
function send(
  url: string,
  { method, path, headers }: Pick<HostileRequest, 'method' | 'path' | 'headers'>,
  body: string | Buffer,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve) => {
    const outgoing = http.request(url + path, {
      method,
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      agent: false,
    });
    let answered = false;
    outgoing.on('response', (incoming) => {
      answered = true;
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      const end = () => resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
      incoming.on('end', end).on('error', end);
    });
    outgoing.on('error', (error) => {
      if (!answered) resolve({ status: 0, body: error.message });
    });
    outgoing.end(body);
  });
}
