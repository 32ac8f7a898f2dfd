import type { AlterationFilter } from './alteration-selection.js';
import type { Alteration, AlterationLogEntry } from '../alterations/alteration.js';
import type { OutboxMessage } from './records.js';

/** Alterations of many instances. Pending → Running → Completed | Failed. */
export interface AlterationPlan {
  readonly id: string;
  readonly alterations: readonly Alteration[];
  /** The alterations as they were given, to show them. */
  readonly submitted: readonly object[];
  readonly workflowInstanceFilter: AlterationFilter;
  readonly status: 'Pending' | 'Running' | 'Completed' | 'Failed';
  readonly createdAt: Date;
  readonly startedAt?: Date | undefined;
  readonly completedAt?: Date | undefined;
}

/** One instance of a plan. Pending → Running → Completed | Failed. */
export interface AlterationJob {
  readonly id: string;
  readonly planId: string;
  readonly workflowInstanceId: string;
  readonly status: 'Pending' | 'Running' | 'Completed' | 'Failed';
  readonly log?: readonly AlterationLogEntry[] | undefined;
  readonly createdAt: Date;
  readonly startedAt?: Date | undefined;
  readonly completedAt?: Date | undefined;
}

export interface SubmittedPlan {
  readonly plan: AlterationPlan;
  /** In the order in which they were made. */
  readonly jobs: readonly AlterationJob[];
}

export interface AlterationJobResult {
  readonly status: 'Completed' | 'Failed';
  readonly log: readonly AlterationLogEntry[];
}

/** Plans of alterations, and their jobs. Each step goes with the message that leads to the next one (W8). */
export interface AlterationStore {
  /** Stores a plan with the message that carries it out. False, with nothing written, when the id is in use. */
  submit(plan: AlterationPlan, message: OutboxMessage): Promise<boolean>;
  /**
   * Consumes the message of a plan: stores its jobs with theirs, and the plan is running; completed when it has none.
   * @throws MessageConsumedError when that was done already
   */
  start(
    planId: string,
    jobs: readonly AlterationJob[],
    messages: readonly OutboxMessage[],
    consumedMessageId: string,
    now: Date,
  ): Promise<void>;
  /** A plan that could not be started. Nothing happens when it was. */
  fail(planId: string, now: Date): Promise<void>;
  find(planId: string): Promise<SubmittedPlan | undefined>;
  findPlan(planId: string): Promise<AlterationPlan | undefined>;
  findJob(jobId: string): Promise<AlterationJob | undefined>;
  /** Nothing happens to a job that has ended. */
  startJob(jobId: string, now: Date): Promise<void>;
  /** Ends a job once, and with the last one its plan. False when it had ended already. */
  finishJob(jobId: string, result: AlterationJobResult, now: Date): Promise<boolean>;
  /**
   * Removes the jobs of plans that ended before that time, and plans that have none left. Returns how many rows, `limit` at
   * most: a plan may have had a hundred thousand jobs. Nodes that do so at the same time take different plans.
   */
  purge(before: Date, limit: number): Promise<number>;
}
