import { setTimeout as pause } from 'node:timers/promises';
import { type FaultProxy, WRITES, WRITES_AND_LOCKS } from '../faults/fault-proxy.js';
import type { Cluster, Seat } from './cluster.js';
import type { Random } from './random.js';

/** What happens to one node's way to the database, until it is healed. */
const FAULTS: Readonly<Record<string, (proxy: FaultProxy, random: Random) => void>> = {
  'half-open connections': (proxy) => proxy.blackHole('established'),
  'network down': (proxy) => proxy.blackHole('all'),
  'slow network': (proxy, random) => proxy.delay(random.between(20, 400)),
  'commits that never arrive': (proxy) => proxy.cutCommits('before'),
  'commits without an answer': (proxy) => proxy.cutCommits('after'),
  'read-only database': (proxy) => proxy.refuse(WRITES, 'read-only'),
  'full disk': (proxy) => proxy.refuse(WRITES, 'disk-full'),
  'too many connections': (proxy) => {
    proxy.limitConnections(2);
    proxy.cutAll();
  },
};

const LONGEST_STEP_MS = 11 * 60_000;

/** Partial faults of the infrastructure, one at a time for each node, processes that stand still, and clocks that are set while nodes run. */
export class FaultDriver {
  private readonly ailing = new Set<Seat>();
  private readonly counts: Record<string, number> = {};
  private clockSteps = 0;
  private suspensions = 0;
  private slowestRecoveryMs = 0;
  private failOvers = 0;
  private slowestFailOverMs = 0;

  /** @param longestMs of a fault. Claims last 30 seconds: what takes longer finds others at the work of its node */
  constructor(
    private readonly cluster: Cluster,
    private readonly random: Random,
    private readonly longestMs: number,
  ) {}

  /** How often each fault was there, and the longest time from the end of one to the next write of its node. */
  get figures(): Readonly<Record<string, number>> {
    const { counts, clockSteps, suspensions, slowestRecoveryMs, failOvers, slowestFailOverMs } = this;
    return { ...counts, clockSteps, suspensions, slowestRecoveryMs, failOvers, slowestFailOverMs };
  }

  /** Begins a fault on one node, ends it, and waits until the node writes again. */
  async ail(): Promise<void> {
    const seats = this.cluster.seats.filter((seat) => seat.proxy && !this.ailing.has(seat));
    if (seats.length === 0) return;
    const seat = this.random.pick(seats);
    const [name, begin] = this.random.pick(Object.entries(FAULTS));
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    this.ailing.add(seat);
    try {
      begin(seat.proxy!, this.random);
      await pause(this.random.between(500, this.longestMs));
    } finally {
      seat.proxy!.heal();
      await this.recovered(seat);
      this.ailing.delete(seat);
    }
  }

  /** The server refuses all writes of all nodes for that time; then all connections end, and the nodes write again. */
  async failOver(ms: number): Promise<void> {
    const seats = this.cluster.seats.filter((seat) => seat.proxy && !this.ailing.has(seat));
    for (const seat of seats) this.ailing.add(seat);
    this.failOvers++;
    for (const { proxy } of seats) proxy!.refuse(WRITES_AND_LOCKS, 'read-only');
    await pause(ms);
    for (const { proxy } of seats) {
      proxy!.heal();
      proxy!.cutAll();
    }
    const healedAt = performance.now();
    await Promise.all(seats.map((seat) => this.recovered(seat)));
    this.slowestFailOverMs = Math.max(this.slowestFailOverMs, Math.round(performance.now() - healedAt));
    for (const seat of seats) this.ailing.delete(seat);
  }

  /** Sets the wall clock of one machine. */
  async stepClock(): Promise<void> {
    const { node } = this.random.pick(this.cluster.seats);
    const ms = Math.round(this.random.between(-LONGEST_STEP_MS, LONGEST_STEP_MS));
    // A node that is killed meanwhile has no clock any more.
    await node?.ask({ do: 'stepClock', ms }).then(
      () => this.clockSteps++,
      () => undefined,
    );
  }

  /** Stops one process in whatever it is doing, as when its machine is suspended, and lets it continue. */
  async suspend(): Promise<void> {
    const { node } = this.random.pick(this.cluster.seats);
    if (!node) return;
    this.suspensions++;
    node.signal('SIGSTOP');
    await pause(this.random.between(100, this.longestMs));
    node.signal('SIGCONT');
  }

  private async recovered({ node }: Seat): Promise<void> {
    const healedAt = performance.now();
    try {
      await node?.ask({ do: 'write' });
    } catch {
      // It was killed, or the fault left an error behind: the clients try again as well.
      return;
    }
    this.slowestRecoveryMs = Math.max(this.slowestRecoveryMs, Math.round(performance.now() - healedAt));
  }
}
