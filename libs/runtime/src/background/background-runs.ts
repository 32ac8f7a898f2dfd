import { Injectable } from '@nestjs/common';
import type { ActivityNode } from '@waymark/core';
import type { BackgroundJob } from '@waymark/core/adapter';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

/** When a run is logged for the first time; then after ten times as long, again and again. Work of hours is nothing unusual. */
const LONG_MS = 3_600_000;
/** The same, of one whose signal was aborted. */
const LONG_TO_END_MS = 60_000;
const FACTOR = 10;
const BETWEEN_LOOKS_MS = 15_000;

/** An activity that this node executes in the background. */
export interface BackgroundRun {
  /** What it does, and for which bookmark. */
  readonly job: BackgroundJob;
  /** Aborts its signal. */
  readonly controller: AbortController;
  /** When it began, by the monotonic time of the clock. */
  readonly since: number;
  /** When its signal was aborted, because its result is not needed any more. */
  givenUpAt?: number;
  /** What it runs, once that is known. */
  node?: Pick<ActivityNode, 'id' | 'type'>;
  /** Of which definition. */
  definitionId?: string;
  /** When it is logged next. */
  logAfterMs: number;
}

/**
 * The activities that this node executes in the background, including those whose result is not needed any more and that have not returned:
 * numbers for metrics and health checks. Running code cannot be interrupted, so one that ignores `ctx.signal` may never return.
 */
@Injectable()
export class BackgroundRuns {
  private readonly logger = new WorkflowLogger('WorkflowRuntime');
  /** Usually one for each bookmark: a store that was restored may have two messages for it. */
  private readonly running = new Map<string, Set<BackgroundRun>>();
  private nextLookAt = 0;

  constructor(private readonly clock: WorkflowClock) {}

  /** How many activities run in the background on this node. */
  get count(): number {
    let count = 0;
    for (const runs of this.running.values()) count += runs.size;
    return count;
  }

  /** How many of them have not returned although their signal was aborted: their time is over, or their instance is gone. */
  get givenUp(): number {
    let count = 0;
    for (const run of this.all()) if (run.givenUpAt !== undefined) count++;
    return count;
  }

  /** For how long the oldest of them has been running, in milliseconds; 0 if there is none. */
  get longestMs(): number {
    let since = Infinity;
    for (const run of this.all()) since = Math.min(since, run.since);
    return since === Infinity ? 0 : this.clock.monotonic() - since;
  }

  /** Notes that one begins. @internal */
  begin(job: BackgroundJob): BackgroundRun {
    const run = { job, controller: new AbortController(), since: this.clock.monotonic(), logAfterMs: LONG_MS };
    const others = this.running.get(job.bookmarkId);
    if (others) others.add(run);
    else this.running.set(job.bookmarkId, new Set([run]));
    return run;
  }

  /** Notes that it has returned. Another one for the same bookmark is left alone: it could not be aborted any more. @internal */
  end(run: BackgroundRun): void {
    const { bookmarkId } = run.job;
    const runs = this.running.get(bookmarkId);
    runs?.delete(run);
    if (runs?.size === 0) this.running.delete(bookmarkId);
  }

  /** Aborts all those whose instance does not wait at that bookmark any more. @internal */
  giveUpAt(bookmarkId: string): void {
    for (const run of this.running.get(bookmarkId) ?? []) this.giveUp(run);
  }

  /** Aborts its signal. @param reason why, for the activity @internal */
  giveUp(run: BackgroundRun, reason?: Error): void {
    if (run.givenUpAt !== undefined) return;
    run.givenUpAt = this.clock.monotonic();
    run.logAfterMs = LONG_TO_END_MS;
    run.controller.abort(reason);
  }

  /** Logs those that do not end (`WM7042`), unless it looked just now. @internal */
  look(): void {
    const now = this.clock.monotonic();
    if (now < this.nextLookAt) return;
    this.nextLookAt = now + BETWEEN_LOOKS_MS;
    for (const run of this.all()) if (now - (run.givenUpAt ?? run.since) >= run.logAfterMs) this.log(run, now);
  }

  private log(run: BackgroundRun, now: number): void {
    const { job, node, definitionId, givenUpAt, since } = run;
    run.logAfterMs *= FACTOR;
    const name = `activity '${node?.id}' (${node?.type}) of instance '${job.workflowInstanceId}' of '${definitionId}'`;
    const seconds = (from: number): string => `${Math.floor((now - from) / 1000)} s`;
    this.logger.warn(
      givenUpAt === undefined
        ? `WM7042: ${name} has been running in the background for ${seconds(since)}, in one of the places of this node. If it should have ` +
            'ended by now, give it a `timeout`, or set the option backgroundTimeoutMs.'
        : `WM7042: ${name} has not returned ${seconds(givenUpAt)} after its signal was aborted. What it returns is not needed any more. The node serves other ` +
            'work in its place, but does that for a limited number of such activities. Pass ctx.signal to what it calls, and restart this node.',
    );
  }

  private *all(): Iterable<BackgroundRun> {
    for (const runs of this.running.values()) yield* runs;
  }
}
