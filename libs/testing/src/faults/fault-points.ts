import { CommitOutcomeUnknownError, StoreUnavailableError, type WorkflowPersistence } from '@waymark/runtime';

/**
 * What happens at a fault point:
 * - `dies before` / `dies after`: the process ends there, so nothing that it calls later reaches the store, and no caller that
 *   waits for it hears again. To the store, a process that ends between two calls has died after the first one.
 * - `fails`: the store cannot be reached for this one call, which changes nothing.
 * - `loses the answer`: the store has done it, but the caller gets an error.
 */
export type Fault = 'dies before' | 'dies after' | 'fails' | 'loses the answer';

/** One call of the store by one node: `commit#2` is its second commit, `outbox.claim#1` its first claim. */
export type FaultPoint = string;

/** Calls that change nothing: dying before or after one of them is the same. */
const READS = /^(now|count|changeCounter|find|load|read)/;

/**
 * Injects one fault at one call of the store by one node, or an outage that lasts until `heal()`. Without a fault it only
 * records the calls: run the code under test, and `reached` lists the points at which a fault can be injected.
 *
 * ```ts
 * const points = new FaultPoints({ at: 'commit#2', fault: 'dies after' });
 * const node = await startMyApplication(withFaultPoints(persistence, points));
 * await Promise.race([work(node), points.died]);
 * // start another node on `persistence`, and look whether everything is there, once
 * ```
 */
export class FaultPoints {
  /** Every call so far, in order. */
  readonly reached: FaultPoint[] = [];
  /** Resolves when the node has died. */
  readonly died: Promise<void>;
  private readonly counts = new Map<string, number>();
  private markDead: () => void = () => {};
  private dead = false;
  private met = false;
  private refused: 'nothing' | 'writes' | 'everything' = 'nothing';

  constructor(private readonly planned?: { readonly at: FaultPoint; readonly fault: Fault }) {
    this.died = new Promise((resolve) => (this.markDead = resolve));
  }

  /** True if the node has died at a fault point, and all its calls fail. */
  get isDead(): boolean {
    return this.dead;
  }

  /** Whether the planned fault has happened. A test that never meets its fault proves nothing. */
  get isMet(): boolean {
    return this.met;
  }

  /**
   * From now on the store refuses every such call with `StoreUnavailableError`, until `heal()`: a database that is read-only,
   * or out of reach.
   */
  refuse(what: 'writes' | 'everything'): void {
    this.refused = what;
  }

  /** Ends the outage that `refuse` has begun. */
  heal(): void {
    this.refused = 'nothing';
  }

  /** Whether a call of the store writes. @param point as in `reached` */
  static isWrite(point: FaultPoint): boolean {
    return !READS.test(point.split('#')[0]!.split('.').at(-1)!);
  }

  /** Runs a call of the store, with the fault that is planned for it. */
  async around<T>(call: string, task: () => Promise<T>): Promise<T> {
    if (this.dead) return never();
    const fault = this.next(call);
    if (this.refused === 'everything' || (this.refused === 'writes' && FaultPoints.isWrite(call)))
      throw new StoreUnavailableError('The store refuses this call.');
    if (fault === 'dies before') return this.die();
    if (fault === 'fails')
      throw new StoreUnavailableError(`The store cannot be reached (fault at ${this.planned?.at}).`);
    const answer = await task();
    if (fault === 'dies after') return this.die();
    if (fault) throw new CommitOutcomeUnknownError(`The store did not answer (fault at ${this.planned?.at}).`);
    return this.dead ? never() : answer;
  }

  private next(call: string): Fault | undefined {
    const occurrence = (this.counts.get(call) ?? 0) + 1;
    this.counts.set(call, occurrence);
    const point = `${call}#${occurrence}`;
    this.reached.push(point);
    if (this.planned?.at !== point) return undefined;
    this.met = true;
    return this.planned.fault;
  }

  private die(): Promise<never> {
    this.dead = true;
    this.markDead();
    return never();
  }
}

/** Returns the store as seen by a node with faults. Other nodes use `persistence` itself. */
export function withFaultPoints(persistence: WorkflowPersistence, points: FaultPoints): WorkflowPersistence {
  return watched(persistence, '', points);
}

function watched<T extends object>(target: T, path: string, points: FaultPoints): T {
  const seen = new Map<PropertyKey, unknown>();
  return new Proxy(target, {
    get(_, key) {
      const value = Reflect.get(target, key, target) as unknown;
      if (typeof key !== 'string' || !isWatchable(value)) return value;
      if (!seen.has(key)) seen.set(key, watch(target, key, value, path, points));
      return seen.get(key);
    },
  });
}

function isWatchable(value: unknown): value is object {
  return typeof value === 'function' || (typeof value === 'object' && value !== null);
}

function watch(target: object, key: string, value: object, path: string, points: FaultPoints): unknown {
  if (typeof value !== 'function') return watched(value, `${path}${key}.`, points);
  return (...args: unknown[]) => points.around(path + key, async () => Reflect.apply(value, target, args) as unknown);
}

/** The answer that a dead process gets. */
function never(): Promise<never> {
  return new Promise(() => {});
}
