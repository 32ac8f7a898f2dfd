import {
  Activity,
  ActivityBase,
  type ActivityExecutionContext,
  Input,
  Output,
  type TimeSpanInput,
} from '@waymark/core';
import { toMilliseconds, valueNow } from '@waymark/core/adapter';
import {
  USER_TASK,
  USER_TASK_MESSAGE,
  type UserTaskMessage,
  type UserTaskStimulus,
} from '../bursts/user-task-changes.js';
import type { CompletedUserTask, UserTaskEventKind } from '../persistence/user-task.js';
import { InvalidUserTaskError } from '../persistence/user-task-errors.js';
import { requireForm, sensitiveValues, withoutSensitive } from './user-task-form.js';

/** Transient token of the burst that completes a task: the proof that `IUserTaskService` has checked it. */
export const USER_TASK_COMPLETION = Symbol.for('@waymark/runtime:user-task-completion');

const DEFAULT_PRIORITY = 50;
const MAX_PRIORITY = 100;
const MAX_OUTCOMES = 50;
const MAX_CANDIDATES = 200;
const MAX_REMINDERS = 1000;
/** As databases hold times. */
const LATEST_TIME = 253_402_300_799_000;

type TimerMethod = (ctx: ActivityExecutionContext) => void;

/** Asks people to do or decide something, and waits until one of them has. */
@Activity({
  type: USER_TASK,
  category: 'Tasks',
  displayName: 'User Task',
  description: 'Asks a person, or the members of a group, to do or decide something, and waits until it is done.',
})
export class UserTask extends ActivityBase {
  /** The kind of task, by which applications choose a page. */
  @Input({ type: 'String', description: 'The kind of task, by which applications choose a page.' })
  taskName!: string;

  /** Title in lists. Default: the task name. */
  @Input({ type: 'String', description: 'Title in lists. Default: the task name.' })
  title?: string | null;

  /** Instructions for the person who works on it. */
  @Input({ type: 'String', uiHint: 'multiline', description: 'Instructions for the person who works on it.' })
  instructions?: string | null;

  /** Users who may take the task. */
  @Input({ type: 'List<String>', uiHint: 'multitext', description: 'Users who may take the task.' })
  candidateUsers?: string[] | null;

  /** Groups whose members may take the task. */
  @Input({ type: 'List<String>', uiHint: 'multitext', description: 'Groups whose members may take the task.' })
  candidateGroups?: string[] | null;

  /** The user to whom it is assigned at once. Without one, a candidate claims it. */
  @Input({
    type: 'String',
    description: 'The user to whom it is assigned at once. Without one, a candidate claims it.',
  })
  assignee?: string | null;

  /** Possible outcomes of the task. Default: Done. */
  @Input({
    type: 'List<String>',
    uiHint: 'dynamic-outcomes',
    description: 'Possible outcomes of the task. Default: Done.',
  })
  possibleOutcomes?: string[] | null;

  /** JSON Schema of the form. */
  @Input({ type: 'ObjectDictionary', description: 'JSON Schema of the form.' })
  form?: Record<string, unknown> | null;

  /** Data to show with the task. */
  @Input({ type: 'ObjectDictionary', description: 'Data to show with the task.' })
  data?: Record<string, unknown> | null;

  /** From 0 to 100; higher ones come first. */
  @Input({ type: 'Int32', defaultValue: DEFAULT_PRIORITY, description: 'From 0 to 100; higher ones come first.' })
  priority?: number | null;

  /** Time from its creation until the task is due. */
  @Input({ type: 'TimeSpan', isNonNegative: true, description: 'Time from its creation until the task is due.' })
  dueIn?: TimeSpanInput | null;

  /** How often a reminder is sent while the task is open. */
  @Input({ type: 'TimeSpan', isNonNegative: true, description: 'How often a reminder is sent while the task is open.' })
  remindEvery?: TimeSpanInput | null;

  /** Maximum number of reminders. */
  @Input({ type: 'Int32', defaultValue: 10, description: 'Maximum number of reminders.' })
  maxReminders?: number | null;

