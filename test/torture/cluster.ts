import { FaultProxy } from '../faults/fault-proxy.js';
import { type ForkedNode, forkNode } from '../support/spawn-node.js';
import type { Random } from './random.js';
import type { TortureCommand, TortureNodeSettings } from './torture-node.js';

/** A fault of the database may outlast several of them. */
const MAX_STARTS = 20;

type TortureNode = ForkedNode<TortureCommand>;

/** A place in the cluster: one node after the other, each by way of the same proxy. */
export interface Seat {
  /** Undefined for a database without a server. */
  readonly proxy: FaultProxy | undefined;
  /** Root of the build that its nodes run; undefined: this one. */
  readonly build: string | undefined;
  /** Which its nodes have, one after the other; undefined: each has its own. */
  readonly nodeName: string | undefined;
  /** Undefined while the next one starts. */
  node: TortureNode | undefined;
}

/** Several nodes on one database, of which any may be killed and is then started anew. */
export class Cluster {
  readonly seats: Seat[] = [];
  private starting: Promise<unknown>[] = [];
  private isClosing = false;
  kills = 0;
  failedStarts = 0;
  /** How nodes ended that nothing had killed: with an error that nothing caught, for example. */
  readonly ends: string[] = [];

  /**
   * @param hasServer whether there is a network between the nodes and the database
   * @param otherBuild that every second place runs
   */
  constructor(
    private readonly settings: TortureNodeSettings,
    private readonly hasServer: boolean,
    private readonly random: Random,
    private readonly otherBuild?: string,
  ) {}

  async start(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const proxy = this.hasServer ? await FaultProxy.open(this.settings.url) : undefined;
      const build = i % 2 === 1 ? this.otherBuild : undefined;
      // Half of each build: what a node has claimed is taken over by its successor as well as by the others.
      const nodeName = i % 4 < 2 ? `seat-${i}` : undefined;
      this.seats.push({ proxy, build, nodeName, node: undefined });
    }
    await Promise.all(this.seats.map((seat) => this.fill(seat)));
  }

  /** `kill -9` for one of them; another one takes its place. */
  async killOne(): Promise<void> {
    const taken = this.seats.filter(({ node }) => node);
    if (taken.length === 0) return;
    const seat = this.random.pick(taken);
    const victim = seat.node!;
    seat.node = undefined;
    this.kills++;
    await victim.kill();
    this.starting.push(this.fill(seat));
  }

  /** Cuts a connection of one node. */
  cutOne(): boolean {
    return this.random.pick(this.seats).proxy?.cutOne(this.random) ?? false;
  }

  /** Asks a node that lives. It may die while it answers. */
  async ask<T>(command: TortureCommand): Promise<T> {
    for (;;) {
      const nodes = this.seats.flatMap(({ node }) => node ?? []);
      if (nodes.length > 0) return this.random.pick(nodes).ask<T>(command);
      await Promise.all(this.starting);
    }
  }

  async close(): Promise<void> {
    this.isClosing = true;
    for (const { proxy } of this.seats) proxy?.heal();
    await Promise.allSettled(this.starting);
    await Promise.all(this.seats.map(async ({ node }) => node?.kill()));
    await Promise.all(this.seats.map(async ({ proxy }) => proxy?.close()));
  }

  /** A node that ends by itself is a finding; another one takes its place, as after a kill. */
  private seatNode(seat: Seat, node: TortureNode): void {
    seat.node = node;
    void node.endedByItself.then((end) => {
      if (end === undefined || this.isClosing) return;
      this.ends.push(end);
      seat.node = undefined;
      this.starting.push(this.fill(seat));
    });
  }

  /** Again, as a supervisor of processes does, when the database was out of reach while it started. */
  private async fill(seat: Seat): Promise<void> {
    const settings = { ...this.settings, url: seat.proxy?.url ?? this.settings.url, nodeName: seat.nodeName };
    for (let attempt = 1; !this.isClosing; attempt++)
      try {
        const node = await forkNode<TortureCommand>('../torture/torture-node.ts', settings, seat.build);
        if (this.isClosing) await node.kill();
        else this.seatNode(seat, node);
        return;
      } catch (error) {
        if (attempt === MAX_STARTS) throw error;
        this.failedStarts++;
      }
  }
}
