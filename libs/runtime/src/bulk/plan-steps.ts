import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isWaymarkError, NewerFormatError } from '@waymark/core';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import { StoreOutages } from '../outages/store-outages.js';
import type { StepAction, StepRequest, StepSelection } from '../persistence/bulk-action.js';
import type { BulkPlan, BulkResult, PlanPage, PlanRequester, PlanStep } from '../persistence/bulk-plan-store.js';
import type { OutboxMessage } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { PlanAudit } from './plan-audit.js';

/** Of plans whose ids are on pages. Nodes of the version before leave it to others. */
const KIND = 'plan-page';
/** Of plans that hold all of their ids, as nodes of the version before store and serve them. */
const WHOLE_KIND = 'plan-step';

/** Payload of both kinds. */
interface StepMessage {
  readonly planId: string;
  /** How many have been done or tried before. */
  readonly from: number;
}

/** What one step does. */
export interface Step<A extends StepAction = StepAction> {
  readonly planId: string;
  /** What to do now. */
  readonly ids: readonly string[];
  readonly filter: Extract<StepRequest, { action: A }>['filters'][0];
  /** Who asked for the plan, where that is known. */
  readonly requestedBy: PlanRequester | undefined;
  /** Reads the ids of the whole plan: a step that asks for them costs as much as the plan is long. */
  all(): Promise<readonly string[]>;
}

/** What one kind of these plans does. */
export interface StepWork<A extends StepAction = StepAction> {
  readonly action: A;
  /** How many are done in one step: what a crash repeats at most. */
  readonly size: number;
  /**
   * Does the next step. It must be fit to be done again.
   * @param signal aborted: another node does it
   * @throws faults of the store; what fails for one is among the failures
   */
  perform(step: Step<A>, signal: AbortSignal): Promise<BulkResult>;
}

/** How a plan is submitted. */
export interface SubmittedPlan<A extends StepAction = StepAction> {
  readonly action: A;
  /** In the order in which they are done. */
  readonly ids: readonly string[];
  /** What else the plan has to know. */
  readonly filter?: Omit<Extract<StepRequest, { action: A }>['filters'][0], keyof StepSelection> | undefined;
  /** One that is in use changes nothing. @default a new one */
  readonly id?: string | undefined;
  /** Who asks for it. @default code of the application */
  readonly requestedBy?: PlanRequester | undefined;
}

/** What is known of the step that a message leads to. */
interface FoundStep {
  readonly plan: BulkPlan;
  readonly from: number;
  readonly ids: readonly string[];
  readonly work: StepWork;
}

/**
 * Bulk plans that go step by step, in the order of their ids. A message of the outbox leads to each step, and is consumed by the
 * transaction that notes what became of it and stores the next message: so a crash repeats one step, and loses none (W8). Between two
 * steps other messages have their turn. The ids of each step are a page of their own: a step of a plan of 200,000 reads as much as one of
 * a plan of 200. Nodes of the version before find no work in such a plan, and leave its messages alone.
 */
