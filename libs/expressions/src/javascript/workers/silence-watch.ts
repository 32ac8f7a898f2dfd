/**
 * Calls back when nothing was heard for a time while something should have been. Real time, never the clock port: it
 * measures what the machine does.
 */
export class SilenceWatch {
  private timer: NodeJS.Timeout | undefined;
  private isOn = false;
  private messages = 0;

  constructor(
    private readonly limitMs: number,
    private readonly onSilence: () => void,
  ) {}

  start(): void {
    this.isOn = true;
    this.heard();
    // oxlint-disable-next-line no-restricted-globals -- see above
    if (!this.timer) this.timer = setTimeout(() => this.look(), this.limitMs).unref();
    else this.timer.refresh();
  }

  heard(): void {
    this.messages++;
    this.timer?.refresh();
  }

  stop(): void {
    this.isOn = false;
  }

  /** When this process was held up, timers come before the messages that have arrived meanwhile; so those go first. */
  private look(): void {
    if (!this.isOn) return;
    const { messages } = this;
    // oxlint-disable-next-line no-restricted-globals -- no time passes: it is about what comes first
    setImmediate(() => {
      if (!this.isOn) return;
      if (messages === this.messages) this.onSilence();
      else this.timer?.refresh();
    });
  }
}
