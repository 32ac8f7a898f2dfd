import { Inject, Optional } from '@nestjs/common';
import { type ActivityExecutionContext, Input, Trigger, TriggerBase } from '@waymark/core';
import { WaitingTimeMissingError } from '../errors/scheduling-errors.js';
import { type ResolvedSchedulingOptions, SCHEDULING_OPTIONS } from '../module/scheduling-options.js';
import { toDate } from '../triggers/payload-values.js';
import type { StartAtPayload } from './payloads.js';
import { SchedulingStimulus } from './stimulus-names.js';

/** Starts the workflow once, at the given time; in mid-flow it waits for that time. */
@Trigger({
  type: 'Elsa.StartAt',
  category: 'Scheduling',
  displayName: 'Start at',
  description: 'Starts the workflow once, at the given time; in mid-flow it waits for that time.',
})
export class StartAt extends TriggerBase {
  /** When to go on. Without an offset it is UTC. */
  @Input({ type: 'DateTimeOffset', description: 'When to go on. Without an offset it is UTC.' })
  dateTime!: Date;

  constructor(
    @Optional()
    @Inject(SCHEDULING_OPTIONS)
    private readonly options?: Pick<ResolvedSchedulingOptions, 'startAtInPast'>,
  ) {
    super();
  }

  getTriggerPayloads(): StartAtPayload[] {
    return [{ executeAt: this.dateTime }];
  }

  /** Null for a time that was over when the workflow was published, unless the host wants that caught up. */
  override getTriggerDueAt({ executeAt }: StartAtPayload, now: number): Date | null {
    const dueAt = toDate(executeAt);
    if (!dueAt) return null;
    return dueAt.getTime() > now || this.options?.startAtInPast === 'catchup' ? dueAt : null;
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
