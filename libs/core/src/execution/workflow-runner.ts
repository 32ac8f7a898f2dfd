import { WorkflowExecutionError } from '../errors/execution-errors.js';
import { isPromiseLike } from '../values/promise-like.js';
import type { TypeRegistry } from '../values/type-registry.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { ActivityInvoker } from './activity-invoker.js';
import { settleSurvivors } from './clean-up.js';
import { BurstPacer } from './burst-pacer.js';
import { leavesRest, originOf } from './burst-origin.js';
import { forgetStartInVain, takeKeptStart } from './kept-start.js';
import type { BurstCommits, BurstRequest } from './burst-request.js';
import type { EngineOptions } from './engine-options.js';
import { scheduleFirst } from './schedule-first.js';
import type { WorkDetails, WorkItem } from './work-item.js';
import { WorkflowExecutionContext } from './workflow-execution-context.js';
import { EncryptionNotConfiguredError } from '../secrets/value-cipher.js';
import { noteEncryptedInput } from './encrypted-parts.js';
import { extractInParts, extractState } from './extract-state.js';
import { persistedInput } from './extract-parts.js';
import { mayRest } from './extract-resting.js';
import { isWorthParts } from '../values/in-parts.js';
import type { RestingParts } from './resting-contexts.js';
import { restingParts, restoreResting } from './restore-resting.js';
import { restoreInParts, restoreState } from './restore-state.js';
import { JournalShare } from './journal-share.js';
import type { JournalWriter } from './journal-writer.js';
import { settleStep } from './settle-step.js';
import type { JournalChunk } from '../journal/journal-entry.js';
import { listLengths } from '../state/resting-state.js';
import { WorkflowSubStatus, type WorkflowState } from '../state/workflow-state.js';

const CHECKPOINT_EVERY = 10_000;

type LoopRequest = Pick<BurstRequest, 'onCheckpoint' | 'checkpointEvery' | 'attempt' | 'bookmarkId' | 'commits'>;

/** Runs bursts: load state → work items until none is left → the state to be stored. Stores nothing itself. */
export class WorkflowRunner {
  /** Runs single activities: middleware, inputs, `execute`, outputs. */
  readonly invoker: ActivityInvoker;
  private readonly journals = new JournalShare();

  constructor(
    /** What the engine was given. */
    readonly engine: EngineOptions,
    /** The types of values. */
    readonly types: TypeRegistry,
  ) {
    this.invoker = new ActivityInvoker(engine);
  }

  /** Creates an instance that has not run: sub-status Pending. */
  create(request: BurstRequest): WorkflowExecutionContext {
    return this.createFrom(request, request.state && restingParts(request.state, request));
  }

  private createFrom(request: BurstRequest, parts: RestingParts | undefined): WorkflowExecutionContext {
    const wec = this.newContext(request);
    const { state } = request;
    if (state && parts) restoreResting(wec, state, parts, this.types);
    else if (state) restoreState(wec, state, this.types);
    return this.prepare(wec, request);
  }

  /** Does the same as `create`, with pauses for other work if the stored state is large. */
  createPaced(request: BurstRequest): WorkflowExecutionContext | Promise<WorkflowExecutionContext> {
    const { state } = request;
    if (!state) return this.createFrom(request, undefined);
    const parts = restingParts(state, request);
    return !parts && isWorthParts(listLengths(state).activityExecutionContexts)
      ? this.createInParts(request, state)
      : this.createFrom(request, parts);
  }

  private async createInParts(request: BurstRequest, state: WorkflowState): Promise<WorkflowExecutionContext> {
    const wec = this.newContext(request);
    await restoreInParts(wec, state, this.types, this.pause);
    return this.prepare(wec, request);
  }

  private newContext({ instanceId, graph, signal, keepsUnreadable }: BurstRequest): WorkflowExecutionContext {
    const wec = new WorkflowExecutionContext(instanceId, graph, this.engine, this.invoker, signal);
    wec.vault.isLenient = keepsUnreadable === true;
    return wec;
  }

  private prepare(wec: WorkflowExecutionContext, request: BurstRequest): WorkflowExecutionContext {
    wec.origin = originOf(wec, request);
    noteRest(wec, request);
    this.applyRequest(wec, request);
    return wec;
  }

  private readonly pause = async (): Promise<void> => this.engine.yield?.();

  /** Returns the state to store. */
  extract(wec: WorkflowExecutionContext): WorkflowState {
    return extractState(wec);
  }

