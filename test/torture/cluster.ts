import { type ForkedNode, forkNode } from '../support/spawn-node.js';
import type { Random } from './random.js';
import type { TortureCommand, TortureNodeSettings } from './torture-node.js';

const MAX_STARTS = 5;

type TortureNode = ForkedNode<TortureCommand>;

/** Several nodes on one database, of which any may be killed and is then started anew. */
export class Cluster {
  private readonly living = new Set<TortureNode>();
  private starting: Promise<unknown>[] = [];
  private isClosing = false;
  kills = 0;
  failedStarts = 0;

  constructor(
    private readonly settings: TortureNodeSettings,
    private readonly random: Random,
  ) {}

  async start(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.add()));
  }

  /** `kill -9` for one of them; another one takes its place. */
  async killOne(): Promise<void> {
    if (this.living.size === 0) return;
    const victim = this.random.pick([...this.living]);
    this.living.delete(victim);
    this.kills++;
    await victim.kill();
    this.starting.push(this.add());
  }

  /** Asks a node that lives. It may die while it answers. */
  async ask<T>(command: TortureCommand): Promise<T> {
    while (this.living.size === 0) await Promise.all(this.starting);
    return this.random.pick([...this.living]).ask<T>(command);
  }

  async close(): Promise<void> {
    this.isClosing = true;
    await Promise.allSettled(this.starting);
    await Promise.all([...this.living].map((node) => node.kill()));
  }

  /** Again, as whoever supervises processes does, when the database was cut off while it started. */
  private async add(): Promise<void> {
    for (let attempt = 1; !this.isClosing; attempt++)
      try {
        const node = await forkNode<TortureCommand>('../torture/torture-node.ts', this.settings);
        if (this.isClosing) await node.kill();
        else this.living.add(node);
        return;
      } catch (error) {
        if (attempt === MAX_STARTS) throw error;
        this.failedStarts++;
      }
  }
}
