import { Injectable, Optional } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { type CancelTimer, WorkflowClock } from '@waymark/runtime';

/**
 * The one timer of a node: it wakes for the earliest due time and decides nothing. While armed it is listed among the
 * timeouts of Nest's `SchedulerRegistry`, if the application has that module; deleting it there does not stop it.
 */
@Injectable()
export class WakeUpTimer {
  static readonly NAME = 'waymark: next due work';
  private cancelTimer: CancelTimer | undefined;
  private armedFor = Infinity;

  constructor(
    private readonly clock: WorkflowClock,
    @Optional() private readonly registry?: SchedulerRegistry,
  ) {}

  /** Infinity when it is not armed. */
  get time(): number {
    return this.armedFor;
  }

  /**
   * @param callback may return a promise, for clocks of tests that wait for what a timer started
   * @param isPoll nothing that this node knows of is due then
   */
  arm(time: number, callback: () => unknown, isPoll = false): void {
    this.cancel();
    this.armedFor = time;
    const fire = (): unknown => {
      this.forget();
      return callback();
    };
    this.cancelTimer = this.clock.setTimer(fire, Math.max(0, time - this.clock.now()), { isPoll });
    if (!this.registry || this.registry.doesExist('timeout', WakeUpTimer.NAME)) return;
    this.registry.addTimeout(WakeUpTimer.NAME, { dueAt: new Date(time) });
  }

  cancel(): void {
    this.cancelTimer?.();
    this.forget();
  }

  private forget(): void {
    this.cancelTimer = undefined;
    this.armedFor = Infinity;
    // Nest empties the registry when the application shuts down.
    if (this.registry?.doesExist('timeout', WakeUpTimer.NAME)) this.registry.deleteTimeout(WakeUpTimer.NAME);
  }
}