  /** Time from its creation until the task is escalated. Default: when it is due. */
  @Input({
    type: 'TimeSpan',
    isNonNegative: true,
    description: 'Time from its creation until the task is escalated. Default: when it is due.',
  })
  escalateAfter?: TimeSpanInput | null;

  /** Users who may take it when it is escalated. */
  @Input({ type: 'List<String>', uiHint: 'multitext', description: 'Users who may take it when it is escalated.' })
  escalateToUsers?: string[] | null;

  /** Groups whose members may take it when it is escalated. */
  @Input({ type: 'List<String>', uiHint: 'multitext', description: 'Groups who may take it when it is escalated.' })
  escalateToGroups?: string[] | null;

  /** Priority of the escalated task, if it is higher. */
  @Input({ type: 'Int32', description: 'Priority of the escalated task, if it is higher.' })
  escalatedPriority?: number | null;

  /** The outcome of the task. */
  @Output({ type: 'String', description: 'The outcome of the task.' })
  outcome?: string;

  /** The user who completed it. */
  @Output({ type: 'String', description: 'The user who completed it.' })
  completedBy?: string;

  /** The values of the form. */
  @Output({ type: 'Object', description: 'The values of the form.' })
  result?: unknown;

  execute(ctx: ActivityExecutionContext): void {
    const task = this.task(ctx);
    const { id } = ctx.createBookmark({
      name: USER_TASK,
      stimulus: task,
      hashInput: { activityInstanceId: ctx.id },
      callback: this.onCompleted,
      // What is no completion leaves it where it is.
      autoBurn: false,
    });
    ctx.properties.taskId = id;
    this.remindLater(ctx);
    const dueMs = task.dueAt?.getTime();
    if (dueMs !== undefined) this.wakeAt(ctx, 'Due', dueMs, this.onDue);
    const escalatesAt =
      this.after(ctx, 'EscalateAfter', this.escalateAfter) ?? (this.hasEscalation ? dueMs : undefined);
    if (escalatesAt !== undefined) this.wakeAt(ctx, 'Escalation', escalatesAt, this.onEscalation);
  }

  /** Called by the engine when the result has been reported. */
  onCompleted(ctx: ActivityExecutionContext): unknown {
    const completed = ctx.workflow.transient.get(USER_TASK_COMPLETION) as CompletedUserTask | undefined;
    if (!completed || completed.id !== ctx.properties.taskId) {
      ctx.log('Refused', 'Tasks are completed by IUserTaskService or the API: the task keeps waiting.');
      return undefined;
    }
    const { outcome, by, values } = completed;
    this.outcome = outcome;
    this.completedBy = by;
    this.result = values;
    const form = this.form ?? undefined;
    const sensitive = sensitiveValues(form, values);
    if (sensitive.length > 0) {
      ctx.workflow.secrets.note(sensitive);
      // Short ones could not be found among other texts.
      ctx.hide('Result');
    }
    const shown: unknown = ctx.workflow.secrets.shown(withoutSensitive(form, values));
    this.tell(ctx, 'Completed', { completed: { ...completed, values: shown } });
    return ctx.completeWithOutcomes(outcome);
  }

  /** Called by the engine when the reminder is due. */
  onReminder(ctx: ActivityExecutionContext): void {
    ctx.properties.reminders = Number(ctx.properties.reminders ?? 0) + 1;
    this.tell(ctx, 'Reminded');
    this.remindLater(ctx);
  }

  /** Called by the engine when the task is due. */
  onDue(ctx: ActivityExecutionContext): void {
    this.tell(ctx, 'Due');
  }

  /** Called by the engine when the task is escalated. */
  onEscalation(ctx: ActivityExecutionContext): void {
    const priority = this.priorityOfEscalation();
    this.tell(ctx, 'Escalated', {
      candidateUsers: names('EscalateToUsers', this.escalateToUsers),
      candidateGroups: names('EscalateToGroups', this.escalateToGroups),
      ...(priority === undefined ? {} : { priority }),
    });
  }

  private priorityOfEscalation(): number | undefined {
    return this.escalatedPriority == null ? undefined : priorityOf('EscalatedPriority', this.escalatedPriority);
  }

  private get hasEscalation(): boolean {
    return Boolean(this.escalateToUsers?.length ?? 0) || Boolean(this.escalateToGroups?.length ?? 0);
  }

