import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster } from './cluster.js';
import type { Random } from './random.js';
import type { PlanKind } from './torture-node.js';
import { APPROVED, PAID } from './workflows.js';

/** What the clients know in the end: what the system has promised them. */
export interface Promises {
  /** Keys of orders whose start was acknowledged. */
  readonly orders: string[];
  /** By order: whose approval was answered as the one that counts. */
  readonly approvals: Map<string, string[]>;
  /** Keys of instances whose cancellation was acknowledged. */
  readonly cancelled: string[];
  /** Plans that were acknowledged, each of them for so many instances. */
  readonly plans: { readonly kind: PlanKind; readonly key: string; readonly count: number }[];
  singles: number;
  /** What a client waited for in vain. */
  readonly unanswered: string[];
}

const RETRY_MS = 100;
const HERD = 260;
const CLOCKS_DIFFER_MS = 500;
/** Another request of the same client has come through already. */
const DONE = ['WM7007', 'WM3002'];
/** Another client resumed it, or it is over. */
const LOST = ['WM3003', 'WM3004', 'WM7002'];

/** Clients of the cluster. As clients do, they repeat what was not answered. */
export class Clients {
  readonly promises: Promises = {
    orders: [],
    approvals: new Map(),
    cancelled: [],
    plans: [],
    singles: 0,
    unanswered: [],
  };
  private count = 0;

  constructor(
    private readonly cluster: Cluster,
    private readonly random: Random,
    /** When the patience of all clients ends, in milliseconds of `performance.now()`. */
    private readonly deadline: number,
  ) {}

  /** One client's life: an order, a cancellation or a try to be the only one. */
  async act(): Promise<void> {
    const key = `k${++this.count}`;
    try {
      await this.live(key);
    } catch (error) {
      if (!(error instanceof OutOfPatience)) throw error;
      this.promises.unanswered.push(`${key}: ${error.message}`);
    }
  }

  private async live(key: string): Promise<void> {
    const choice = this.random.next();
    if (choice < 0.5) await this.order(key);
    else if (choice < 0.62) await this.cancel(key);
    else if (choice < 0.8) await this.plans(key);
    else await this.single();
  }

  private async order(key: string): Promise<void> {
    const isEarly = this.random.chance(0.3);
    const payments = this.random.chance(0.3) ? 2 : 1;
    if (isEarly) await this.pay(key, payments);
    await this.start('order', key);
    this.promises.orders.push(key);
    if (!isEarly) await this.pay(key, payments);
    await this.approve(key);
  }

  /** A payment that is sent twice counts once. */
  private async pay(key: string, times: number): Promise<void> {
    const send = () => this.persist({ do: 'event', event: PAID, key: `${PAID}:${key}`, correlationId: key });
    await Promise.all(Array.from({ length: times }, send));
  }

  /** Two people approve at once; one of them must be answered that it was too late. */
  private async approve(key: string): Promise<void> {
    const told: string[] = [];
    this.promises.approvals.set(key, told);
    const bookmarkId = await this.waitForBookmark(key);
    const attempt = async (by: string): Promise<void> => {
      for (;;) {
        try {
          await this.cluster.ask({ do: 'resume', bookmarkId, by });
          told.push(by);
          return;
        } catch (error) {
          if (LOST.includes(codeOf(error))) return;
          await this.wait(`resume: ${String(error)}`);
        }
      }
    };
    await Promise.all(['ann', 'bob'].map(attempt));
  }

  private async waitForBookmark(correlationId: string): Promise<string> {
    for (;;) {
      const id = await this.persist<string | undefined>({ do: 'bookmark', event: APPROVED, correlationId });
      if (id !== undefined) return id;
      await this.wait('no instance waits for the approval');
    }
  }

  private async cancel(key: string): Promise<void> {
    await this.start('patience', key);
    await pause(this.random.between(0, 500));
    await this.persist({ do: 'cancel', correlationId: key });
    this.promises.cancelled.push(key);
  }

  /** An alteration of a herd, and then its end. */
  private async plans(key: string): Promise<void> {
    const count = Math.round(this.random.between(20, HERD));
    await this.persist({ do: 'startHerd', key, count });
    // Plans leave out what began later by the clock of another machine.
    await pause(CLOCKS_DIFFER_MS);
    const last: PlanKind = this.random.chance(0.5) ? 'cancel' : 'delete';
    const kinds: PlanKind[] = this.random.chance(0.5) ? ['alter', last] : [last];
    for (const kind of kinds) {
      const plan = { kind, key };
      await this.persist({ do: 'plan', ...plan });
      this.promises.plans.push({ ...plan, count });
      while (!(await this.persist<boolean>({ do: 'planEnded', ...plan })))
        await this.wait(`${kind}-${key} does not end`);
    }
  }

  private async single(): Promise<void> {
    if (!(await this.persist<boolean>({ do: 'startSingle' }))) this.promises.singles++;
  }

  private start(definition: string, key: string): Promise<unknown> {
    return this.persist({ do: 'start', definition, key });
  }

  /** Until it is answered. */
  async persist<T>(command: Parameters<Cluster['ask']>[0]): Promise<T> {
    for (;;) {
      try {
        return await this.cluster.ask<T>(command);
      } catch (error) {
        if (DONE.includes(codeOf(error))) return undefined as T;
        await this.wait(`${command.do}: ${String(error)}`);
      }
    }
  }

  private async wait(what: string): Promise<void> {
    if (performance.now() > this.deadline) throw new OutOfPatience(what);
    await pause(RETRY_MS);
  }
}

class OutOfPatience extends Error {}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? '';
}
