import { Injectable } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityExecutionContext, Input } from '@waymark/nestjs';

/** What was closed, in the order in which it was. */
@Injectable()
export class Ledger {
  readonly closed: string[] = [];
}

@Activity({ category: 'Branches', description: 'Closes the day of a branch.' })
export class CloseDay extends ActivityBase {
  @Input() branch!: string;
  @Input() timeZone!: string;

  constructor(private readonly ledger: Ledger) {
    super();
  }

  execute(ctx: ActivityExecutionContext): void {
    // When it was due, which is what counts after an outage, and not when it runs.
    const dueAt = ctx.getInput<Date | undefined>('ScheduledAt');
    if (!dueAt) throw new Error('Days are closed by the schedule: fire it instead of starting the workflow.');
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: this.timeZone, dateStyle: 'short', timeStyle: 'short' });
    this.ledger.closed.push(`${this.branch} ${day.format(dueAt)} = ${dueAt.toISOString()}`);
  }
}
