import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  AuditActorKind,
  AuditOutcome,
  type AuditRecord,
  AuditTrail,
  type CancelTimer,
  WorkflowClock,
} from '@waymark/runtime';
import { ShutdownTasks } from '@waymark/runtime/adapter';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';

const HOUR_MS = 3_600_000;
/** What left no entry is summed up in one that often. */
const SUMMARY_EVERY_MS = 600_000;
/** Payers that are remembered. There are as many as users and keys; tokens of another issuer may name more. */
const MOST_PAYERS = 1000;
/** Of all holders of links together: each may follow a link as often as it is valid. */
const LINKS_AN_HOUR = 1000;

interface Purse {
  left: number;
  at: number;
}

/**
 * How many requests are recorded that anyone can make as often as they like: refused ones, so many in an hour for each user and
 * key, and so many for all strangers together, and those by links. What is beyond is counted, and the count is recorded. What
 * users and keys have done is always recorded. Each node counts by itself.
 */
@Injectable()
export class RefusalBudget implements OnModuleInit {
  private readonly purses = new Map<string, Purse>();
  private readonly refusalsPerHour: number;
  private omitted = 0;
  private cancel: CancelTimer | undefined;

  constructor(
    private readonly trail: AuditTrail,
    private readonly clock: WorkflowClock,
    private readonly shutdown: ShutdownTasks,
    @Inject(API_OPTIONS) { audit }: ResolvedApiOptions,
  ) {
    this.refusalsPerHour = audit === false ? 0 : audit.refusalsPerHour;
  }

  onModuleInit(): void {
    this.shutdown.add(() => this.summarize());
  }

  /** False: it is counted instead. */
  allows({ actorKind, actor, outcome }: AuditRecord): boolean {
    switch (actorKind) {
      case AuditActorKind.Link:
        return this.take('links', LINKS_AN_HOUR);
      case AuditActorKind.Anonymous:
        return outcome === AuditOutcome.Succeeded || this.take('strangers', this.refusalsPerHour);
      default:
        return outcome !== AuditOutcome.Refused || this.take(`${actorKind} ${actor}`, this.refusalsPerHour);
    }
  }

  private take(payer: string, perHour: number): boolean {
    const purse = this.purseOf(payer, perHour);
    if (purse.left >= 1) {
      purse.left--;
      return true;
    }
    this.omitted++;
    this.cancel ??= this.clock.setTimer(() => void this.summarize(), SUMMARY_EVERY_MS, { isPoll: true });
    return false;
  }

  /** Filled again as time passes, so that a quarter of an hour brings a quarter of it. */
  private purseOf(payer: string, perHour: number): Purse {
    const now = this.clock.now();
    const { left, at } = this.purses.get(payer) ?? { left: perHour, at: now };
    const purse = { left: Math.min(perHour, left + (Math.max(0, now - at) / HOUR_MS) * perHour), at: now };
    this.purses.delete(payer);
    this.purses.set(payer, purse);
    if (this.purses.size > MOST_PAYERS) this.purses.delete(this.purses.keys().next().value!);
    return purse;
  }

  private async summarize(): Promise<void> {
    this.cancel?.();
    this.cancel = undefined;
    const { omitted } = this;
    this.omitted = 0;
    if (omitted === 0) return;
    await this.trail.record({ action: 'audit.omit-refusals', outcome: 'Refused', details: { omitted } });
  }
}
