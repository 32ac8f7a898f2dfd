import type { OutboxMessage } from '../persistence/records.js';

/** Serves messages in the order in which they came, a limited number at a time. */
export class DeliveryPool {
  private readonly waiting: OutboxMessage[] = [];
  private running = 0;
  private aside = 0;

  /**
   * @param concurrency served at the same time
   * @param capacity held here at the same time, those being served included: what is beyond stays a row, for any node
   * @param mostAside wait aside at the same time
   * @param onPlace a place is free for another message
   */
  constructor(
    private readonly concurrency: number,
    private readonly capacity: number,
    private readonly serve: (message: OutboxMessage) => Promise<void>,
    private readonly onServed: () => void,
    private readonly mostAside: number,
    private readonly onPlace: () => void,
  ) {}

  get isIdle(): boolean {
    return this.held === 0 && this.aside === 0;
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
    return Math.max(0, this.capacity - this.held - this.aside);
  }

  add(message: OutboxMessage): void {
    this.waiting.push(message);
    this.pump();
  }

  /**
   * A message that is being served waits for something other than its work: another one has its place meanwhile. It gets it
   * back at once, so for a moment there may be more than there are places, and nothing begins until there are not. When too
   * many wait aside, it keeps its place.
   */
  async whileAside<T>(waiting: Promise<T>): Promise<T> {
    if (this.aside >= this.mostAside) return waiting;
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

  private pump(): void {
    while (this.running < this.concurrency && this.waiting.length) {
      const message = this.waiting.shift()!;
      this.running++;
      void this.serve(message).finally(() => {
        this.running--;
        this.pump();
        this.onServed();
      });
    }
  }
}
