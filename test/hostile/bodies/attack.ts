import { type ForkedNode, forkNode } from '../../support/spawn-node.js';
import type { HostileNodeCommand, HostileNodeSettings } from './hostile-node.js';
import { getRequest, type HostileRequest } from './hostile-request.js';
import { type Answer, send } from './send.js';
import type { Turns } from './turn-clock.js';

export interface AttackResult extends Answer {
  /** The longest turn of the event loop meanwhile, in milliseconds of the processor. */
  readonly stallMs: number;
  /** Of the probe that asked for `/health/live` meanwhile. */
  readonly health: number;
  /** What the process took at most since it began, in bytes. */
  readonly peak: Turns['peak'];
}

const LIVE = getRequest('health', 'GET', '/health/live');
/** Behind it, a reset that came before has been noticed, and requests that were at work then have been answered. */
const SLOW = getRequest('brief', 'GET', '/workflows/brief');

/** Of a message to a process that has ended. */
const isGone = (error: unknown): boolean =>
  ['EPIPE', 'ERR_IPC_CHANNEL_CLOSED', 'ECONNRESET'].includes((error as NodeJS.ErrnoException).code ?? '');

/** A host that is attacked. */
export class Target {
  private constructor(
    private readonly node: ForkedNode<HostileNodeCommand>,
    readonly url: string,
  ) {}

  /** @param options of Node */
  static async start(
    adapter: HostileNodeSettings['adapter'],
    database?: HostileNodeSettings['database'],
    options: readonly string[] = [],
  ): Promise<Target> {
    const settings: HostileNodeSettings = { adapter, ...(database && { database }) };
    const node = await forkNode<HostileNodeCommand>('../hostile/bodies/hostile-node.ts', settings, undefined, options);
    return new Target(node, await node.ask({ do: 'url' }));
  }

  /** @throws Error that names the request when the host has ended: an exception that was not caught, or a rejected promise */
  async attack(request: HostileRequest): Promise<AttackResult> {
    try {
      return await this.attackAndWatch(request);
    } catch (cause) {
      const why = isGone(cause) ? await this.node.endedByItself : (cause as Error).message;
      throw new Error(`${request.name}: ${why}`, { cause });
    }
  }

  private async attackAndWatch(request: HostileRequest): Promise<AttackResult> {
    for (const earlier of request.before ?? []) {
      const { status, body } = await send(this.url, earlier, earlier.body());
      // What is too large to be kept does not wait.
      if (status >= 300 && status !== 413 && !earlier.mayBeRefused)
        throw new Error(`${earlier.name} was answered ${status}: ${body.slice(0, 200)}`);
    }
    if (request.before?.length) await this.node.ask({ do: 'settle' });
    const body = request.body();
    await this.node.ask({ do: 'watch' });
    const [answer, probe] = await Promise.all([send(this.url, request, body), send(this.url, LIVE, '')]);
    // What follows from a reset comes after it.
    if (request.isReset) await send(this.url, SLOW, '');
    if (request.before) await this.node.ask({ do: 'settle' });
    const { longestMs, peak } = await this.node.ask<Turns>({ do: 'stall' });
    return { ...answer, stallMs: longestMs, peak, health: probe.status };
  }

  kill(): Promise<void> {
    return this.node.kill();
  }
}
