import type { WorkflowExecutionContext } from '@waymark/core';
import type { BurstExtras } from './burst-commit-builder.js';
import type { RunInstanceRequest, RunInstanceResult } from '../services/instance-services.js';
import { SharedResult, type StepEnd } from './run-result.js';

/** Resumes that one burst takes along at most: its journal and its statements stay of a size that databases like. */
export const MAX_SHARED = 1000;

export interface BookmarkRun extends RunInstanceRequest {
  readonly bookmarkId: string;
}

export function isBookmarkRun(run: RunInstanceRequest): run is BookmarkRun {
  return run.bookmarkId !== undefined;
}

/**
 * One resume of one bookmark: waiting for its turn → begun, alone or along with others → settled. What it began is void when
 * the burst cannot be stored; then it is begun again.
 */
export class ResumeRequest {
  /** How often it was begun. */
  attempts = 0;
  /** So many may share a burst with it, itself included: fewer after one that could not be stored. */
  maxShared = MAX_SHARED;
  isSettled = false;
  /** Told when another turn has served it. */
  onSettled: (() => void) | undefined = undefined;
  private end: StepEnd | undefined = undefined;
  private result: RunInstanceResult | undefined = undefined;
  /** What it failed with. */
  error: unknown = undefined;

  constructor(
    readonly run: BookmarkRun,
    readonly extras: BurstExtras,
    /** See `BurstRequest`. */
    readonly cause: string | undefined,
    /** Its message is served in a lane, where a moment more or less makes no difference. */
    readonly isPatient = false,
  ) {}

  /** Keeps how it left the instance, before another resume continues with that. */
  noteEnd({ status, subStatus, incidents, output, secrets }: WorkflowExecutionContext): void {
    this.end = { status, subStatus, incidentCount: incidents.length, output: { ...secrets.stored(output) } };
  }

  /** It has begun anew. */
  forgetEnd(): void {
    this.end = undefined;
  }

  succeed(committed: RunInstanceResult): void {
    this.result = this.end ? new SharedResult(committed, this.end) : committed;
    this.settle();
  }

  fail(error: unknown): void {
    this.error = error;
    this.settle();
  }

  /** @throws what it failed with */
  outcome(): RunInstanceResult {
    if (this.result) return this.result;
    throw this.error;
  }

  uses(messageId: string): boolean {
    const { consumedMessageIds = [], consumedQueueItemIds = [] } = this.extras;
    return consumedMessageIds.includes(messageId) || consumedQueueItemIds.includes(messageId);
  }

  private settle(): void {
    this.isSettled = true;
    this.onSettled?.();
  }
}
