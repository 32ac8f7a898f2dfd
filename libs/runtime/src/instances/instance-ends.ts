import { Inject, Injectable } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import type { WorkflowState } from '@waymark/core';
import { type CancelTimer, WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowEvent, type WorkflowExecuted } from '../events/workflow-events.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import {
  ForeignInstanceError,
  InstanceNotFoundError,
  ResultTimeoutOptionError,
  WorkflowResultTimeoutError,
} from '../services/instance-errors.js';
import type { ResultOptions } from '../services/typed-workflows.js';

const TIMEOUT_MS = 60_000;
/** The first look after the one that found it running; each further one waits twice as long. */
const FIRST_LOOK_MS = 50;

export interface AwaitedInstance {
  readonly id: string;
  /** The workflow that it must be an instance of. */
  readonly definitionId: string;
  /** If true, it may not be there yet. @default false */
  readonly mayCome?: boolean;
}

/** @throws ResultTimeoutOptionError */
export function requireTimeout(timeoutMs: number | undefined): void {
  if (timeoutMs !== undefined && !(Number.isFinite(timeoutMs) && timeoutMs >= 0))
    throw new ResultTimeoutOptionError(timeoutMs);
}

/** Waits for instances to end: those of this node are heard, those of others are looked for. */
@Injectable()
export class InstanceEnds {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly emitter: EventEmitter2,
    private readonly clock: WorkflowClock,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {}

  /**
   * The state in which the instance has ended.
   * @throws WorkflowResultTimeoutError, InstanceNotFoundError, ForeignInstanceError, ResultTimeoutOptionError; the reason of
   * the signal
   */
  async wait(
    { id, definitionId, mayCome = false }: AwaitedInstance,
    { timeoutMs = TIMEOUT_MS, signal }: ResultOptions,
  ): Promise<WorkflowState> {
    requireTimeout(timeoutMs);
    const watch = new Watch(this.clock, timeoutMs, signal);
    const onFinished = ({ workflowInstanceId, state }: WorkflowExecuted): void => {
      if (workflowInstanceId === id) watch.heard(state);
    };
    // Before the first look, so that no end in between is missed. Only while a caller waits: listening costs every burst.
    this.emitter.on(WorkflowEvent.WorkflowFinished, onFinished);
    try {
      let isExpected = mayCome;
      for (let pauseMs = FIRST_LOOK_MS; ; pauseMs *= 2) {
        signal?.throwIfAborted();
        const found = watch.state ?? (await this.look(id, definitionId));
        // What was heard meanwhile is newer.
        const state = watch.state ?? found;
        if (state === 'missing' && !isExpected) throw new InstanceNotFoundError(id);
        if (state !== 'missing') isExpected = false;
        if (typeof state === 'object') {
          if (state.definitionId !== definitionId) throw new ForeignInstanceError(id, state.definitionId, definitionId);
          return state;
        }
        if (watch.isLate) throw new WorkflowResultTimeoutError(id, timeoutMs);
        await watch.pause(Math.min(pauseMs, this.options.pollIntervalMs));
      }
    } finally {
      this.emitter.off(WorkflowEvent.WorkflowFinished, onFinished);
      watch.end();
    }
  }

  /** @throws ForeignInstanceError; nothing when it is not there, which what follows finds out */
  async requireOf(definitionId: string, id: string): Promise<void> {
    const [found] = (await this.persistence.instances.findMany({ ids: [id] })).items;
    if (found && found.definitionId !== definitionId)
      throw new ForeignInstanceError(id, found.definitionId, definitionId);
  }

  /** Its state once it has ended. Until then a look costs no more than its summary. */
  private async look(id: string, definitionId: string): Promise<WorkflowState | 'running' | 'missing'> {
    const { instances } = this.persistence;
    const [found] = (await instances.findMany({ ids: [id] })).items;
    if (!found) return 'missing';
    if (found.definitionId !== definitionId) throw new ForeignInstanceError(id, found.definitionId, definitionId);
    if (found.status !== 'Finished') return 'running';
    return (await instances.load(id))?.state ?? 'missing';
  }
}

/** One wait: until something is heard, the time is up, or the caller gives up. */
class Watch {
  state: WorkflowState | undefined;
  isLate = false;
  private wake: (() => void) | undefined;
  private readonly cancelTimeout: CancelTimer;

  constructor(
    private readonly clock: WorkflowClock,
    timeoutMs: number,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.cancelTimeout = clock.setTimer(() => {
      this.isLate = true;
      this.wake?.();
    }, timeoutMs);
    signal?.addEventListener('abort', this.onAbort);
  }

  heard(state: WorkflowState): void {
    this.state = state;
    this.wake?.();
  }

  async pause(ms: number): Promise<void> {
    if (this.state || this.isLate || this.signal?.aborted) return;
    let cancel: CancelTimer | undefined;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      cancel = this.clock.setTimer(resolve, ms, { isPoll: true });
    });
    this.wake = undefined;
    cancel?.();
  }

  end(): void {
    this.cancelTimeout();
    this.signal?.removeEventListener('abort', this.onAbort);
  }

  private readonly onAbort = (): void => this.wake?.();
}
