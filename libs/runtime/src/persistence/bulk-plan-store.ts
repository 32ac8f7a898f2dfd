import type { BulkAction, BulkSelection, StepAction, StepRequest } from './bulk-action.js';
import type { AuditActorKind } from './audit-store.js';
import type { Lease } from './message-stores.js';
import type { Page, PagedResult } from './paging.js';
import type { OutboxMessage } from './records.js';

/** What a bulk operation failed on. */
export interface BulkFailure {
  /** Of the instance, message, stimulus or definition. */
  readonly id: string;
  /** Of a typed error. */
  readonly code?: string | undefined;
  /** Why it failed. */
  readonly message: string;
}

/** Result of a batch. */
export interface BulkResult {
  /** Cancelled, deleted, replayed …: those that had ended or gone by then are not counted. */
  readonly changed: number;
  /** Those that could not be done. */
  readonly failures: readonly BulkFailure[];
}

/** Definitions or versions that are deleted when their instances have been deleted. */
export type DefinitionDeletion =
  | { readonly definitionIds: readonly string[] }
  | { readonly definitionVersionIds: readonly string[] };

/** Who asked for a plan. Permissions were checked then; the audit trail names this caller for what the plan does later. */
export interface PlanRequester {
  /** Kind of the caller. */
  readonly actorKind: AuditActorKind;
  /** Name of the user or of the API key. @default none */
  readonly actor?: string | undefined;
  /** If false, the audit trail leaves out what the plan does, as it left out the request. */
  readonly isAudited: boolean;
}

/** A bulk operation in the background, on everything that a selection names. Pending → Running → Completed | Cancelled. */
export interface BulkPlan {
  /** Id of the plan. */
  readonly id: string;
  /** What is done. */
  readonly action: BulkAction | StepAction;
  /** What it is done to. */
  readonly selection: BulkSelection | StepRequest['filters'];
  /** What is deleted at the end. The plan is running until then. */
  readonly deletes?: DefinitionDeletion | undefined;
  /** Who asked for it. @default not known: code of the application, or a node of the version before */
  readonly requestedBy?: PlanRequester | undefined;
  /** How far it is. */
  readonly status: 'Pending' | 'Running' | 'Completed' | 'Cancelled';
  /** Found so far; not known as a whole before `isSelected`. */
  readonly selected: number;
  /** If true, everything has been found, and what is left is to be done. */
  readonly isSelected: boolean;
  /** Of those found, how many were done or tried. */
  readonly visited: number;
  /** Those that were done. */
  readonly changed: number;
  /** Those that could not be done. */
  readonly failed: number;
  /** The first of them, `MAX_FAILURES` at most. */
  readonly failures: readonly BulkFailure[];
  /** When it was submitted. */
  readonly createdAt: Date;
  /** When a node began it. */
  readonly startedAt?: Date | undefined;
  /** When it ended. */
  readonly completedAt?: Date | undefined;
  /** Set by the store where a part of the row cannot be read: that part is empty. Nothing is selected or deleted for it. */
  readonly unreadable?: Error | undefined;
}

/** How many failures a plan remembers. */
export const MAX_FAILURES = 20;

/** Some of what a plan has found: one node's for the time of a lease. */
export interface BulkBatch {
  /** Id of the batch. */
  readonly id: string;
  /** Id of its plan. */
  readonly planId: string;
  /** What is done. */
  readonly action: BulkAction;
  /** What it is done to. */
  readonly ids: readonly string[];
  /** How many nodes died with it. */
  readonly attempts: number;
  /** Set by the store where the ids cannot be read: there are none. */
  readonly unreadable?: Error | undefined;
}

/** Which batches are claimed. */
export interface BatchClaim {
  /** Of these actions only: nodes of a later version have others. @default of any */
  readonly actions?: readonly string[] | undefined;
  /**
   * The answer of a claim or cut was lost, and the caller has no batch: those of its own name are claimed as well, and no attempt is
   * counted for them. @default false
   */
  readonly isLost?: boolean | undefined;
}

/** A plan that has not found everything, and how far it is. */
export interface OpenSelection {
  /** The plan. */
  readonly plan: BulkPlan;
  /** As the last cut has left it. Undefined: nothing has been cut. */
  readonly cursor: string | undefined;
}

/** The next part of a selection. */
export interface BulkCut {
  /** Id of the batch that it becomes. */
  readonly batchId: string;
  /** What was found. */
  readonly ids: readonly string[];
  /** Where the next cut begins. Undefined: this one was the last. */
  readonly next: string | undefined;
}

/** Some of the ids of a plan that goes step by step: those of one step. */
export interface PlanPage {
  /** How many ids are on the pages before it. */
  readonly from: number;
  /** In the order in which they are done. */
  readonly ids: readonly string[];
}

