import { Inject, Injectable } from '@nestjs/common';
import type { ActivityExecutionContext } from '@waymark/core';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { InstanceLocks } from './instance-locks.js';

const BETWEEN_LOOKS_MS = 15_000;
/** When an execution is logged for the first time; then after ten times as long, again and again. */
const LONG_MS = 60_000;
const FACTOR = 10;
const BETWEEN_STANDSTILLS_MS = 600_000;
/** Of activities, in one line of the log. */
const MOST_NAMED = 10;

interface Seen {
  readonly since: number;
  logAfterMs: number;
}

/**
 * Logs executions of activities that do not end (`WM1048`), and that they have all places (`WM1049`). What started such a burst may not
 * even be a row yet. Its place is lent to others, but when no more are lent, a node serves no messages any more, and no list shows why.
 */
@Injectable()
export class LongBursts {
  private readonly logger = new WorkflowLogger('WorkflowRuntime');
  private seen = new Map<ActivityExecutionContext, Seen>();
  private nextLookAt = 0;
  private nextStandstillAt = 0;

  constructor(
    private readonly locks: InstanceLocks,
    private readonly clock: WorkflowClock,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {}

  /** Looks at the bursts that run here, unless it did so just now. */
  look(): void {
    const now = this.clock.monotonic();
    if (now < this.nextLookAt) return;
    this.nextLookAt = now + BETWEEN_LOOKS_MS;
    const seen = new Map<ActivityExecutionContext, Seen>();
    for (const { contexts } of this.locks.bursts())
      for (const ctx of contexts.awake())
        if (ctx.isExecuting) seen.set(ctx, this.seen.get(ctx) ?? { since: now, logAfterMs: LONG_MS });
    this.seen = seen;
    for (const [ctx, each] of seen) if (now - each.since >= each.logAfterMs) this.log(ctx, each, now);
  }

  /** All places of this node are taken by such executions, and those that it lent as well. */
  logStandstill(): void {
    const now = this.clock.monotonic();
    if (now < this.nextStandstillAt) return;
    this.nextStandstillAt = now + BETWEEN_STANDSTILLS_MS;
    const counts = new Map<string, number>();
    for (const { node, workflow } of this.seen.keys()) {
      const name = `'${node.id}' (${node.type}) of '${workflow.graph.definition.definitionId}'`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const most = [...counts].toSorted(([, left], [, right]) => right - left).slice(0, MOST_NAMED);
    this.logger.error(
      `WM1049: this node serves no messages any more, since activities that do not end occupy all of its places: ` +
        `${most.map(([name, count]) => `${name}: ${count}`).join(', ')}. Messages are left to other nodes. Restart this one, and give ` +
        'the calls of these activities a time limit.',
    );
  }

  private log({ node, workflow }: ActivityExecutionContext, each: Seen, now: number): void {
    const seconds = Math.floor((now - each.since) / 1000);
    each.logAfterMs *= FACTOR;
    this.logger.warn(
      `WM1048: activity '${node.id}' (${node.type}) of instance '${workflow.id}' of '${workflow.graph.definition.definitionId}' has been ` +
        `executing for ${seconds} s. The node serves other work in its place, but does that for a limited number of such activities, ` +
        `beyond the ${this.options.deliveryConcurrency} messages that it serves at a time. Give its calls a time limit and pass them ctx.signal, or ` +
        "let it run in the background (`kind: 'Job'`).",
    );
  }
}
