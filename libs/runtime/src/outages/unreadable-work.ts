import { Injectable } from '@nestjs/common';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

/** Between two lines in the log. */
const LOGGED_EVERY_MS = 60_000;
/** How long the alarm stands after the last time. */
const ALARM_MS = 300_000;

/**
 * Counts the work that this node left to others because a newer version of Waymark wrote it, or because this node lacks the key. This
 * is expected while nodes are being updated, or given keys; afterwards, operators have to know that no node serves it.
 */
@Injectable()
export class UnreadableWork {
  private readonly logger = new WorkflowLogger('Workflow');
  private loggedAt: number | undefined;
  private lastAt: number | undefined;
  /** How often this has happened since the start. */
  count = 0;

  constructor(private readonly clock: WorkflowClock) {}

  /** Notes that something stored could not be read. */
  note(reason: string): void {
    const now = this.clock.monotonic();
    this.count++;
    this.lastAt = now;
    if (this.loggedAt !== undefined && now - this.loggedAt < LOGGED_EVERY_MS) return;
    this.loggedAt = now;
    this.logger.error(`Left to other nodes (${this.count} times so far): ${reason}`);
  }

  /** True for five minutes after the last time: for health checks. */
  get isAlarming(): boolean {
    return this.lastAt !== undefined && this.clock.monotonic() - this.lastAt < ALARM_MS;
  }
}
