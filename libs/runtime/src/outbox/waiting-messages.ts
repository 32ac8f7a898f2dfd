import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WorkflowClock } from '../clock/workflow-clock.js';
import type { WaitingClaim } from '../persistence/message-stores.js';
import type { OutboxMessage } from '../persistence/records.js';
import type { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import type { DispatchLimits } from './dispatch-limits.js';

/** Turns that one look reads; the next one continues behind them. */
const TURNS_PER_LOOK = 100;

interface GivenBack {
  readonly ids: string[];
  readonly stored: Promise<void>;
}

/**
 * Messages that wait in the store for a place of their definition, each definition at a turn of its own: they are in the
 * way of no others, and are claimed only as far as there are places for them here.
 *
 * 1. A turn is known from when a message of this node begins to wait there, or a look has found it, until a claim of it
 *    brings less than was asked for.
 * 2. A place that becomes free, and a turn that becomes known, is claimed for at once: the processor asks `areWanted`.
 * 3. Of a claim, at most half is for them as long as others wait, and the turns take turns.
 */
export class WaitingMessages {
  /** Those that were claimed longest ago come first. */
  private readonly known = new Set<number>();
  /** Where the next look continues. */
  private after: number | undefined;
  private claims = 0;
  /** Turns of work that this node cannot do, and until when it does not ask for it. */
  private readonly refusedUntil = new Map<number, number>();
  /** To be stored at the end of this turn of the event loop, by their turn. */
  private readonly givenBack = new Map<number, GivenBack>();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly clock: WorkflowClock,
    private readonly limits: DispatchLimits,
    private readonly owner: string,
  ) {}

  /** Whether messages may wait for which there are places here. */
  get areWanted(): boolean {
    for (const turn of this.known) if (this.free(turn) > 0) return true;
    return false;
  }

  /** Whether a new message would overtake others that wait there, or find no place here. */
  mustWaitAt(turn: number): boolean {
    return this.known.has(turn) || this.limits.free(turn) === 0;
  }

  /** Gives a message a place, unless it has to wait. The node that serves it gives the place back. */
  admits(message: OutboxMessage, turn: number): boolean {
    const isNext = message.turn === turn || !this.mustWaitAt(turn);
    return isNext && this.limits.take(turn, message.id);
  }

  /** Messages wait there. */
  note(turn: number): void {
    this.known.add(turn);
  }

  /** Nothing of that turn is claimed until then. @param until as the clock's `monotonic()` says */
  refuse(turn: number, until: number): void {
    this.refusedUntil.set(turn, until);
  }

  private free(turn: number): number {
    const until = this.refusedUntil.get(turn);
    if (until === undefined) return this.limits.free(turn);
    if (this.clock.monotonic() < until) return 0;
    this.refusedUntil.delete(turn);
    return this.limits.free(turn);
  }

  /** Those of that turn were given back: not to be claimed again before the next look. */
  forget(turn: number): void {
    this.known.delete(turn);
  }

  /** Finds the turns at which messages of other nodes, and of nodes that are dead, wait. */
  async look(): Promise<readonly number[]> {
    const found = await this.persistence.outbox.findWaitingTurns(TURNS_PER_LOOK, this.after);
    for (const turn of found) this.known.add(turn);
    this.after = found.length === TURNS_PER_LOOK ? found.at(-1) : undefined;
    return found;
  }

  /**
   * Stores that a message of this node waits from now on; for all that ask at the same time in one statement.
   * @returns when it is stored
   */
  letWait({ id }: OutboxMessage, turn: number): Promise<void> {
    const open = this.givenBack.get(turn);
    if (open) {
      open.ids.push(id);
      return open.stored;
    }
    const ids = [id];
    const stored = nextTurn().then(() => this.store(turn, ids));
    this.givenBack.set(turn, { ids, stored });
    return stored;
  }

  private async store(turn: number, ids: readonly string[]): Promise<void> {
    this.givenBack.delete(turn);
    const availableAt = new Date(this.clock.now());
    await this.persistence.outbox.letWait(ids, { turn, owner: this.owner, availableAt });
    this.note(turn);
  }

  /**
   * What to claim of them; the places for it are kept until `end` is called, with what was found unless the claim failed.
   * @param most free places for messages of any kind
   * @param othersWait whether some of them are for others
   */
  beginClaim(
    most: number,
    othersWait: boolean,
  ): {
    readonly asked: readonly WaitingClaim[];
    readonly end: (found?: readonly OutboxMessage[]) => void;
  } {
    const asked: WaitingClaim[] = [];
    // One place goes to them every other time.
    const half = this.claims++ % 2 === 0 ? Math.ceil(most / 2) : Math.floor(most / 2);
    let left = othersWait ? half : most;
    for (const turn of [...this.known]) {
      const limit = Math.min(this.free(turn), left);
      if (limit === 0) continue;
      left -= limit;
      this.limits.reserve(turn, limit);
      // What comes to wait there meanwhile makes it known again.
      this.known.delete(turn);
      asked.push({ turn, limit });
    }
    return { asked, end: (found) => this.endClaim(asked, found) };
  }

  private endClaim(asked: readonly WaitingClaim[], found: readonly OutboxMessage[] | undefined): void {
    for (const { turn, limit } of asked) {
      this.limits.reserve(turn, -limit);
      const messages = found?.filter((message) => message.turn === turn);
      for (const { id } of messages ?? []) this.limits.take(turn, id);
      // After a failure the next look finds it: at once, it would fail again and again while the store is out.
      if (messages?.length === limit) this.known.add(turn);
    }
  }
}
