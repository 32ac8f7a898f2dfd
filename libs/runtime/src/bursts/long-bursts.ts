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

interface Seen {
  readonly since: number;
  logAfterMs: number;
}

/**
 * Logs executions of activities that do not end. Such a burst keeps its place, and what started it may not even be a row yet: when all places
 * are taken by calls that never return, a node does nothing any more, and no list shows why.
 */
@Injectable()
export class LongBursts {
  private readonly logger = new WorkflowLogger('WorkflowRuntime');
  private seen = new Map<ActivityExecutionContext, Seen>();
  private nextLookAt = 0;

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

  private log({ node, workflow }: ActivityExecutionContext, each: Seen, now: number): void {
    const seconds = Math.floor((now - each.since) / 1000);
    each.logAfterMs *= FACTOR;
    this.logger.warn(
      `Activity '${node.id}' (${node.type}) of instance '${workflow.id}' of '${workflow.graph.definition.definitionId}' has been executing ` +
        `for ${seconds} s and keeps its place meanwhile: this node serves ${this.options.deliveryConcurrency} messages at a time. ` +
        "Give its calls a time limit and pass them ctx.signal, or let it run in the background (`kind: 'Job'`).",
    );
  }
}
