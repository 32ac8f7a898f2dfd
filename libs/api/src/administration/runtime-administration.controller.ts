import { Inject, Req } from '@nestjs/common';
import { toPlainJson } from '@waymark/core/adapter';
import { RuntimeGate, WorkflowClock, WorkflowEngine } from '@waymark/runtime';
import { NodeHeartbeat, RUNTIME_OPTIONS, type ResolvedRuntimeOptions, within } from '@waymark/runtime/adapter';
import { RuntimeDrainingError } from '../answers/api-errors.js';
import { Audited, type AuditedRoute, textIn } from '../audit/audited.js';
import { principalOf } from '../identity/api-auth.guard.js';
import { ApiController, ApiGet, ApiPost } from '../module/api-controller.js';
import { FromOptionalBody } from '../requests/bind.js';
import type { HttpRequest } from '../requests/http-request.js';
import { withoutNulls } from '../requests/json-values.js';
import * as read from '../requests/readers.js';
import { type DrainOutcome, drainOutcome, type SourceState } from './drain-outcome.js';

const READ = ['read:workflow-runtime', 'ManageWorkflowRuntime'];
const MANAGE = 'ManageWorkflowRuntime';
const SOURCES = ['scheduling.trigger', 'internal.bookmark-queue-worker', 'http.trigger'];

/** A reason is a sentence for people. */
const MOST_CHARACTERS = 1000;
const order = read.members({ reason: read.nameUpTo(MOST_CHARACTERS, read.typed) });
type Order = read.ReadBy<typeof order>;

interface RuntimeStatus {
  readonly state: {
    readonly reason: string;
    readonly isAcceptingNewWork: boolean;
    readonly pausedAt?: Date | undefined;
    readonly drainStartedAt?: Date | undefined;
    readonly pauseReasonText?: string | undefined;
    readonly pauseRequestedBy?: string | undefined;
    readonly generationId: string;
  };
  readonly sources: readonly SourceState[];
  readonly activeExecutionCycleCount: number;
}

/** Target of the audit entry: this process, by the id in its status. */
const NODE: Omit<AuditedRoute, 'action'> = {
  target: 'node',
  note: ({ body, answer }) => ({
    targetIds: [textIn(answer.state, 'generationId')].filter((id) => id !== undefined),
    details: { reason: textIn(body, 'reason') },
  }),
};

/** Pauses and resumes this node. A pause applies to requests, timers, messages and calls of the application. */
@ApiController('admin/workflow-runtime')
export class RuntimeAdministrationController {
  /** Of this process: a restart is a new generation. */
  private readonly generationId: string;
  /** Once nothing executes any more, that does not change. */
  private drained: DrainOutcome | undefined;

  constructor(
    private readonly gate: RuntimeGate,
    private readonly heartbeat: NodeHeartbeat,
    private readonly clock: WorkflowClock,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
    engine: WorkflowEngine,
  ) {
    this.generationId = engine.newId();
  }

  @ApiGet('status', ...READ)
  status(): RuntimeStatus {
    const { closedBecause, history } = this.gate;
    const reason = closedBecause === 'paused' ? 'AdministrativePause' : closedBecause === 'draining' ? 'Drain' : 'None';
    return {
      state: withoutNulls({
        reason,
        isAcceptingNewWork: !closedBecause,
        pausedAt: history.pausedAt,
        drainStartedAt: history.drainStartedAt,
        pauseReasonText: history.pauseReason,
        pauseRequestedBy: history.requestedBy,
        generationId: this.generationId,
      }),
      sources: SOURCES.map((name) =>
        withoutNulls({ name, state: closedBecause ? 'Paused' : 'Running', lastTransitionAt: history.changedAt }),
      ),
      activeExecutionCycleCount: this.gate.activeBursts,
    };
  }

  @Audited('runtime.pause', NODE)
  @ApiPost('pause', MANAGE)
  async pause(@FromOptionalBody(order) { reason }: Order, @Req() request: HttpRequest): Promise<RuntimeStatus> {
    if (this.gate.closedBecause === 'draining') throw this.draining('it cannot be paused. Start the node again first.');
    this.gate.pause({ reason, requestedBy: principalOf(request)?.name });
    await this.heartbeat.announce();
    return this.status();
  }

  @Audited('runtime.resume', NODE)
  @ApiPost('resume', MANAGE)
  async resume(@Req() request: HttpRequest): Promise<RuntimeStatus> {
    if (!this.gate.resume(principalOf(request)?.name))
      throw this.draining('it cannot be resumed. Start the node again.');
    await this.heartbeat.announce();
    return this.status();
  }

  /**
   * Refuses new work and waits for running bursts, before the node is stopped: as long as its shutdown would. They continue after that, and a
   * repeated request waits for them again.
   */
  @Audited('runtime.drain', NODE)
  @ApiPost('force-drain', MANAGE)
  // oxlint-disable-next-line no-unused-vars -- the audit trail has the reason, as the handler is given it
  async forceDrain(
    @FromOptionalBody(order) _order: Order,
  ): Promise<RuntimeStatus & { readonly outcome: DrainOutcome }> {
    const begun = new Date(this.clock.now());
    const idle = this.gate.drain();
    await this.heartbeat.announce();
    const isDone = await within(this.clock, this.options.drainTimeoutMs, idle);
    const outcome = this.drained ?? this.outcomeOf(isDone !== undefined, begun);
    if (isDone) this.drained = outcome;
    return { ...this.status(), outcome };
  }

  private outcomeOf(isDone: boolean, begun: Date): DrainOutcome {
    const period = [this.gate.history.drainStartedAt ?? begun, new Date(this.clock.now())] as const;
    return drainOutcome(isDone ? 'CompletedWithinDeadline' : 'DeadlineExceeded', period, this.status().sources);
  }

  private draining(why: string): RuntimeDrainingError {
    return new RuntimeDrainingError(`The runtime is shutting down: ${why}`, {
      state: toPlainJson(this.status()),
    });
  }
}
