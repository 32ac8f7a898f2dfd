import type { OutboxMessage } from '../persistence/records.js';

/** Serves messages in the order in which they came, a limited number at a time. */
export class DeliveryLane {
  private readonly waiting: OutboxMessage[] = [];
  private running = 0;

  /**
   * @param concurrency served at the same time
   * @param capacity held here at the same time, those being served included: what is beyond stays a row, for any node
   */
  constructor(
    private readonly concurrency: number,
    private readonly capacity: number,
    private readonly serve: (message: OutboxMessage) => Promise<void>,
    private readonly onServed: () => void,
  ) {}

  get isIdle(): boolean {
    return this.running === 0 && this.waiting.length === 0;
  }

  /** Being served, or waiting for a place. */
  get held(): number {
    return this.running + this.waiting.length;
  }

  /** Messages that could be served at once. */
  get free(): number {
    return Math.max(0, this.concurrency - this.held);
  }

  /** Messages that could be held here. */
  get room(): number {
    return Math.max(0, this.capacity - this.held);
  }

  add(message: OutboxMessage): void {
    this.waiting.push(message);
    this.pump();
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
