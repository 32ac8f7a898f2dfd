import type { StoreOutages } from '../outages/store-outages.js';

/** Work of this node that others may do as well: step by step, until there is none, and again when it is woken. */
export class WorkLoop {
  private working: Promise<void> | undefined;
  private isAskedAgain = false;
  private stopped = false;

  /**
   * @param step does one thing. @returns whether there may be more; repeated while the store is out
   * @param onFault what a step failed at otherwise; the next waking tries again
   */
  constructor(
    private readonly outages: StoreOutages,
    private readonly step: () => Promise<boolean>,
    private readonly onFault: (error: unknown) => void,
  ) {}

  /** Looks for work without waiting for it. */
  wake(): void {
    if (this.stopped || this.outages.isOut) return;
    this.isAskedAgain = this.working !== undefined;
    this.working ??= this.workThrough()
      .catch((error: unknown) => {
        if (!this.outages.report(error)) this.onFault(error);
      })
      .finally(() => {
        this.working = undefined;
        if (this.isAskedAgain) this.wake();
      });
  }

  /** Resolves when nothing is being done. */
  async settled(): Promise<void> {
    while (this.working) await this.working;
  }

  /** Resolves when the step at hand is done. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.working;
  }

  private async workThrough(): Promise<void> {
    let found = true;
    while (found && !this.stopped) found = await this.outages.through(() => this.step());
  }
}