  /** Does the same as `extract`, with pauses for other work if the instance is large. The instance must not change meanwhile. */
  extractPaced(wec: WorkflowExecutionContext): WorkflowState | Promise<WorkflowState> {
    const { size, resting } = wec.contexts;
    // What was left at rest stays so, or has to be restored now: after a fault, for instance.
    const atRest = resting !== undefined && mayRest(wec) ? resting.count : 0;
    return isWorthParts(size - atRest + wec.queue.size) ? extractInParts(wec, this.pause) : extractState(wec);
  }

  /**
   * Returns what the burst adds to the journal; with pauses for other work if that is much. A cancellation that arrives in one of them is
   * left to the stored instance: otherwise records would show as cancelled what the state, which was taken before, shows as running.
   */
  takeJournal(wec: WorkflowExecutionContext): JournalChunk | Promise<JournalChunk> | undefined {
    const { journal } = wec;
    return journal && isWorthParts(journal.size) ? this.takeJournalInParts(wec, journal) : journal?.take();
  }

  private async takeJournalInParts(wec: WorkflowExecutionContext, journal: JournalWriter): Promise<JournalChunk> {
    const { isBeingTaken } = wec;
    wec.isBeingTaken = true;
    try {
      return await journal.takeInParts(this.pause);
    } finally {
      wec.isBeingTaken = isBeingTaken;
    }
  }

  /**
   * Runs one burst.
   * @throws WorkflowExecutionError WM2020 the instance has ended · WM2021 the bookmark is not (any more) part of it ·
   *   WM2022 an activity handle that names nothing
   * @throws EncryptionNotConfiguredError, and what the cipher throws
   */
  async run(request: BurstRequest): Promise<WorkflowExecutionContext> {
    return this.runPaced(request);
  }

  /**
   * Does the same. Most bursts wait for nothing, and cost no promise: then what `run` rejects with is thrown here.
   * @internal
   */
  runPaced(request: BurstRequest): WorkflowExecutionContext | Promise<WorkflowExecutionContext> {
    const created = this.createPaced(request);
    return isPromiseLike(created)
      ? created.then((wec) => this.runCreated(wec, request))
      : this.runCreated(created, request);
  }

  private runCreated(
    wec: WorkflowExecutionContext,
    request: BurstRequest,
  ): WorkflowExecutionContext | Promise<WorkflowExecutionContext> {
    if (!wec.isRunning)
      throw new WorkflowExecutionError(
        'WM2020',
        `Workflow instance '${wec.id}' has ended (${wec.subStatus}) and cannot be run. Start another one.`,
      );
    // Nothing is done that could not be stored.
    if (!this.engine.cipher && wec.graph.usesEncryption)
      throw new EncryptionNotConfiguredError(`A value of workflow '${wec.graph.definition.definitionId}'`);
    const scheduled = scheduleFirst(wec, request);
    return isPromiseLike(scheduled)
      ? scheduled.then(() => this.runScheduled(wec, request))
      : this.runScheduled(wec, request);
  }

  private runScheduled(
    wec: WorkflowExecutionContext,
    request: BurstRequest,
  ): WorkflowExecutionContext | Promise<WorkflowExecutionContext> {
    request.onBegin?.(wec);
    const working = this.work(wec, request);
    if (working) return working.then(() => this.recorded(wec));
    return this.recorded(wec);
  }

  private recorded(wec: WorkflowExecutionContext): WorkflowExecutionContext {
    this.recordChanged(wec);
    return wec;
  }

  /**
   * Resumes a further bookmark in a burst that has nothing left to do, with the same effect as if what came before had been
   * stored and loaded again: the caller stores both at once. Costs what the resume does, however large the instance is.
   * @param wec running, resumed before, and waiting at the bookmark of the request
   * @throws WorkflowExecutionError WM2021 · what ends the burst: then nothing of it can be stored
   */
  async resumeNext(wec: WorkflowExecutionContext, request: BurstRequest): Promise<void> {
    settleStep(wec);
    forgetStartInVain(wec);
    wec.forgetRequest(request.signal);
    wec.origin = originOf(wec, request);
    this.applyRequest(wec, request);
    const scheduled = scheduleFirst(wec, request);
    if (isPromiseLike(scheduled)) await scheduled;
    const working = this.work(wec, request);
    if (working) await working;
  }

  /** Runs what is queued, through the workflow middleware. */
  async drain(wec: WorkflowExecutionContext, request: LoopRequest = {}): Promise<void> {
    forgetInputOfRest(wec);
    await this.work(wec, request);
    this.recordChanged(wec);
  }

  /** Has the journal record the executions that changed and have not ended. */
  recordChanged(wec: WorkflowExecutionContext): void {
    const { journal, contexts } = wec;
    if (journal) for (const ctx of contexts.awake()) if (ctx.isDirty) journal.record(ctx);
  }

