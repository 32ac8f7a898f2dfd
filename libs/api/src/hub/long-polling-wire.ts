import type { WorkflowClock } from '@waymark/runtime';
import type { HubWire } from './hub-wire.js';

export interface PollAnswer {
  readonly status: 200 | 204;
  readonly text: string;
}

const NOTHING: PollAnswer = { status: 200, text: '' };
const NO_MORE: PollAnswer = { status: 204, text: '' };

/** The connection ends when the client has not polled for that time. */
const ABSENCE_MS = 30_000;

/** Buffers what is sent until the client polls for it. */
export class LongPollingWire implements HubWire {
  private text = '';
  private answer: ((answer: PollAnswer) => void) | undefined;
  private polledAt: number;
  private isGreeted = false;
  private isEnded = false;

  /** @param gone called when the connection has ended and nothing is left to fetch */
  constructor(
    private readonly bufferBytes: number,
    private readonly clock: WorkflowClock,
    private readonly gone: () => void,
  ) {
    this.polledAt = clock.monotonic();
  }

  get waiting(): number {
    return Buffer.byteLength(this.text);
  }

  send(text: string): void {
    if (this.isEnded) return;
    if (this.waiting + Buffer.byteLength(text) > this.bufferBytes) return this.cut();
    this.text += text;
    this.wake();
  }

  end(text: string): void {
    this.text += text;
    this.isEnded = true;
    this.wake();
  }

  cut(): void {
    this.text = '';
    this.isEnded = true;
    this.answer?.(NO_MORE);
    this.gone();
  }

  beat(now: number): void {
    if (!this.answer && now - this.polledAt >= ABSENCE_MS) this.cut();
  }

  /**
   * Resolves with what is buffered, or as soon as something is sent. A second poll ends the one before it.
   * @param onLeave registers what to call when the client disconnects
   */
  poll(onLeave: (left: () => void) => void): Promise<PollAnswer> {
    this.answer?.(NO_MORE);
    this.polledAt = this.clock.monotonic();
    if (!this.isGreeted) {
      // The protocol answers the first poll at once: it only opens the connection.
      this.isGreeted = true;
      return Promise.resolve(NOTHING);
    }
    return new Promise((resolve) => {
      const answer = (given: PollAnswer) => {
        if (this.answer === answer) this.answer = undefined;
        this.polledAt = this.clock.monotonic();
        resolve(given);
      };
      this.answer = answer;
      onLeave(() => answer(NOTHING));
      this.wake();
    });
  }

  /** In a microtask, so that everything that is sent in this turn goes out with one answer. */
  private wake(): void {
    if (this.text === '' && !this.isEnded) return;
    queueMicrotask(() => {
      const { answer, text } = this;
      if (!answer) return;
      if (text === '') {
        if (!this.isEnded) return;
        answer(NO_MORE);
        this.gone();
        return;
      }
      this.text = '';
      answer({ status: 200, text });
    });
  }
}
