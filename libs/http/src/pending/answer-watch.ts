import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type { WorkflowState } from '@waymark/core';
import { toErrorLike } from '@waymark/core/adapter';
import {
  type CancelTimer,
  WorkflowClock,
  WorkflowEvent,
  type WorkflowExecuted,
  WorkflowPersistence,
} from '@waymark/runtime';
import {
  RUNTIME_OPTIONS,
  type ResolvedRuntimeOptions,
  StoreOutages,
  WorkflowEventEmitter,
  WorkflowLogger,
} from '@waymark/runtime/adapter';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../module/http-options.js';
import { HandedOverRequests } from '../serving/handed-over-requests.js';
import { InstanceLooks, type KnownTokens } from './instance-looks.js';
import { isAnswered, keptRequest, type KeptRequest } from './kept-requests.js';

/** The result of waiting for an answer. */
export type Awaited =
  | { readonly kind: 'answered'; readonly request: KeptRequest; readonly state: WorkflowState }
  /** The instance has ended without an answer. */
  | { readonly kind: 'ended'; readonly state: WorkflowState }
  | { readonly kind: 'pending'; readonly state: WorkflowState }
  /** The instance does not exist any more, or no longer keeps the request. */
  | { readonly kind: 'gone' };

/** The kept request whose answer is awaited. */
export interface AwaitedRequest {
  readonly workflowInstanceId: string;
  /** Hash of its token. */
  readonly token: string;
}

interface Waiter extends AwaitedRequest {
  /** Revision of the instance as it was last read by a look. */
  seen: number | undefined;
  /** @param awaited undefined: stop waiting */
  settle(awaited: Awaited | undefined): void;
}

const GONE: Awaited = { kind: 'gone' };
/** How often the store is queried for commits of other nodes, in one query for all waiting requests. */
const LOOK_MS = 250;

/**
 * Holds requests until their instance has answered them, on any node: bursts of this node raise events, those of other nodes are
 * found in the store, where the answer is part of the commit.
 */
