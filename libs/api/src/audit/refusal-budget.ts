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
/** How often the number of omitted entries is recorded. */
const SUMMARY_EVERY_MS = 600_000;
/** Most actors whose budgets are kept. Users and keys are few, but tokens of another issuer may name any number. */
const MOST_PAYERS = 1000;
/** Requests by signed links, for each of what they lead to: a link may be followed any number of times while it is valid. */
const LINKS_AN_HOUR = 100;

interface Purse {
  left: number;
  at: number;
}

/**
 * Limits how many entries can be caused without permission: refused requests, by each user and key and by all anonymous clients
 * together, and requests by signed links. Beyond the limit they are only counted, and the count is recorded. Successful and failed
 * requests of users and keys are always recorded. Each node counts by itself.
 */
@Injectable()
export class RefusalBudget implements OnModuleInit {
  private readonly purses = new Map<string, Purse>();
  private readonly refusalsPerHour: number;
  private omitted = 0;
  private cancel: CancelTimer | undefined;
  private isClosed = false;

  constructor(
    private readonly trail: AuditTrail,
    private readonly clock: WorkflowClock,
    private readonly shutdown: ShutdownTasks,
    @Inject(API_OPTIONS) { audit }: ResolvedApiOptions,
  ) {
    this.refusalsPerHour = audit === false ? 0 : audit.refusalsPerHour;
  }

  onModuleInit(): void {
    this.shutdown.add(() => {
      this.isClosed = true;
      return this.summarize();
    });
  }

  /** Returns false if the entry is counted instead. */
  allows({ actorKind, actor, outcome, targetIds = [], details }: AuditRecord): boolean {
    switch (actorKind) {
      case AuditActorKind.Link:
        // Not one for all: the holder of any link could use it up, and what others decide by theirs would leave no entry.
        return this.take(`link ${JSON.stringify([targetIds[0], details?.bookmarkId])}`, LINKS_AN_HOUR);
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
    // Requests are still refused until the server closes: a new timer would keep the process alive.
    if (!this.isClosed)
      this.cancel ??= this.clock.setTimer(() => void this.summarize(), SUMMARY_EVERY_MS, { isPoll: true });
    return false;
  }

  /** Refilled continuously: a quarter of the hourly budget in a quarter of an hour. */
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
