import type { WorkflowClock } from '@waymark/runtime';
import type { HubWire } from './hub-wire.js';

export interface PollAnswer {
  readonly status: 200 | 204;
  readonly text: string;
}

const NOTHING: PollAnswer = { status: 200, text: '' };
const NO_MORE: PollAnswer = { status: 204, text: '' };

/** A client that does not poll is gone after that time. */
const ABSENCE_MS = 30_000;

/** What is sent waits for the client to ask for it. */
export class LongPollingWire implements HubWire {
  private text = '';
  private answer: ((answer: PollAnswer) => void) | undefined;
  private polledAt: number;
  private isGreeted = false;
  private isEnded = false;

  /** @param gone is called when there is nothing left to fetch */
  constructor(
    private readonly bufferBytes: number,
    private readonly clock: WorkflowClock,
    private readonly gone: () => void,
  ) {
    this.polledAt = clock.now();
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

  /** The next of what there is. A client that asks again gets its answer there: what it asked before ends. @param leaving calls back when the client breaks off */
  poll(leaving: (left: () => void) => void): Promise<PollAnswer> {
    this.answer?.(NO_MORE);
    this.polledAt = this.clock.now();
    if (!this.isGreeted) {
      // The first one only finds out that there is a connection.
      this.isGreeted = true;
      return Promise.resolve(NOTHING);
    }
    return new Promise((resolve) => {
      const answer = (given: PollAnswer) => {
        if (this.answer === answer) this.answer = undefined;
        this.polledAt = this.clock.now();
        resolve(given);
      };
      this.answer = answer;
      leaving(() => answer(NOTHING));
      this.wake();
    });
  }

  /** With all that is sent in this turn. */
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