@Injectable()
export class AnswerWatch implements BeforeApplicationShutdown {
  private readonly logger = new WorkflowLogger('AnswerWatch');
  private readonly looks: InstanceLooks;
  private readonly waiters = new Set<Waiter>();
  private stopListening: (() => void) | undefined;
  private cancelLook: CancelTimer | undefined;
  /** A look is under way, and sees to the next one itself. */
  private isLooking = false;
  /** True once the application shuts down: no request is held any more. */
  isClosing = false;

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly events: WorkflowEventEmitter,
    private readonly clock: WorkflowClock,
    private readonly outages: StoreOutages,
    private readonly handedOver: HandedOverRequests,
    @Inject(RUNTIME_OPTIONS) private readonly runtime: ResolvedRuntimeOptions,
    @Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions,
  ) {
    this.looks = new InstanceLooks(persistence.instances);
  }

  /** Ends all waiting at shutdown: a server that closes waits for its requests. */
  beforeApplicationShutdown(): void {
    this.isClosing = true;
    for (const waiter of this.waiters) waiter.settle(undefined);
  }

  /** What is known now. */
  async look({ workflowInstanceId: id, token }: AwaitedRequest): Promise<Awaited> {
    const other = await this.looks.knownWithout(id, token);
    if (other && (await this.isUnknown(id, token, other))) return GONE;
    const loaded = await this.looks.load(id);
    const known = judge(loaded?.state, token);
    if (known.kind !== 'gone' || !loaded) return known;
    if (await this.handedOver.isWaiting(loaded.state, token)) return { kind: 'pending', state: loaded.state };
    // It may have been served in between.
    return (await this.looks.isStill(id, loaded.revision)) ? GONE : judge((await this.looks.load(id))?.state, token);
  }

  /** Whether no request with that token is stored for the instance either, and none has been served meanwhile. */
  private async isUnknown(id: string, token: string, instance: KnownTokens): Promise<boolean> {
    return !(await this.handedOver.isWaiting(instance, token)) && (await this.looks.isStill(id, instance.revision));
  }

  /**
   * Resolves when the instance has answered, ended or disappeared, or when the time is over.
   * @param gone aborted when the client has left, so that there is no request to hold
   */
  async wait(request: AwaitedRequest, waitMs: number, gone: AbortSignal): Promise<Awaited> {
    if (this.isClosing || gone.aborted || this.waiters.size >= this.options.maxWaiting) return this.look(request);
    let settle!: (awaited: Awaited | undefined) => void;
    const settled = new Promise<Awaited | undefined>((resolve) => (settle = resolve));
    const waiter: Waiter = { ...request, seen: undefined, settle };
    const leave = (): void => settle(undefined);
    gone.addEventListener('abort', leave);
    // Before the first look, so that no answer in between is missed.
    this.enter(waiter);
    const cancelTimeout = this.clock.setTimer(leave, waitMs);
    try {
      const now = await this.look(request);
      return now.kind === 'pending' ? ((await settled) ?? now) : now;
    } finally {
      cancelTimeout();
      gone.removeEventListener('abort', leave);
      this.leave(waiter);
    }
  }

  private enter(waiter: Waiter): void {
    this.waiters.add(waiter);
    this.stopListening ??= this.events.listen<WorkflowExecuted>(
      WorkflowEvent.WorkflowStateCommitted,
      ({ workflowInstanceId, state }) => this.tell(workflowInstanceId, state),
    );
    this.lookSoon();
  }

  private leave(waiter: Waiter): void {
    this.waiters.delete(waiter);
    if (this.waiters.size > 0) return;
    // Listening costs every burst, and looks cost the store: only while a request waits.
    this.stopListening?.();
    this.stopListening = undefined;
    this.cancelLook?.();
    this.cancelLook = undefined;
  }

  private tell(workflowInstanceId: string, state: WorkflowState | undefined): void {
    for (const waiter of this.waiters) {
      if (waiter.workflowInstanceId !== workflowInstanceId) continue;
      const awaited = judge(state, waiter.token);
      // A request that was handed over is not in the state yet: the next look decides.
      const isUndecided = awaited.kind === 'pending' || (awaited.kind === 'gone' && state !== undefined);
      if (!isUndecided) waiter.settle(awaited);
    }
  }

  private lookSoon(): void {
    if (this.isLooking) return;
    const delayMs = Math.min(LOOK_MS, this.runtime.pollIntervalMs);
    this.cancelLook ??= this.clock.setTimer(() => void this.lookAround(), delayMs, { isPoll: true });
  }

  private async lookAround(): Promise<void> {
    this.cancelLook = undefined;
    this.isLooking = true;
    try {
      await this.lookAtAll();
    } catch (error) {
      // Requests keep waiting: the store may be back in time.
      if (!this.outages.report(error))
        this.logger.error(
          `Failed to look for answers to kept requests; retrying: ${String(error)}`,
          toErrorLike(error).stack,
        );
    } finally {
      this.isLooking = false;
      if (this.waiters.size > 0) this.lookSoon();
    }
  }

  /** Reads the states of only those instances that were written since the last look. */
  private async lookAtAll(): Promise<void> {
    const { instances } = this.persistence;
    await Promise.all(
      [...this.waiters].map(async (waiter) => {
        const revision = await instances.readRevision(waiter.workflowInstanceId);
        if (revision === waiter.seen) return;
        waiter.seen = revision;
        const awaited = await this.look(waiter);
        if (awaited.kind !== 'pending') waiter.settle(awaited);
      }),
    );
  }
}

function judge(state: WorkflowState | undefined, token: string): Awaited {
  const request = keptRequest(state?.properties, token);
  if (!state || !request) return GONE;
  if (isAnswered(request)) return { kind: 'answered', request, state };
  return state.status === 'Finished' ? { kind: 'ended', state } : { kind: 'pending', state };
}
