import type { QuickJSHandle, QuickJSRuntime, SuccessOrFail } from 'quickjs-emscripten';
import { Deadline } from '../../budget/deadline.js';
import {
  ExpressionMemoryError,
  ExpressionSyntaxError,
  ExpressionTimeoutError,
} from '../../errors/expression-errors.js';
import type { CompiledScript } from '../script/compiled-script.js';
import type { Packed } from '../transfer/pack.js';
import { lostTogether, TOO_LATE } from './breaches.js';
import { Compartment } from './compartment.js';
import { isHostStackOverflow, isStackOverflow, readError, type EngineError } from './engine-error.js';
import type { Evaluation } from './evaluation.js';
import { toHandle } from './handles.js';
import type { HostBridge } from './host-bridge.js';
import { Prelude, SCRIPT_FILE } from './prelude.js';
import { SandboxMemoryFull, type SandboxModule } from './sandbox-module.js';
import { UnitCache } from './unit-cache.js';
import { SandboxStopped, type TimeLimits } from './watchdog.js';

export interface RealmOptions {
  readonly timeoutMs: number;
  readonly blockingMs: number;
  readonly memoryMb: number;
  readonly stackKb: number;
  readonly cacheSize: number;
  /** Scripts see the time of the host. */
  readonly hasClock: boolean;
}

/** Jobs that run before the clock is looked at again. */
const JOBS_PER_STEP = 100;

/**
 * A QuickJS runtime: usable → condemned, when a breach makes its contents doubtful → disposed, as soon as no evaluation
 * is left in it. Scripts share one frozen compartment; those that would notice the freezing get one of their own.
 *
 * 1. At most one evaluation runs at a time; others may wait for promises of the host meanwhile.
 * 2. No job is queued while no evaluation runs, so the queued ones belong to the evaluation that runs.
 * 3. Every call into scripts happens under the deadline of its evaluation.
 */
export class Realm {
  private readonly runtime: QuickJSRuntime;
  private readonly prelude: Prelude;
  private readonly shared: Compartment;
  private readonly units: UnitCache;
  private current: Evaluation | undefined;
  /** Evaluations that are not done. */
  private active = 0;
  private promises = 0;
  private isCondemned = false;
  /** A script was stopped that had jobs in the queue: they would run, and report results, in the name of another one. */
  private hasStrayJobs = false;
  private isDisposed = false;

  constructor(
    private readonly module: SandboxModule,
    private readonly bridge: HostBridge,
    private readonly options: RealmOptions,
  ) {
    module.requireRoom();
    this.runtime = module.quickjs.newRuntime();
    this.runtime.setMaxStackSize(options.stackKb << 10);
    this.runtime.setInterruptHandler(() => module.watchdog.isLate() || module.memory.usesReserve);
    const context = this.runtime.newContext();
    this.prelude = new Prelude(context, bridge.globalNames, options.hasClock, (call) => this.answer(call));
    this.shared = new Compartment(context, this.prelude, true);
    // The code of a script takes about ten bytes a character; a quarter of the memory may go into what is kept.
    this.units = new UnitCache(options.cacheSize, (options.memoryMb << 17) / 10);
  }

  get isUsable(): boolean {
    return !this.isCondemned && !this.module.isBroken;
  }

  get isRunning(): boolean {
    return this.current !== undefined;
  }

  /** The error of a text that is not a valid script. Nothing of it runs. */
  check(text: string, limits: TimeLimits): EngineError | undefined {
    try {
      return this.module.watchdog.guard(limits, () => {
        if (this.module.watchdog.isLate()) throw new SandboxStopped();
        const result = this.shared.context.evalCode(text, SCRIPT_FILE, { type: 'global', compileOnly: true });
        if (result.error) return readError(this.shared.context, result.error);
        result.value.dispose();
        return undefined;
      });
    } catch (error) {
      const breach = this.toBreach(error);
      this.disposeIfIdle();
      throw breach;
    }
  }

