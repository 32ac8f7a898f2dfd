import { Inject, Injectable } from '@nestjs/common';
import { FiringResult, WorkflowPersistence } from '@waymark/runtime';
import { type HeldStart, HeldStarts, isStoreOutage, type OccurrenceClaim } from '@waymark/runtime/adapter';
import { type ResolvedSchedulingOptions, SCHEDULING_OPTIONS } from '../module/scheduling-options.js';
import { OverlapPolicy } from '../triggers/overlap-policy.js';
import { ParsedCrons } from '../triggers/parsed-crons.js';
import { planOccurrence, type TriggerOccurrence } from '../triggers/trigger-occurrence.js';
import { overlapOf } from '../triggers/trigger-timing.js';
import type { SeenTrigger } from './due-triggers.js';

/** An occurrence that this node has claimed. */
export interface ClaimedOccurrence {
  readonly nextDueAt: Date | null;
  /** Undefined: it was missed, and its misfire policy leaves it out. */
  readonly start: HeldStart | undefined;
}

/**
 * Claims the occurrences that a look has found, all in one transaction, which stores a message for each start (W4). One at a time,
 * each would cost two commits: one that claims it with a new instance, and one for what the burst has done.
 *
 * What may be refused is not claimed here: with an overlap policy or an activation strategy, the commit that claims the occurrence
 * has to hold the key as well.
 */
@Injectable()
export class OccurrenceClaims {
  private readonly crons = new ParsedCrons();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly starts: HeldStarts,
    @Inject(SCHEDULING_OPTIONS) private readonly options: ResolvedSchedulingOptions,
  ) {}

  /**
   * @returns what was claimed, by trigger id; undefined for what is another node's by now. Triggers that are not in it claim for
   *   themselves
   */
  async claim(triggers: readonly SeenTrigger[]): Promise<ReadonlyMap<string, ClaimedOccurrence | undefined>> {
    const planned = new Map<string, ClaimedOccurrence>();
    const claims: OccurrenceClaim[] = [];
    for (const trigger of triggers) {
      const plan = await this.planned(trigger);
      if (!plan) continue;
      planned.set(trigger.id, plan);
      claims.push(claimOf(trigger, plan));
    }
    if (claims.length === 0) return planned;
    try {
      const claimed = await this.persistence.triggers.claim(claims);
      return new Map([...planned].map(([id, plan]) => [id, claimed.has(id) ? plan : undefined]));
    } catch (error) {
      if (isStoreOutage(error)) throw error;
      // What is wrong with one must not keep the others from being fired: each claims for itself, and fails for itself.
      return new Map();
    }
  }

  /** It was not served here: another node, or this one later, does it. */
  async release({ start }: ClaimedOccurrence, availableAt: Date): Promise<void> {
    if (start) await this.starts.release(start, availableAt);
  }

  /**
   * What to do about an occurrence.
   * @throws CronExpressionError for a row that was never validated, StoredValueError for a damaged one
   */
  plan(trigger: SeenTrigger): TriggerOccurrence {
    // When it fires next is in what cannot be read.
    if (trigger.unreadable) throw trigger.unreadable;
    const { seenAt, attendedSince } = trigger;
    return planOccurrence(trigger, seenAt, this.options, (cron, after) => this.crons.next(cron, after), attendedSince);
  }

  private async planned(trigger: SeenTrigger): Promise<ClaimedOccurrence | undefined> {
    try {
      const { starts, nextDueAt, input } = this.plan(trigger);
      if (!starts) return { nextDueAt, start: undefined };
      if (overlapOf(trigger.payload) !== OverlapPolicy.Allow) return undefined;
      const { workflowDefinitionVersionId: definitionVersionId, activityId: triggerActivityId } = trigger;
      const start = await this.starts.prepare({ definitionVersionId, triggerActivityId, input });
      return start && { nextDueAt, start };
    } catch {
      // It fails again when it is fired by itself, where failures are counted and logged.
      return undefined;
    }
  }
}

function claimOf({ id: triggerId, dueAt, seenAt }: SeenTrigger, plan: ClaimedOccurrence): OccurrenceClaim {
  const { nextDueAt, start } = plan;
  // The time of firing is never before the due time: by the clock of the store, that is over.
  const at = new Date(Math.max(seenAt, dueAt.getTime()));
  const fired = { at, result: start ? FiringResult.Started : FiringResult.Missed };
  return { firing: { triggerId, dueAt, nextDueAt, fired }, message: start?.message };
}
