import type { AlterationFilter } from './alteration-selection.js';
import type { Alteration, AlterationLogEntry } from './alteration.js';
import type { OutboxMessage } from './records.js';

/** Alterations of many instances. Pending → Running → Completed | Failed. */
export interface AlterationPlan {
  /** Id of the plan. */
  readonly id: string;
  /** What is done to each instance. */
  readonly alterations: readonly Alteration[];
  /** The alterations as they were given, to show them. */
  readonly submitted: readonly object[];
  /** Who asked for it. */
  readonly submittedBy?: string | undefined;
  /** Which instances it selects. */
  readonly workflowInstanceFilter: AlterationFilter;
  /** How far it is. */
  readonly status: 'Pending' | 'Running' | 'Completed' | 'Failed';
  /** When it was submitted. */
  readonly createdAt: Date;
  /** When its first jobs were made. */
  readonly startedAt?: Date | undefined;
  /** When the last job had ended. */
  readonly completedAt?: Date | undefined;
  /** If true, it was cancelled: jobs that have not begun fail. Its status is `Failed`. @default false */
  readonly isCancelled?: boolean | undefined;
  /** Set by the store where a part of the row cannot be read: that part is empty. Nothing is selected for it. */
  readonly unreadable?: Error | undefined;
}

/** One instance of a plan. Pending → Running → Completed | Failed. */
export interface AlterationJob {
  /** Id of the job. */
  readonly id: string;
  /** Id of its plan. */
  readonly planId: string;
  /** Id of the instance. */
  readonly workflowInstanceId: string;
  /** `Failed`: the log says why. */
  readonly status: 'Pending' | 'Running' | 'Completed' | 'Failed';
  /** Log of the job. */
  readonly log?: readonly AlterationLogEntry[] | undefined;
  /** When it was made. */
  readonly createdAt: Date;
  /** When a node began it. */
  readonly startedAt?: Date | undefined;
  /** When it ended. */
  readonly completedAt?: Date | undefined;
  /** Set by the store where the log cannot be read. */
  readonly unreadable?: Error | undefined;
}

/** A plan for which not all instances have been found, and how far it is. */
export interface OpenAlterationPlan {
  /** The plan. */
  readonly plan: AlterationPlan;
  /** As the last cut has left it. Undefined: nothing has been cut. */
  readonly cursor: string | undefined;
}

/** The next instances of a plan. */
export interface AlterationCut {
  /** One for each instance that was found. */
  readonly jobs: readonly AlterationJob[];
  /** Those that carry out the jobs. */
  readonly messages: readonly OutboxMessage[];
  /** Where the next cut begins. Undefined: this one was the last. */
  readonly next: string | undefined;
}

/** One part of the jobs of a plan. */
export interface AlterationJobPage {
  /** The jobs, in the order of their creation. */
  readonly jobs: readonly AlterationJob[];
  /** Where the next page begins; undefined if there is none. */
  readonly next: string | undefined;
}

/** A plan with all of its jobs. */
export interface SubmittedPlan {
  /** The plan itself. */
  readonly plan: AlterationPlan;
  /** The jobs, in the order of their creation. */
  readonly jobs: readonly AlterationJob[];
}

/** Result of a job. */
export interface AlterationJobResult {
  /** How it ended. */
  readonly status: 'Completed' | 'Failed';
  /** Log of the job. */
  readonly log: readonly AlterationLogEntry[];
}

/**
 * Plans of alterations, and their jobs. Nodes cut jobs off a plan, one part after the other, each with the messages that lead
 * to the next step (W8): none of them ever holds all instances.
 */
export interface AlterationStore {
  /** Stores a plan, to be found by `findOpen`. False, with nothing written, when the id is in use. */
  submit(plan: AlterationPlan): Promise<boolean>;
  /**
   * Consumes the message with which a node of the version before has submitted a plan: from now on `findOpen` finds it.
   * @throws MessageConsumedError
   */
  adopt(planId: string, consumedMessageId: string): Promise<void>;
  /**
   * Plans for which not all instances have been found, the oldest first.
   * @param exceptIds plans that the caller leaves alone. @default none
   */
  findOpen(limit: number, exceptIds?: readonly string[]): Promise<OpenAlterationPlan[]>;
  /**
   * Stores the next jobs of a plan with their messages, and the plan is running; with the last cut it is completed when no job
   * is left. False, with nothing written, when another node was faster, or the plan has ended.
   */
  cut(open: OpenAlterationPlan, cut: AlterationCut, now: Date): Promise<boolean>;
  /**
   * Marks a plan as failed whose instances cannot be found. Nothing happens if all of them were found, or it has ended. Its jobs continue.
   */
  fail(planId: string, now: Date): Promise<void>;
  /**
   * Ends a plan before all of its jobs have ended: no more are made, it is failed and `isCancelled`, whatever becomes of its jobs.
   * False when it had ended, or there is none.
   */
  cancel(planId: string, now: Date): Promise<boolean>;
  /** The plan with all of its jobs; undefined: there is none of that id. */
  find(planId: string): Promise<SubmittedPlan | undefined>;
  /** The jobs, in the order of their creation. @param after `next` of the page before. @default from the first one */
  findJobs(planId: string, limit: number, after?: string): Promise<AlterationJobPage>;
  /** The plan without its jobs; undefined: there is none of that id. */
  findPlan(planId: string): Promise<AlterationPlan | undefined>;
  /** The job; undefined: there is none of that id. */
  findJob(jobId: string): Promise<AlterationJob | undefined>;
  /** Marks a job as running. Nothing happens to one that has ended. */
  startJob(jobId: string, now: Date): Promise<void>;
  /** Ends a job once, and with the last one its plan. False when it had ended already. */
  finishJob(jobId: string, result: AlterationJobResult, now: Date): Promise<boolean>;
  /**
   * Removes the jobs of plans that ended before that time, and plans that have none left. Returns how many rows, `limit` at
   * most: a plan may have had a hundred thousand jobs. Nodes that do so at the same time take different plans.
   */
  purge(before: Date, limit: number): Promise<number>;
}
