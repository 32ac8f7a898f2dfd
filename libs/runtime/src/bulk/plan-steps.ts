import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isWaymarkError, NewerFormatError } from '@waymark/core';
import { toErrorLike } from '@waymark/core/adapter';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import type { StepAction, StepRequest } from '../persistence/bulk-action.js';
import type { BulkFailure, BulkPlan, BulkResult } from '../persistence/bulk-plan-store.js';
import type { OutboxMessage } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';

const KIND = 'plan-step';

/** Payload of kind `plan-step`. */
interface StepMessage {
  readonly planId: string;
  /** How many have been done or tried before. */
  readonly from: number;
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
  perform(
    ids: readonly string[],
    filter: Extract<StepRequest, { action: A }>['filters'][0],
    signal: AbortSignal,
  ): Promise<BulkResult>;
}

/**
 * Bulk plans that go step by step, in the order of their ids. A message of the outbox leads to each step, and is consumed by the
 * transaction that notes what became of it and stores the next message: so a crash repeats one step, and loses none (W8). Between two
 * steps other messages have their turn. Nodes of the version before find no work in such a plan, and leave its messages alone.
 */
@Injectable()
export class PlanSteps implements OnModuleInit {
  private readonly works = new Map<string, StepWork>();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly outbox: OutboxProcessor,
    private readonly engine: WorkflowEngine,
    private readonly clock: WorkflowClock,
  ) {}

  /** Called by Nest. */
  onModuleInit(): void {
    this.outbox.register({
      kind: KIND,
      handle: (message, signal) => this.serve(message, signal),
      abandon: (message, error) => this.giveUp(message, error),
    });
  }

  /** Takes the work of an action. */
  register<A extends StepAction>(work: StepWork<A>): void {
    this.works.set(work.action, work as unknown as StepWork);
  }

  /**
   * Stores a plan, and begins it on any node.
   * @param id one that is in use changes nothing. @default a new one
   * @returns the id
   */
  async submit({ action, filters }: StepRequest, id = this.engine.newId()): Promise<string> {
    const messages = this.messages(id, 0);
    const plan: BulkPlan = {
      id,
      action,
      selection: filters,
      status: 'Pending',
      selected: filters[0].ids.length,
      isSelected: true,
      visited: 0,
      changed: 0,
      failed: 0,
      failures: [],
      createdAt: new Date(this.clock.now()),
    };
    if (await this.persistence.bulkPlans.submit(plan, messages)) this.outbox.deliverSoon(messages);
    return id;
  }

  private async serve(message: OutboxMessage, signal: AbortSignal): Promise<void> {
    const step = await this.stepOf(message);
    if (!step) return this.forget(message);
    const result = await step.work.perform(step.ids, step.filter, signal);
    if (!signal.aborted) await this.advance(message, step, result);
  }

  /** Its nodes died, or it failed again and again: the plan continues with the next step. */
  private async giveUp(message: OutboxMessage, error: string): Promise<void> {
    const step = await this.stepOf(message);
    if (step)
      await this.advance(message, step, { changed: 0, failures: step.ids.map((id) => ({ id, message: error })) });
  }

  private async stepOf({ id, payload }: OutboxMessage) {
    const { planId, from } = payload as StepMessage;
    const plan = await this.persistence.bulkPlans.find(planId);
    if (!plan || plan.completedAt) return undefined;
    const work = this.works.get(plan.action);
    if (!work) throw new NewerFormatError(`Message ${id} of a plan that does '${plan.action}'`);
    const [filter] = plan.selection as StepRequest['filters'];
    return { planId, from, work, filter, ids: filter.ids.slice(from, from + work.size), total: filter.ids.length };
  }

  private async advance(
    message: OutboxMessage,
    { planId, from, ids, total }: NonNullable<Awaited<ReturnType<PlanSteps['stepOf']>>>,
    result: BulkResult,
  ): Promise<void> {
    const next = from + ids.length;
    const messages = next < total ? this.messages(planId, next) : [];
    const step = {
      planId,
      from: from === 0 ? undefined : String(from),
      to: next < total ? String(next) : undefined,
      visited: ids.length,
      ...result,
      consumedMessageId: message.id,
      messages,
    };
    // Otherwise it was cancelled meanwhile, or another node was faster.
    if (await this.persistence.bulkPlans.advance(step, new Date(this.clock.now()))) this.outbox.deliverSoon(messages);
    else await this.forget(message);
  }

  private messages(planId: string, from: number): OutboxMessage[] {
    const payload: StepMessage = { planId, from };
    return this.outbox.prepare([{ kind: KIND, payload }]);
  }

  private async forget(message: OutboxMessage): Promise<void> {
    await this.persistence.outbox.delete(message.id);
  }
}

/** As a plan notes it. */
export function failureOf(id: string, error: unknown): BulkFailure {
  return { id, code: isWaymarkError(error) ? error.code : undefined, message: toErrorLike(error).message };
}
