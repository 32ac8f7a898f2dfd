import { Agent, get } from 'node:http';
import { quantile } from './timed-loops.js';

const EVERY_MILLIS = 20;

export interface Health {
  readonly p50Millis: number;
  readonly p99Millis: number;
  readonly longestMillis: number;
}

/** Asks nodes whether they live, as a load balancer does, from a process that does nothing else. */
export class HealthProbe {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly millis: number[] = [];
  private isOver = false;
  private readonly loops: Promise<void>[];

  /** @param urls of the nodes: the call `url` */
  constructor(urls: readonly string[]) {
    this.loops = urls.map((url) => this.loop(new URL('/health/live', url)));
    // A node that is gone is reported at the end.
    for (const loop of this.loops) loop.catch(() => undefined);
  }

  /** Of all answers of all nodes. */
  async end(): Promise<Health> {
    this.abort();
    await Promise.all(this.loops);
    this.agent.destroy();
    const { millis } = this;
    return {
      p50Millis: quantile(millis, 0.5),
      p99Millis: quantile(millis, 0.99),
      longestMillis: millis.reduce((longest, one) => Math.max(longest, one), 0),
    };
  }

  /** Stops asking; the measurements so far are discarded. */
  abort(): void {
    this.isOver = true;
  }

  /** An answer that takes long counts once for each time that would have been asked meanwhile. */
  private async loop(url: URL): Promise<void> {
    while (!this.isOver) {
      const begin = performance.now();
      await this.ask(url);
      const took = performance.now() - begin;
      for (let waited = took; waited > 0; waited -= EVERY_MILLIS) this.millis.push(waited);
      await new Promise((resolve) => setTimeout(resolve, EVERY_MILLIS));
    }
  }

  private ask(url: URL): Promise<void> {
    return new Promise((resolve, reject) => {
      get(url, { agent: this.agent }, (response) => {
        response.resume();
        response.on('end', resolve);
      }).on('error', reject);
    });
  }
}