  /**
   * Runs a script up to its end, or up to where it waits for the host; answers the packed result, of which a leading `p`
   * says that it comes later, as {@link Evaluation.settled}. To be followed by {@link end}.
   * @throws ExpressionTimeoutError, ExpressionMemoryError when the script breaks a limit
   */
  run(script: CompiledScript, evaluation: Evaluation): string {
    this.active++;
    return this.step(evaluation, () => {
      const { context } = this.shared;
      if (!script.needsOwnContext) {
        let unit = this.units.get(script);
        if (!unit) this.units.add(script, (unit = this.createUnit(script, this.shared)));
        return this.take(context.callFunction(unit, context.undefined));
      }
      this.module.requireRoom();
      evaluation.compartment = new Compartment(this.runtime.newContext(), this.prelude, false);
      const unit = this.createUnit(script, evaluation.compartment);
      try {
        return this.take(context.callFunction(unit, context.undefined));
      } finally {
        if (!this.module.isBroken) unit.dispose();
      }
    });
  }

  /** The evaluation has its result, or is given up. */
  end(evaluation: Evaluation): void {
    evaluation.isDone = true;
    this.active--;
    this.attempt(() => {
      for (const id of evaluation.waitingFor) this.settlePromise(evaluation, id, undefined);
      evaluation.compartment?.dispose();
    });
    this.disposeIfIdle();
  }

  /** To be thrown away when no evaluation needs it any more. */
  condemn(): void {
    this.isCondemned = true;
    this.disposeIfIdle();
  }

  private createUnit(script: CompiledScript, compartment: Compartment): QuickJSHandle {
    const missing = script.needsHostTypes ? compartment.requireHostTypes() : undefined;
    if (missing) throw this.toEngineBreach(missing);
    const { context, makeUnit } = compartment;
    const factory = context.evalCode(script.code, SCRIPT_FILE, { type: 'global' });
    if (factory.error) throw this.toCompileError(readError(context, factory.error));
    const unit = factory.value.consume((code) => {
      const mentioned = toHandle(context, script.mentionedVariables);
      return mentioned.consume(() => context.callFunction(makeUnit, context.undefined, code, mentioned));
    });
    if (unit.error) throw this.toEngineBreach(readError(context, unit.error));
    return unit.value;
  }

  /** What the sandbox gets for a call of `host`. */
  private readonly answer = (call: QuickJSHandle): QuickJSHandle => {
    const { context } = this.shared;
    // A nested evaluation has cost the module; nothing in it may be touched on the way out.
    if (this.module.isBroken) return context.undefined;
    const leave = this.module.watchdog.enterHost();
    try {
      // A loop of calls that take long in the host reaches its next look at the deadline too late. So they stop taking long.
      if (this.module.watchdog.isLate()) {
        if (this.current) this.current.isLate = true;
        return toHandle(context, TOO_LATE);
      }
      return toHandle(context, this.bridge.answer(this.current, context.getString(call), this.onPromise));
    } catch {
      // Throwing here would be swallowed below us; the evaluation fails as soon as it is back.
      if (this.current) this.current.ranOutOfMemory = true;
      return context.undefined;
    } finally {
      leave();
    }
  };

  // ----- steps -----

  private step(evaluation: Evaluation, call: () => string): string {
    if (this.current) throw new Error('The realm already runs an evaluation.');
    this.current = evaluation;
    try {
      return this.module.watchdog.guard(evaluation, () => {
        const answer = call();
        this.runJobs();
        if (evaluation.ranOutOfMemory || this.module.memory.usesReserve) throw new SandboxMemoryFull();
        // What the script came to is the error that it was given instead of an answer.
        if (evaluation.isLate) throw new SandboxStopped();
        if (this.module.isBroken) throw lostTogether(this.options.timeoutMs, this.module.crash);
        return answer;
      });
    } catch (error) {
      const breach = this.toBreach(error);
      this.hasStrayJobs ||= !this.module.isBroken && this.runtime.hasPendingJob();
      throw breach;
    } finally {
      this.current = undefined;
      // Giving memory back needs some, and ends no other script.
      this.module.memory.reset();
    }
  }

