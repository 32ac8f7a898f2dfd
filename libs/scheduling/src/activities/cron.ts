import { type ActivityExecutionContext, Input, Trigger, TriggerBase, type TriggerIndexingContext } from '@waymark/core';
import { CronSchedule } from '../cron/cron-schedule.js';
import { WaitingTimeMissingError } from '../errors/scheduling-errors.js';
import { isSwitchedOff } from '../triggers/cron-time.js';
import { firstCronOccurrence } from '../triggers/first-occurrence.js';

import type { CronBookmarkPayload, CronTriggerPayload } from './payloads.js';
import { SchedulingStimulus } from './stimulus-names.js';
import { timingOf } from './timing-properties.js';

/** Starts the workflow at the times of a cron expression; in the middle of a workflow, waits for the next one. */
@Trigger({
  type: 'Elsa.Cron',
  category: 'Scheduling',
  description:
    'Starts the workflow at the times of a cron expression; in the middle of a workflow, waits for the next one.',
})
export class Cron extends TriggerBase {
  /** A cron expression with five fields, or six beginning with seconds, e.g. 0 30 8 * * MON-FRI. */
  @Input({
    type: 'String',
    description: 'A cron expression with five fields, or six beginning with seconds, e.g. 0 30 8 * * MON-FRI.',
  })
  cronExpression!: string;

  /** IANA time zone in which the expression is read, e.g. Europe/Vilnius. UTC when empty. */
  @Input({
    type: 'String',
    description: 'IANA time zone in which the expression is read, e.g. Europe/Vilnius. UTC when empty.',
    isOmittedUnset: true,
  })
  timeZone: string | null;

  getTriggerPayloads(context: TriggerIndexingContext): CronTriggerPayload[] {
    const { cronExpression } = this;
    return [{ cronExpression, ...this.zone(), ...timingOf(context) }];
  }

  override getTriggerDueAt(payload: CronTriggerPayload, now: number): Date | null {
    return firstCronOccurrence(payload, now);
  }

  /** @throws CronExpressionError (`WM6001`) */
  execute(ctx: ActivityExecutionContext): unknown {
    if (ctx.isTriggerOfWorkflow()) return ctx.complete();
    if (isSwitchedOff(this)) return ctx.complete();
    const { cronExpression } = this;
    const schedule = new CronSchedule(cronExpression, this.zone().timeZone);
    const executeAt = schedule.next(new Date(ctx.workflow.now()));
    if (!executeAt) throw new WaitingTimeMissingError(ctx.node.type, ctx.activityId, 'CronExpression', cronExpression);
    ctx.journalData.ExecuteAt = executeAt;
    const stimulus: CronBookmarkPayload = { executeAt, cronExpression };
    ctx.createBookmark({ name: SchedulingStimulus.Cron, stimulus, dueAt: executeAt });
    return undefined;
  }

  private zone(): { timeZone?: string } {
    const timeZone = this.timeZone?.trim();
    return timeZone ? { timeZone } : {};
  }
}
