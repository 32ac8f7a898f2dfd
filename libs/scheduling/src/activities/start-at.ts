import { Inject, Optional } from '@nestjs/common';
import { type ActivityExecutionContext, Input, Trigger, TriggerBase, type TriggerIndexingContext } from '@waymark/core';
import { WaitingTimeMissingError } from '../errors/scheduling-errors.js';
import { type ResolvedSchedulingOptions, SCHEDULING_OPTIONS } from '../module/scheduling-options.js';
import { toDate } from '../triggers/payload-values.js';
import { jitterOf } from '../triggers/trigger-timing.js';
import type { StartAtPayload } from './payloads.js';
import { SchedulingStimulus } from './stimulus-names.js';
import { timingOf } from './timing-properties.js';

/** Starts the workflow once, at the given time; in the middle of a workflow, waits for that time. */
@Trigger({
  type: 'Elsa.StartAt',
  category: 'Scheduling',
  displayName: 'Start at',
  description: 'Starts the workflow once, at the given time; in the middle of a workflow, waits for that time.',
})
export class StartAt extends TriggerBase {
  /** When to continue. In code: a `Date` or ISO 8601 text, such as `2030-01-31T08:00:00Z`. UTC where the time has no offset. */
  @Input({ type: 'DateTimeOffset', description: 'When to continue. UTC where the time has no offset.' })
  dateTime!: Date;

  constructor(
    @Optional()
    @Inject(SCHEDULING_OPTIONS)
    private readonly options?: Pick<ResolvedSchedulingOptions, 'startAtInPast'>,
  ) {
    super();
  }

  getTriggerPayloads(context: TriggerIndexingContext): StartAtPayload[] {
    return [{ executeAt: this.dateTime, ...timingOf(context) }];
  }

  /** Null for a time that was over when the workflow was published, unless the host wants that caught up. */
  override getTriggerDueAt(payload: StartAtPayload, now: number): Date | null {
    const time = toDate(payload.executeAt)?.getTime();
    if (time === undefined) return null;
    // With its jitter: it is not over while that lasts.
    const dueAt = time + jitterOf(payload);
    const isDue = dueAt > now || this.options?.startAtInPast === 'catchup';
    return isDue ? new Date(dueAt) : null;
  }

  execute(ctx: ActivityExecutionContext): unknown {
    if (ctx.isTriggerOfWorkflow()) return ctx.complete();
    const executeAt = toDate(this.dateTime);
    if (!executeAt) throw new WaitingTimeMissingError(ctx.node.type, ctx.activityId, 'DateTime', this.dateTime);
    const now = ctx.workflow.now();
    if (executeAt.getTime() <= now) {
      ctx.journalData['Executed At'] = new Date(now);
      return ctx.complete();
    }
    const stimulus: StartAtPayload = { executeAt };
    ctx.createBookmark({ name: SchedulingStimulus.StartAt, stimulus, dueAt: executeAt });
    return undefined;
  }
}