  private runJobs(): void {
    while (this.runtime.hasPendingJob()) {
      const result = this.runtime.executePendingJobs(JOBS_PER_STEP);
      if (result.error) throw this.toEngineBreach(readError(this.shared.context, result.error));
      if (this.module.watchdog.isLate()) throw new SandboxStopped();
    }
  }

  private readonly onPromise = (evaluation: Evaluation, promise: Promise<Packed>): number => {
    const id = ++this.promises;
    evaluation.waitingFor.add(id);
    void promise.then((value) => this.resume(evaluation, id, value));
    return id;
  };

  private resume(evaluation: Evaluation, id: number, value: Packed): void {
    if (evaluation.isDone) return;
    evaluation.waitingFor.delete(id);
    try {
      if (this.module.isBroken || this.hasStrayJobs) throw lostTogether(this.options.timeoutMs, this.module.crash);
      evaluation.turn = new Deadline(this.options.blockingMs);
      this.step(evaluation, () => this.settlePromise(evaluation, id, value === undefined ? 'u' : value));
    } catch (error) {
      evaluation.failure ??= error as Error;
    }
    evaluation.onStep?.();
  }

  /** Without a value the sandbox only forgets the promise. */
  private settlePromise(evaluation: Evaluation, id: number, value: Packed): string {
    const { context } = this.shared;
    const { settle } = evaluation.compartment ?? this.shared;
    const packed = toHandle(context, value);
    const result = packed.consume(() =>
      toHandle(context, id).consume((key) => context.callFunction(settle, context.undefined, key, packed)),
    );
    return this.take(result);
  }

  // ----- results and errors -----

  private take(result: SuccessOrFail<QuickJSHandle, QuickJSHandle>): string {
    if (result.error) throw this.toEngineBreach(readError(this.shared.context, result.error));
    const text = this.shared.context.getString(result.value);
    result.value.dispose();
    // No result is empty: there was no room to write it down.
    if (text === '') throw new SandboxMemoryFull();
    return text;
  }

  private toCompileError(error: EngineError): Error {
    if (error.name !== 'SyntaxError' || isStackOverflow(error)) return this.toEngineBreach(error);
    return new ExpressionSyntaxError('JavaScript', error.message, error.line);
  }

  private toEngineBreach(error: EngineError): Error {
    this.isCondemned = true;
    if (this.module.watchdog.isLate()) return this.timeoutError();
    return new ExpressionMemoryError('JavaScript', isStackOverflow(error) ? 'stack' : 'memory', { cause: error });
  }

  /** What went wrong, for the caller. The realm, or the whole module, is given up. */
  private toBreach(error: unknown): Error {
    if (error instanceof ExpressionSyntaxError) return error;
    this.isCondemned = true;
    if (error instanceof ExpressionTimeoutError || error instanceof ExpressionMemoryError) return error;
    if (error instanceof SandboxStopped) return this.timeoutError();
    if (error instanceof SandboxMemoryFull) return new ExpressionMemoryError('JavaScript', 'memory');
    // The module was left in the middle of something: by its own crash, or because the stack of the host was full.
    this.module.giveUp(error);
    return new ExpressionMemoryError('JavaScript', isHostStackOverflow(error) ? 'stack' : 'memory', { cause: error });
  }

  private disposeIfIdle(): void {
    if (!this.isCondemned || this.isDisposed || this.active > 0) return;
    this.isDisposed = true;
    // Its memory is freed with the module. Disposing a runtime whose script was stopped may fail, and would break the module for scripts
    // that wait in it.
    if (this.module.isSpent) return;
    this.attempt(() => {
      this.units.dispose();
      this.prelude.dispose();
      this.shared.dispose();
      this.runtime.dispose();
    });
  }

  /** Gives memory back, if the module still can. */
  private attempt(dispose: () => void): void {
    if (this.module.isBroken) return;
    try {
      dispose();
    } catch (error) {
      this.module.giveUp(error);
    }
  }

  private timeoutError(): Error {
    const { exceeded } = this.module.watchdog;
    return new ExpressionTimeoutError('JavaScript', this.options[exceeded], exceeded);
  }
}