@Injectable()
export class PlanSteps implements OnModuleInit {
  private readonly works = new Map<string, StepWork>();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly outbox: OutboxProcessor,
    private readonly engine: WorkflowEngine,
    private readonly clock: WorkflowClock,
    private readonly audit: PlanAudit,
    private readonly outages: StoreOutages,
  ) {}

  /** Called by Nest. */
  onModuleInit(): void {
    for (const kind of [KIND, WHOLE_KIND])
      this.outbox.register({
        kind,
        handle: (message, signal) => this.serve(message, signal),
        abandon: (message, error) => this.giveUp(message, error),
      });
  }

  /** Takes the work of an action. */
  register<A extends StepAction>(work: StepWork<A>): void {
    this.works.set(work.action, work as unknown as StepWork);
  }

  /** Stores a plan, and begins it on any node. @returns its id */
  async submit<A extends StepAction>(submitted: SubmittedPlan<A>): Promise<string> {
    const { action, ids, filter, requestedBy, id = this.engine.newId() } = submitted;
    const plan: BulkPlan = {
      id,
      action,
      selection: [{ ...filter, idCount: ids.length }] as unknown as StepRequest['filters'],
      requestedBy,
      status: 'Pending',
      selected: ids.length,
      isSelected: true,
      visited: 0,
      changed: 0,
      failed: 0,
      failures: [],
      createdAt: new Date(this.clock.now()),
    };
    const messages = this.messages(KIND, id, 0);
    const pages = pagesOf(ids, this.works.get(action)!.size);
    if (await this.persistence.bulkPlans.submit(plan, { messages, pages })) this.outbox.deliverSoon(messages);
    return id;
  }

  private async serve(message: OutboxMessage, signal: AbortSignal): Promise<void> {
    const found = await this.stepOf(message);
    if (!found) return this.forget(message);
    const { plan, ids, work } = found;
    const [filter] = plan.selection as StepRequest['filters'];
    const all = async () => filter.ids ?? this.persistence.bulkPlans.findPageIds(plan.id);
    const step: Step = { planId: plan.id, ids, filter, requestedBy: plan.requestedBy, all };
    const result = await work.perform(step, signal);
    if (!signal.aborted) await this.advance(message, found, result);
  }

  /** Its nodes died, or it failed again and again: the plan continues with the next step. */
  private async giveUp(message: OutboxMessage, error: string): Promise<void> {
    const found = await this.stepOf(message);
    if (!found) return;
    const failures = found.ids.map((id) => ({ id, message: error }));
    await this.advance(message, found, { changed: 0, failures });
  }

  private async stepOf({ id, payload }: OutboxMessage): Promise<FoundStep | undefined> {
    const { planId, from } = payload as StepMessage;
    const plan = await this.persistence.bulkPlans.find(planId);
    if (!plan || plan.completedAt) return undefined;
    if (plan.unreadable) throw plan.unreadable;
    const work = this.works.get(plan.action);
    if (!work) throw new NewerFormatError(`Message ${id} of a plan that does '${plan.action}'`);
    const [{ ids: all }] = plan.selection as StepRequest['filters'];
    const ids = all?.slice(from, from + work.size) ?? (await this.persistence.bulkPlans.findPage(planId, from))?.ids;
    // Without a page it has ended meanwhile.
    return ids && { plan, from, ids, work };
  }

  private async advance(message: OutboxMessage, { plan, from, ids }: FoundStep, result: BulkResult): Promise<void> {
    const { id: planId, selected } = plan;
    const next = from + ids.length;
    const messages = next < selected ? this.messages(message.kind, planId, next) : [];
    const step = {
      planId,
      from: from === 0 ? undefined : String(from),
      to: next < selected ? String(next) : undefined,
      visited: ids.length,
      ...result,
      consumedMessageId: message.id,
      messages,
    };
    // Otherwise it was cancelled meanwhile, or another node was faster.
    if (!(await this.hasAdvanced(step, next))) {
      await this.audit.recordIfCancelled(plan, ids, result);
      return this.forget(message);
    }
    this.outbox.deliverSoon(messages);
    await this.audit.record(plan, ids, result);
  }

  /** Its message is gone when the answer of the commit was lost: nothing would look for the step again. */
  private async hasAdvanced(step: PlanStep, next: number): Promise<boolean> {
    const { bulkPlans } = this.persistence;
    try {
      return await bulkPlans.advance(step, new Date(this.clock.now()));
    } catch (error) {
      if (!isWaymarkError(error, 'WM7015')) throw error;
      this.outages.report(error);
      const plan = await this.outages.through(() => bulkPlans.find(step.planId));
      if (plan && plan.visited >= next) return true;
      throw error;
    }
  }

  private messages(kind: string, planId: string, from: number): OutboxMessage[] {
    const payload: StepMessage = { planId, from };
    return this.outbox.prepare([{ kind, payload }]);
  }

  private async forget(message: OutboxMessage): Promise<void> {
    await this.persistence.outbox.delete(message.id);
  }
}

function pagesOf(ids: readonly string[], size: number): PlanPage[] {
  const pages: PlanPage[] = [];
  // One at least: without a step, a plan would not end.
  for (let from = 0; from === 0 || from < ids.length; from += size)
    pages.push({ from, ids: ids.slice(from, from + size) });
  return pages;
}
