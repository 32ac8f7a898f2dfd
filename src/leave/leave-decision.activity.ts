import { Activity, ActivityBase, type ActivityExecutionContext, Input, Output } from '@waymark/core';
import { EVENT_STIMULUS } from '@waymark/runtime';
import { IsIn, IsString } from 'class-validator';

/** Who decides, in this order. */
export type LeaveStep = 'manager' | 'head';

/** What arrives with a decision. */
export interface LeaveDecisionInput {
  readonly approved: boolean;
  readonly by: string;
}

/** What a decision is matched by. */
export interface LeaveDecisionStimulus {
  readonly requestId: string;
  readonly step: LeaveStep;
}

const REMINDER_MS = 24 * 3_600_000;

/** Name of the event that carries a decision over the management API. */
export function decisionEvent({ requestId, step }: LeaveDecisionStimulus): string {
  return `leave-decision:${requestId}:${step}`;
}

/**
 * Waits for somebody to decide on a leave request, and reminds once a day. Three bookmarks, whichever comes first: the
 * application's own call, an event over the management API, and the reminder's due time.
 */
@Activity({
  category: 'HR',
  displayName: 'Leave Decision',
  description: 'Waits until the manager or the department head decides on a leave request.',
  outcomes: ['Approved', 'Rejected'],
})
export class LeaveDecision extends ActivityBase {
  @Input({ description: 'Id of the leave request.' })
  @IsString()
  requestId!: string;

  @Input({ description: 'Who decides: manager or head.' })
  @IsIn(['manager', 'head'])
  step!: LeaveStep;

  @Output({ description: 'Who decided.' })
  decidedBy?: string;

  @Output({ type: 'Int32', description: 'Reminders sent so far.' })
  reminders?: number;

  execute(ctx: ActivityExecutionContext): void {
    const stimulus: LeaveDecisionStimulus = { requestId: this.requestId, step: this.step };
    ctx.createBookmark({ stimulus, callback: this.onDecided });
    ctx.createBookmark({
      name: EVENT_STIMULUS,
      stimulus: { eventName: decisionEvent(stimulus) },
      callback: this.onEvent,
    });
    this.remindLater(ctx);
  }

  onDecided(ctx: ActivityExecutionContext<LeaveDecisionInput>): unknown {
    return this.decide(ctx, ctx.input);
  }

  onEvent(ctx: ActivityExecutionContext): unknown {
    return this.decide(ctx, ctx.getInput<LeaveDecisionInput>('__EventPayloadWorkflowInput'));
  }

  onReminder(ctx: ActivityExecutionContext): void {
    const reminders = Number(ctx.properties.reminders ?? 0) + 1;
    ctx.properties.reminders = reminders;
    this.reminders = reminders;
    ctx.log('Reminded', `Reminder ${reminders}: the ${this.step} has not decided on ${this.requestId} yet.`);
    this.remindLater(ctx);
  }

  private remindLater(ctx: ActivityExecutionContext): void {
    const dueAt = new Date(ctx.workflow.now() + REMINDER_MS);
    ctx.createBookmark({ name: 'LeaveReminder', callback: this.onReminder, includeActivityInstanceId: true, dueAt });
  }

  private decide(ctx: ActivityExecutionContext, decision: LeaveDecisionInput | null): unknown {
    this.decidedBy = decision?.by ?? 'unknown';
    return ctx.completeWithOutcomes(decision?.approved === true ? 'Approved' : 'Rejected');
  }
}
