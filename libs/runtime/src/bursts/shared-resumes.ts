import { Injectable } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { readEntry, RETRY_BOOKMARK } from '@waymark/core/adapter';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { CodeWorkflows } from '../definitions/code-workflows.js';
import { IWorkflowDefinitionService } from '../services/definition-services.js';
import {
  type BookmarkConsumedError,
  isStoreOutage,
  type MessageConsumedError,
} from '../persistence/persistence-errors.js';
import type { LoadedInstance } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { bookmarkEntries } from './burst-commit-builder.js';
import { BurstRunner } from './burst-runner.js';
import { InstanceNotFoundError, InstanceNotRunningError } from '../services/instance-errors.js';
import { InstanceLocks } from './instance-locks.js';
import { isLarge } from './large-state.js';
import { MAX_CONFLICTS } from '../persistence/repeat-on-conflict.js';
import type { ResumeRequest } from './resume-request.js';
import { SharedBurst } from './shared-burst.js';

/**
 * Resumes of one instance that wait for each other share a burst: the state is loaded and stored once for all of them. To
 * resume one instance costs its whole state, so ten thousand branches would cost ten thousand times that (the square).
 *
 * 1. What comes of it is what would have come of them one after the other, in their order.
 * 2. Each is answered for itself, and not before what it rests on is stored.
 * 3. What cannot be stored is tried again in smaller parts, until the one at fault is alone and gets the error.
 */
@Injectable()
export class SharedResumes {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly runner: BurstRunner,
    private readonly turns: InstanceLocks,
    private readonly engine: WorkflowEngine,
    private readonly code: CodeWorkflows,
  ) {}

  /** Settles this request, whose turn it is, and along with it as many of those that wait behind it as a burst takes. */
  async serve(instanceId: string, request: ResumeRequest): Promise<void> {
    const taken = [request];
    const takeNext = () => {
      const next = this.turns.takeNext(instanceId);
      if (next) taken.push(next);
      return next;
    };
    await this.attempt(instanceId, [request], takeNext);
    for (let left = unsettled(taken); left.length > 0; left = unsettled(left))
      await this.attempt(instanceId, together(left), () => undefined);
  }

  private async attempt(
    instanceId: string,
    requests: readonly ResumeRequest[],
    takeNext: () => ResumeRequest | undefined,
  ): Promise<void> {
    let burst: SharedBurst | undefined;
    try {
      const before = await this.persistence.instances.load(instanceId, { mayRest: true });
      if (!before) throw new InstanceNotFoundError(instanceId);
      if (before.status !== 'Running') throw new InstanceNotRunningError(instanceId, before.subStatus);
      const graph = await this.definitions.graph(before.definitionVersionId);
      this.code.requireComplete(graph);
      if (isLarge(before.state)) await this.engine.runner.engine.yield?.();
      // Between two parts of other work that is stored half-way, each resume is stored for itself.
      const { burstId, burstOrigin, triggerActivityId } = before.state;
      // What repeats a start that is kept has its input, and what leaves it to others does not.
      const apart = triggerActivityId === undefined ? NONE : retriesOf(before);
      const isAlone = burstId !== undefined || burstOrigin !== undefined || apart.has(requests[0]!.run.bookmarkId);
      const given = isAlone ? requests.slice(0, 1) : [...requests];
      burst = new SharedBurst(before, graph, given, isAlone ? () => undefined : takeNext, apart);
      const first = burst.first();
      if (!first) return burst.refuseAll();
      await this.runner.run(first.burst, before, first.extras, burst);
    } catch (error) {
      if (burst) return afterFailure(burst, error);
      for (const request of requests) request.fail(error);
      // The same holds for those behind them.
      if (ALL_FAIL.some((code) => isWaymarkError(error, code)))
        for (let next = takeNext(); next; next = takeNext()) next.fail(error);
    }
  }
}

const NONE: ReadonlySet<string> = new Set();

/** Ids of the bookmarks by which executions wait for their next attempt. */
function retriesOf({ state }: LoadedInstance): ReadonlySet<string> {
  const all = bookmarkEntries(state).map((entry) => readEntry(entry));
  return new Set(all.filter(({ name }) => name === RETRY_BOOKMARK).map(({ id }) => id));
}

/** The instance is gone, or has ended, or this node lacks its code. */
const ALL_FAIL = ['WM3001', 'WM3003', 'WM2040'];

function unsettled(requests: readonly ResumeRequest[]): ResumeRequest[] {
  return requests.filter(({ isSettled }) => !isSettled);
}

/** The first of them that may share a burst. */
function together(requests: readonly ResumeRequest[]): ResumeRequest[] {
  let count = 0;
  for (let most = Infinity; count < requests.length && count < most; count++)
    most = Math.min(most, requests[count]!.maxShared);
  return requests.slice(0, Math.max(1, Math.min(count, ...requests.slice(0, count).map(({ maxShared }) => maxShared))));
}

/** Fails those who are known to be at fault, or must not be tried again; the others are. */
function afterFailure(burst: SharedBurst, error: unknown): void {
  const { begun, culprit } = burst.failed();
  const failAll = (requests: readonly ResumeRequest[]) => {
    for (const request of requests) request.fail(error);
  };
  if (isWaymarkError(error, 'WM7001')) {
    // Whoever was faster had less to do.
    shareAmong(begun, Math.ceil(begun.length / 2));
    return failAll(begun.filter(({ attempts }) => attempts >= MAX_CONFLICTS));
  }
  if (begun.length <= 1 || isStoreOutage(error)) return failAll(begun);
  const atFault = begun.filter((request) => isAbout(error, request));
  if (atFault.length > 0) return failAll(atFault);
  shareAmong(begun, culprit ? begun.length - 1 : Math.ceil(begun.length / 2));
  if (culprit) culprit.maxShared = 1;
}

function shareAmong(requests: readonly ResumeRequest[], maxShared: number): void {
  for (const request of requests) request.maxShared = Math.max(1, maxShared);
}

/** It wanted what is used up. */
function isAbout(error: unknown, request: ResumeRequest): boolean {
  if (isWaymarkError(error, 'WM7004')) return request.uses((error as MessageConsumedError).messageId);
  return isWaymarkError(error, 'WM7002') && (error as BookmarkConsumedError).bookmarkId === request.run.bookmarkId;
}