  /** @returns undefined when it is done: most bursts wait for nothing, and cost no promise */
  private work(wec: WorkflowExecutionContext, request: LoopRequest): Promise<void> | undefined {
    const running = this.engine.workflowMiddleware?.length
      ? this.runMiddleware(wec, request, 0)
      : this.loop(wec, request);
    if (running) return running.then(() => wec.settle());
    wec.settle();
    return undefined;
  }

  /** Asynchronous in any case: what a burst throws comes to a middleware as a rejection of what it called. */
  private async runMiddleware(wec: WorkflowExecutionContext, request: LoopRequest, index: number): Promise<void> {
    const middleware = this.engine.workflowMiddleware![index];
    return middleware ? middleware(wec, () => this.runMiddleware(wec, request, index + 1)) : this.loop(wec, request);
  }

  private applyRequest(wec: WorkflowExecutionContext, request: BurstRequest): void {
    const { correlationId, name } = request;
    if (correlationId !== undefined && correlationId !== null) wec.correlationId = correlationId;
    if (name !== undefined && name !== null) wec.name = name;
    wec.parentWorkflowInstanceId = request.parentWorkflowInstanceId ?? wec.parentWorkflowInstanceId;
    wec.triggerActivityId =
      request.triggerActivityId ?? takeStartOfRest(wec, request) ?? takeKeptStart(wec, request, persistedInput);
    // What only changes the instance may end it with the input of the burst that it gives up.
    if (!request.isChange) forgetInputOfRest(wec);
    if (request.input) wec.input = { ...wec.input, ...request.input };
    if (this.engine.cipher) noteEncryptedInput(wec);
    if (request.properties) wec.properties = { ...request.properties, ...wec.properties };
    for (const [key, value] of request.transient ?? []) wec.transient.set(key, value);
  }

  /** @returns undefined when the burst is over already */
  private loop(wec: WorkflowExecutionContext, request: LoopRequest): Promise<void> | undefined {
    wec.subStatus = WorkflowSubStatus.Executing;
    const progress = new BurstPacer(wec.now());
    if (request.commits) return this.beside(this.runOffering(wec, request, request.commits, progress));
    const pause = this.runItems(wec, request, progress);
    return pause && this.beside(this.goOn(wec, request, progress, pause));
  }

  /** Counts a burst that takes more than a turn. */
  private async beside(running: Promise<void>): Promise<void> {
    this.journals.enter();
    try {
      await running;
    } finally {
      this.journals.leave();
    }
  }

  private async goOn(
    wec: WorkflowExecutionContext,
    request: LoopRequest,
    progress: BurstPacer,
    begun: Promise<void>,
  ): Promise<void> {
    for (let pause: Promise<void> | undefined = begun; pause; pause = this.runItems(wec, request, progress))
      await pause;
  }

  /**
   * Runs items for as long as nothing has to be waited for. Synchronous, and what is rare is left to others: this is the
   * loop around every step, and what the compiler makes of it is a good part of what a step costs.
   * @returns what to wait for before continuing; undefined at the end of the burst
   */
  private runItems(
    wec: WorkflowExecutionContext,
    request: LoopRequest,
    progress: BurstPacer,
  ): Promise<void> | undefined {
    // Begun in a pause, such as a cancellation that has to restore thousands before: nothing is executed until then.
    if (wec.isTracking) return settleTracked(wec);
    const hasCheckpoints = request.onCheckpoint !== undefined && wec.journal !== undefined;
    for (let item = nextItem(wec); item; item = nextItem(wec)) {
      const ctx = item.existing ?? this.open(wec, item, request.attempt);
      const done = this.invoker.invoke(ctx, item);
      const isPauseDue = progress.next(wec);
      if (
        isPauseDue ||
        wec.isTracking ||
        isPromiseLike(done) ||
        (hasCheckpoints && isCheckpointDue(wec, request, this.journals.chars))
      )
        return this.settle(wec, request, done, progress, isPauseDue);
    }
    return undefined;
  }

  /** The same with chances to commit around each item. */
  private async runOffering(
    wec: WorkflowExecutionContext,
    request: LoopRequest,
    commits: BurstCommits,
    progress: BurstPacer,
  ): Promise<void> {
    if (request.bookmarkId === undefined) await commits.begin(wec);
    wec.now();
    for (let item = nextItem(wec); item; item = nextItem(wec)) {
      const ctx = item.existing ?? this.open(wec, item, request.attempt);
      if (!item.bookmark) {
        await this.offerCommit(ctx, commits);
        if (wec.isTracking) await settleTracked(wec);
        if (!wec.isRunning) return;
      }
      await this.settle(wec, request, this.invoker.invoke(ctx, item), progress, progress.next(wec));
      if (wec.isRunning && wec.queue.size > 0) {
        await commits.executed(ctx);
        if (wec.isTracking) await settleTracked(wec);
        wec.now();
      }
    }
  }

