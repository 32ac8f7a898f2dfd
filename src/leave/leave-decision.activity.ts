import { Activity, ActivityBase, type ActivityExecutionContext, Input, Output } from '@waymark/core';
import { EVENT_STIMULUS } from '@waymark/runtime';
import { type LeaveDecisionInput, LeaveInputError, type LeaveStep, readDecision } from './leave-input.js';

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
  requestId!: string;

  @Input({ description: 'Who decides: manager or head.' })
  step!: LeaveStep;

  @Output({ description: 'Who decided.' })
  decidedBy?: string;

  @Output({ type: 'Int32', description: 'Reminders sent so far.' })
  reminders?: number;

  execute(ctx: ActivityExecutionContext): void {
    ctx.createBookmark({ stimulus: this.stimulus, callback: this.onDecided });
    this.waitForEvent(ctx);
    this.remindLater(ctx);
  }

  onDecided(ctx: ActivityExecutionContext<LeaveDecisionInput>): unknown {
    return this.decide(ctx, ctx.input);
  }

  /** Events carry whatever their sender put in: what is no decision is noted, and the next event may be one. */
  onEvent(ctx: ActivityExecutionContext): unknown {
    try {
      return this.decide(ctx, readDecision(ctx.getInput('__EventPayloadWorkflowInput')));
    } catch (error) {
      if (!(error instanceof LeaveInputError)) throw error;
      ctx.log('Refused', error.message);
      this.waitForEvent(ctx);
      return undefined;
    }
  }

  onReminder(ctx: ActivityExecutionContext): void {
    const reminders = Number(ctx.properties.reminders ?? 0) + 1;
    ctx.properties.reminders = reminders;
    this.reminders = reminders;
    ctx.log('Reminded', `Reminder ${reminders}: the ${this.step} has not decided on ${this.requestId} yet.`);
    this.remindLater(ctx);
  }

  private get stimulus(): LeaveDecisionStimulus {
    return { requestId: this.requestId, step: this.step };
  }

  private waitForEvent(ctx: ActivityExecutionContext): void {
    const eventName = decisionEvent(this.stimulus);
    ctx.createBookmark({ name: EVENT_STIMULUS, stimulus: { eventName }, callback: this.onEvent });
  }

  private remindLater(ctx: ActivityExecutionContext): void {
    const dueAt = new Date(ctx.workflow.now() + REMINDER_MS);
    ctx.createBookmark({ name: 'LeaveReminder', callback: this.onReminder, includeActivityInstanceId: true, dueAt });
  }

  private decide(ctx: ActivityExecutionContext, { approved, by }: LeaveDecisionInput): unknown {
    this.decidedBy = by;
    return ctx.completeWithOutcomes(approved ? 'Approved' : 'Rejected');
  }
}
