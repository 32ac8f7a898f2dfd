import type { OutboxMessage } from '../persistence/records.js';

/** So many places are lent for each that there is: what is served without a place takes memory all the same. */
const LENT_PER_PLACE = 4;

/** Serves messages in the order in which they came, a limited number at a time. */
export class DeliveryPool {
  private readonly waiting: OutboxMessage[] = [];
  private running = 0;
  private aside = 0;
  /** Being served without a place, which others have. */
  private readonly lent = new Set<string>();
  /** Being served, though what there was to do is done: no shutdown waits for them. */
  private readonly calledOff = new Set<string>();
  private isGivenUp = false;

  /**
   * @param concurrency served at the same time
   * @param capacity held here at the same time, those being served included: what is beyond stays a row, for any node
   * @param mostAside wait aside at the same time
   * @param onPlace a place is free for another message
   */
  constructor(
    readonly concurrency: number,
    private readonly capacity: number,
    private readonly serve: (message: OutboxMessage) => Promise<void>,
    private readonly onServed: () => void,
    private readonly mostAside: number,
    private readonly onPlace: () => void,
  ) {}

  get isIdle(): boolean {
    return this.held + this.lent.size === this.calledOff.size && this.aside === 0;
  }

  /** Being served, or waiting for a place; without those aside. */
  get held(): number {
    return this.running + this.waiting.length;
  }

  /** Messages that could be served at once. */
  get free(): number {
    return Math.max(0, this.concurrency - this.held);
  }

  /** Messages that could be held here. */
  get room(): number {
    return this.isGivenUp ? 0 : Math.max(0, this.capacity - this.held - this.aside);
  }

  add(message: OutboxMessage): void {
    this.waiting.push(message);
    this.pump();
  }

  /** Whether another message may wait aside; when too many do, it keeps its place. */
  get hasRoomAside(): boolean {
    return this.aside < this.mostAside;
  }

  /**
   * A message that is being served waits for something other than its work: another one has its place meanwhile. It gets it
   * back at once, so for a moment there may be more than there are places, and nothing begins until there are not.
   */
  async whileAside<T>(waiting: Promise<T>): Promise<T> {
    if (!this.hasRoomAside) return waiting;
    this.aside++;
    this.running--;
    this.pump();
    this.onPlace();
    try {
      return await waiting;
    } finally {
      this.aside--;
      this.running++;
    }
  }

  /**
   * Gives the place of a message that is being served to others, though it may never end.
   * @returns false when no more are lent
   */
  lend(id: string): boolean {
    if (this.lent.size >= this.concurrency * LENT_PER_PLACE) return false;
    this.lent.add(id);
    this.running--;
    this.pump();
    this.onPlace();
    return true;
  }

  /** Of a message that is being served: what there was to do for it is done, so that its handler, which may never end, is not waited for. */
  callOff(id: string): void {
    this.calledOff.add(id);
  }

  /** No place is expected to become free: until one does, nothing is held here. @returns those that waited for one */
  giveUpWaiting(): OutboxMessage[] {
    this.isGivenUp = true;
    return this.waiting.splice(0);
  }

  private pump(): void {
    while (this.running < this.concurrency && this.waiting.length) {
      const message = this.waiting.shift()!;
      this.running++;
      void this.serve(message).finally(() => {
        this.calledOff.delete(message.id);
        if (!this.lent.delete(message.id)) {
          this.running--;
          this.isGivenUp = false;
        }
        this.pump();
        this.onServed();
      });
    }
  }
}
