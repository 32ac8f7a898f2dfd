import { toErrorLike } from '@waymark/core/adapter';
import type { RuntimeGate } from '../bursts/runtime-gate.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import type { StoreOutages } from '../outages/store-outages.js';
import { isStoreOutage } from '../persistence/persistence-errors.js';
import type { OutboxMessage } from '../persistence/records.js';
import type { CodeTurns } from './code-turns.js';
import type { DeliveryPool } from './delivery-pool.js';
import type { FetchPace } from './fetch-pace.js';
import { FetchPlan } from './fetch-plan.js';
import type { LongWorkPool } from './long-work-pool.js';
import type { MessageClaims } from './message-claims.js';
import type { MessageLeases } from './message-leases.js';
import type { OutboxHandler } from './outbox-handler.js';
import { hasNoTurn, isWaiting, pickMessages } from './picked-messages.js';
import type { PoisonMessageGuard } from './poison-message-guard.js';
import type { UnknownKinds } from './unknown-kinds.js';
import type { WaitingMessages } from './waiting-messages.js';

interface Fetch {
  /** Whether to look where messages of other nodes wait for a place of their definition. @default false */
  readonly looks?: boolean;
  /** Whether messages may wait that need no such place. @default true */
  readonly othersWait?: boolean;
}

interface OutboxFetchesParts {
  readonly gate: RuntimeGate;
  readonly outages: StoreOutages;
  readonly handlers: ReadonlyMap<string, OutboxHandler>;
  readonly leases: MessageLeases;
  readonly claims: MessageClaims;
  readonly pool: DeliveryPool;
  readonly longPool: LongWorkPool;
  readonly pace: FetchPace;
  readonly waiting: WaitingMessages;
  readonly codeTurns: CodeTurns;
  readonly unknownKinds: UnknownKinds;
  readonly poisonGuard: PoisonMessageGuard;
}

/** Takes what was claimed: some are served, those left are given back before. */
type TakeOn = (taken: readonly OutboxMessage[], left: readonly OutboxMessage[]) => Promise<void>;

const NO_LONG_CLAIM = { asked: { limit: 0, fromTurn: 1 }, end: (): void => {} };

/** When the store is asked for messages, and for which. */
export class OutboxFetches {
  private readonly logger = new WorkflowLogger('WorkflowOutbox');
  private readonly next: FetchPlan;
  /** Looks at the store under way: what they claim is as good as being served. */
  private fetching = 0;
  private idle: (() => void)[] = [];

  constructor(
    private readonly parts: OutboxFetchesParts,
    private readonly takeOn: TakeOn,
  ) {
    this.next = new FetchPlan(
      parts,
      ({ short, fillsLong, othersWait }) => this.fetchSoon(short, fillsLong, { othersWait }),
      () => this.noteIdle(),
    );
  }

  /** Takes over what other nodes or earlier runs left behind. Returns how many were claimed. */
  async poll(): Promise<number> {
    return this.fetch(this.parts.pool.free, true, { looks: true });
  }

  /** Fills the places that are free, if the store is known to have more. */
  fill(): void {
    this.next.fill();
  }

  /** The store has what found no place here. */
  noteMore(): void {
    this.next.hasMore = true;
  }

  /** Messages have become available: those of the store fill the places of both pools. */
  woken(): void {
    this.fetchSoon(this.parts.pool.free, true);
  }

  again(): void {
    this.fetchSoon(this.parts.pool.free, false);
  }

  pause(): void {
    this.next.hasMore = false;
    this.parts.longPool.hasMore = false;
  }

  /** Resolves when nothing is being served or fetched. */
  settled(): Promise<void> {
    return this.isIdle ? Promise.resolve() : new Promise((resolve) => this.idle.push(resolve));
  }

  private get isIdle(): boolean {
    return this.fetching === 0 && this.next.isIdle && this.parts.pool.isIdle && this.parts.longPool.isIdle;
  }

  onServed(): void {
    this.next.fill();
    this.noteIdle();
  }

  noteIdle(): void {
    if (this.isIdle) for (const resolve of this.idle.splice(0)) resolve();
  }

  /**
   * @param short places of the short pool to fill
   * @param fillsLong whether to fill those of the long one, too
   */
  private async fetch(short: number, fillsLong: boolean, { looks, ...more }: Fetch = {}): Promise<number> {
    if (this.parts.gate.closedBecause || this.parts.outages.settlesInMs > 0) return 0;
    // What another look is just claiming would be taken for lost.
    if (this.parts.claims.looksForLost && this.fetching > 0) return 0;
    if (short === 0 && !(fillsLong && this.parts.longPool.free > 0)) return 0;
    this.fetching++;
    const end = short > 0 ? this.next.begin() : undefined;
    try {
      // Its own messages would look like those of a node that died.
      await this.parts.leases.renewOverdue();
      if (looks) await this.parts.codeTurns.watch(await this.parts.waiting.look());
      return await this.claimAndServe(short, fillsLong, more);
    } catch (error) {
      this.parts.outages.report(error);
      throw error;
    } finally {
      this.fetching--;
      end?.();
      this.onServed();
    }
  }

  private async claimAndServe(short: number, fillsLong: boolean, { othersWait = true }: Fetch): Promise<number> {
    const hasLongPlace = this.parts.longPool.free > 0;
    // Another look was faster.
    if (short === 0 && !hasLongPlace) return 0;
    const exceptKinds = [...(hasLongPlace ? [] : this.longKinds()), ...this.parts.unknownKinds.all()];
    const { asked, end } = fillsLong && hasLongPlace ? this.parts.longPool.beginClaim() : NO_LONG_CLAIM;
    const waiting = this.parts.waiting.beginClaim(short, othersWait);
    const others = waiting.asked.reduce((places, { limit }) => places - limit, short);
    let claimed: OutboxMessage[] | undefined;
    try {
      claimed = await this.parts.claims.claim({ short: others, long: asked, waiting: waiting.asked, exceptKinds });
      // Before they are served, for which they need their places.
      waiting.end(claimed);
      const isLong = ({ kind }: OutboxMessage): boolean => this.parts.handlers.get(kind)?.isLong === true;
      const { taken, left } = pickMessages(
        claimed,
        isLong,
        asked.limit + this.parts.longPool.free,
        this.parts.poisonGuard,
      );
      for (const message of left) if (isWaiting(message)) this.parts.waiting.forget(message.turn);
      // Of those given back, each waits for its turn. Whether there are others is not known where none were asked for.
      if (short > 0 && claimed.filter(hasNoTurn).length === others && left.length === 0) this.next.hasMore = true;
      await this.takeOn(taken, left);
      return taken.length;
    } finally {
      end(claimed);
      if (!claimed) waiting.end();
    }
  }

  private longKinds(): string[] {
    return [...this.parts.handlers.values()].filter(({ isLong }) => isLong).map(({ kind }) => kind);
  }

  private fetchSoon(short: number, fillsLong: boolean, more?: Fetch): void {
    this.fetch(short, fillsLong, more).catch((error: unknown) => {
      // The next round of the maintenance does.
      if (!isStoreOutage(error)) this.logger.warn(`Failed to read the outbox: ${toErrorLike(error).message}`);
    });
  }
}