/** What is stored together with a plan. */
export interface PlanParts {
  /** Lead to its first step. @default none */
  readonly messages?: readonly OutboxMessage[] | undefined;
  /** The ids of its steps. They are there until the plan has ended. @default none */
  readonly pages?: readonly PlanPage[] | undefined;
  /** Batches that are cut off it already: no node has claimed them. Of several plans, the first ones go first. @default none */
  readonly batches?: readonly Pick<BulkBatch, 'id' | 'ids'>[] | undefined;
}

/** What became of one step of a plan that goes step by step. */
export interface PlanStep extends BulkResult {
  /** Id of the plan. */
  readonly planId: string;
  /** Where the step began. Undefined: it was the first. */
  readonly from: string | undefined;
  /** Where the next one begins. Undefined: it was the last, and ends the plan. */
  readonly to: string | undefined;
  /** How many were done or tried. */
  readonly visited: number;
  /** The message that led to the step. */
  readonly consumedMessageId: string;
  /** Those that lead to the next one. */
  readonly messages: readonly OutboxMessage[];
}

/**
 * Plans of bulk work, and batches of it. Nodes cut batches off a plan, one after the other, and take over those of nodes that
 * died; so any number of nodes share a plan, and none of them ever holds all ids (W8). Not here on purpose: what is done to
 * the ids, which must be fit to be done again.
 */
export interface BulkPlanStore {
  /**
   * False, with nothing written, when the id is in use.
   * @param parts stored with it, in one transaction. A plan that goes step by step `isSelected`: `findOpen` must not find it
   */
  submit(plan: BulkPlan, parts?: PlanParts): Promise<boolean>;
  /** The page that begins there, whatever else the plan has. Undefined: there is none, or the plan has ended. */
  findPage(planId: string, from: number): Promise<PlanPage | undefined>;
  /** All ids of a plan that are on pages, in their order. Empty: there are none, or the plan has ended. */
  findPageIds(planId: string): Promise<string[]>;
  /**
   * Notes what became of a step, consumes its message and stores those of the next one, in one transaction. False, with nothing
   * written, when another node was faster, or the plan has ended.
   */
  advance(step: PlanStep, now: Date): Promise<boolean>;
  /** The plan; undefined: there is none of that id. It is read without its pages. */
  find(id: string): Promise<BulkPlan | undefined>;
  /** How far the plan is, whatever it holds. Undefined: there is none of that id. */
  findStatus(id: string): Promise<BulkPlan['status'] | undefined>;
  /** Newest first. */
  findMany(page?: Page): Promise<PagedResult<BulkPlan>>;
  /**
   * Of the plans that have not found everything, the one that has found least: a small one does not wait for a large one.
   * @param exceptIds plans that the caller leaves alone. @default none
   */
  findOpen(exceptIds?: readonly string[]): Promise<OpenSelection | undefined>;
  /**
   * Moves a plan's selection on and claims what was found, which ends the plan when nothing is left.
   * Undefined: nothing was found; false: another node was faster, or the plan has ended.
   */
  cut(open: OpenSelection, cut: BulkCut, lease: Lease): Promise<BulkBatch | undefined | false>;
  /** A batch whose lease has run out, the oldest first. */
  claim(lease: Lease, which?: BatchClaim): Promise<BulkBatch | undefined>;
  /** Returns false if another node has it, or the plan was cancelled. */
  renew(batch: BulkBatch, lease: Lease): Promise<boolean>;
  /**
   * For a shutdown that no longer waits: if the owner has the batch, it belongs to no node any more, and its claim is not counted as one
   * whose node died. It can be claimed when the lease would have ended. @default the claim stays counted
   */
  giveUpClaim?(batch: BulkBatch, owner: string): Promise<void>;
  /** Adds what came of it to the plan, once; the last batch ends the plan. If false, as `renew`. */
  finish(batch: BulkBatch, owner: string, result: BulkResult, now: Date): Promise<boolean>;
  /**
   * A plan that has nothing left to do but what it `deletes`; the one that came there first.
   * @param exceptIds plans that the caller leaves alone. @default none
   */
  findDeletion(exceptIds?: readonly string[]): Promise<BulkPlan | undefined>;
  /** What plans that have not ended are going to delete, in no order. What cannot be read is left out. */
  findDeletions(): Promise<DefinitionDeletion[]>;
  /** Ends a plan that has deleted what it `deletes`, or could not: once. False when it had ended, or is not there. */
  endDeletion(id: string, failures: readonly BulkFailure[]): Promise<boolean>;
  /**
   * Ends a plan before everything is done: nothing more is begun. False when it had ended, when nothing is left but what it
   * `deletes`, or when there is none.
   */
  cancel(id: string, now: Date): Promise<boolean>;
  /** Removes plans that ended before that time: not those that have to delete what they `deletes` still. Returns how many, `limit` at most. */
  purge(before: Date, limit: number): Promise<number>;
}