  /** Waits for an item and for all that it has begun. */
  private async settle(
    wec: WorkflowExecutionContext,
    request: LoopRequest,
    done: unknown,
    progress: BurstPacer,
    isPauseDue: boolean,
  ): Promise<void> {
    await done;
    if (wec.isTracking) await settleTracked(wec);
    if (progress.hasWaited(wec.now()) || isPauseDue) {
      await this.engine.yield?.();
      wec.now();
    }
    if (!isCheckpointDue(wec, request, this.journals.chars)) return;
    await request.onCheckpoint!(wec);
    wec.now();
  }

  /** What is stored must show it as begun, or a takeover would not know of it: it has left the queue. */
  private async offerCommit(ctx: ActivityExecutionContext, commits: BurstCommits): Promise<void> {
    ctx.isExecuting = true;
    await commits.executing(ctx);
    ctx.workflow.now();
  }

  private open(
    wec: WorkflowExecutionContext,
    { node, owner, callback, after, details }: WorkItem,
    attempt = 1,
  ): ActivityExecutionContext {
    const ctx = wec.createContext(node, owner);
    ctx.callback = callback;
    if (attempt !== 1) {
      ctx.attempt = attempt;
      ctx.attemptsBefore = attempt - 1;
    }
    if (details) applyDetails(ctx, details);
    if (!owner) ctx.scheduledBy = details;
    else if (after) ctx.follow(after);
    return ctx;
  }
}

/** Waits for all that has been begun, and for what that begins. */
async function settleTracked(wec: WorkflowExecutionContext): Promise<void> {
  for (let tracked = wec.takeTracked(); tracked; tracked = wec.takeTracked()) await Promise.all(tracked);
}

/** Gives an execution what it was scheduled with: the item of a loop, or what an undo has kept. */
export function applyDetails(
  ctx: ActivityExecutionContext,
  { tag, input, callStackDepth, variables }: WorkDetails,
): void {
  ctx.tag = tag;
  ctx.activityInput = input;
  if (callStackDepth !== undefined) ctx.callStackDepth = callStackDepth;
  if (variables) ctx.slots = ctx.slots ? [...variables, ...ctx.slots] : [...variables];
}

/**
 * What another burst has left is stored again as it was, where this one leaves it: both would do it otherwise, under different
 * identities (W9). Its own node continues with it, or it is taken over when that node has died.
 */
function noteRest(wec: WorkflowExecutionContext, request: BurstRequest): void {
  const { state } = request;
  if (state?.burstId === undefined && state?.burstOrigin === undefined) return;
  const { burstId, burstOrigin, input } = state;
  if (leavesRest(request)) {
    wec.isBeside = true;
    wec.burstId = undefined;
    wec.queue.hold();
  } else if (burstId !== undefined) return;
  wec.interrupted = { burstId, burstOrigin, input };
}

/** The start that this burst continues with. */
function takeStartOfRest(wec: WorkflowExecutionContext, request: BurstRequest): string | undefined {
  const origin = leavesRest(request) ? undefined : request.state?.burstOrigin;
  if (origin?.triggerActivityId === undefined) return undefined;
  wec.repeatsStart = origin.repeatsStart === true;
  return origin.triggerActivityId;
}

/** It belongs to the other burst, and is stored with that; or to the start, which this one repeats. */
function forgetInputOfRest(wec: WorkflowExecutionContext): void {
  if (!wec.isBeside || wec.repeatsStart) return;
  wec.keepsInput = false;
  wec.input = persistedInput(wec);
}

function nextItem(wec: WorkflowExecutionContext): WorkItem | undefined {
  if (wec.survivors !== undefined) settleSurvivors(wec);
  return wec.isRunning ? wec.queue.take() : undefined;
}

function isCheckpointDue(
  wec: WorkflowExecutionContext,
  { onCheckpoint, checkpointEvery }: LoopRequest,
  mostChars: number,
): boolean {
  const { journal } = wec;
  if (!onCheckpoint || !journal) return false;
  if (journal.size < (checkpointEvery ?? CHECKPOINT_EVERY) && journal.chars < mostChars) return false;
  // Beside another burst nothing is stored: each step would wait for that.
  return wec.isRunning && !wec.isBeside && wec.queue.size > 0;
}