  /**
   * Mistakes in the definition are found when the task is made, not when a person completes it.
   * @throws InvalidUserTaskError (`WM2077`)
   */
  private task(ctx: ActivityExecutionContext): UserTaskStimulus {
    const taskName = text('TaskName', this.taskName);
    if (!taskName) throw new InvalidUserTaskError('The input TaskName is empty: say what kind of task it is.');
    const outcomes = names('PossibleOutcomes', this.possibleOutcomes, MAX_OUTCOMES);
    const form = this.form ?? undefined;
    if (form) requireForm(form);
    names('EscalateToUsers', this.escalateToUsers);
    names('EscalateToGroups', this.escalateToGroups);
    this.priorityOfEscalation();
    const dueMs = this.after(ctx, 'DueIn', this.dueIn);
    // Secrets that an expression has put in stay in the burst.
    const { secrets } = ctx.workflow;
    return {
      name: taskName,
      title: secrets.shown(this.title?.trim() || taskName),
      instructions: secrets.shown(this.instructions ?? undefined),
      priority: priorityOf('Priority', this.priority ?? DEFAULT_PRIORITY),
      candidateUsers: names('CandidateUsers', this.candidateUsers),
      candidateGroups: names('CandidateGroups', this.candidateGroups),
      assignee: text('Assignee', this.assignee),
      outcomes: outcomes.length > 0 ? outcomes : ['Done'],
      form,
      data: valueNow(secrets.shown(this.data ?? undefined)),
      dueAt: dueMs === undefined ? undefined : new Date(dueMs),
    };
  }

  private remindLater(ctx: ActivityExecutionContext): void {
    const at = this.after(ctx, 'RemindEvery', this.remindEvery);
    const most = Math.min(this.maxReminders ?? 10, MAX_REMINDERS);
    if (at === undefined || Number(ctx.properties.reminders ?? 0) >= most) return;
    this.wakeAt(ctx, 'Reminder', at, this.onReminder);
  }

  private wakeAt(ctx: ActivityExecutionContext, what: string, at: number, callback: TimerMethod): void {
    ctx.createBookmark({
      name: `${USER_TASK}.${what}`,
      callback,
      includeActivityInstanceId: true,
      dueAt: new Date(at),
    });
  }

  private after(
    ctx: ActivityExecutionContext,
    input: string,
    span: TimeSpanInput | null | undefined,
  ): number | undefined {
    if (span === null || span === undefined || span === '') return undefined;
    const ms = toMilliseconds(span);
    if (ms === undefined || ms <= 0)
      throw new InvalidUserTaskError(`The input ${input} must be a time span above zero, such as "2.00:00:00".`);
    return Math.min(ctx.workflow.now() + Math.ceil(ms), LATEST_TIME);
  }

  private tell(ctx: ActivityExecutionContext, kind: UserTaskEventKind, more: Partial<UserTaskMessage> = {}): void {
    const payload: UserTaskMessage = {
      kind,
      taskId: String(ctx.properties.taskId),
      workflowInstanceId: ctx.workflow.id,
      at: new Date(ctx.workflow.now()),
      ...more,
    };
    ctx.workflow.send({ kind: USER_TASK_MESSAGE, payload });
  }
}

/** As columns hold them, with a letter before. */
const MAX_NAME = 250;

function text(input: string, value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  const trimmed = typeof value === 'string' ? value.trim() : undefined;
  if (trimmed === undefined || trimmed.length > MAX_NAME)
    throw new InvalidUserTaskError(`The input ${input} must be a string of up to ${MAX_NAME} characters.`);
  return trimmed || undefined;
}

function names(input: string, values: readonly unknown[] | null | undefined, most = MAX_CANDIDATES): string[] {
  const found = [...new Set((values ?? []).flatMap((value) => text(input, value) ?? []))];
  if (found.length > most) throw new InvalidUserTaskError(`The input ${input} has more than ${most} entries.`);
  return found;
}

function priorityOf(input: string, value: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= MAX_PRIORITY) return value;
  throw new InvalidUserTaskError(`The input ${input} must be a whole number from 0 to ${MAX_PRIORITY}.`);
}
