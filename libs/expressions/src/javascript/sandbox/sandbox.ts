import { ExpressionMemoryError, ExpressionTimeoutError } from '../../errors/expression-errors.js';
import { compileScript, type CompiledScript } from '../script/compiled-script.js';
import { scriptFault, type SyntaxFault } from '../direct/parse-script.js';
import type { ResultLimits } from '../script-result.js';
import type { Script } from '../script/script.js';
import { isStackOverflow, syntaxFaultOf } from './engine-error.js';
import type { Evaluation } from './evaluation.js';
import type { HostBridge } from './host-bridge.js';
import { Realm, type RealmOptions } from './realm.js';
import type { SandboxModule } from './sandbox-module.js';
import type { TimeLimits } from './watchdog.js';

export interface SandboxOptions extends RealmOptions, ResultLimits {}

/**
 * Makes a result of what a script came to; see `script-result.ts`.
 * @param memoryWasShort the sandbox has needed much memory before
 */
export type ResultReader = (
  packed: string,
  evaluation: Evaluation,
  memoryWasShort: boolean,
  limits: ResultLimits,
) => unknown;

/**
 * Evaluates scripts in one module: one realm serves one script after the other. A script that is evaluated while another
 * one waits for a function of the host to return gets a realm of its own, since that one's jobs are not to run meanwhile.
 */
export class Sandbox {
  private warm: Realm;
  private readonly globalNames: ReadonlySet<string>;

  constructor(
    private readonly module: SandboxModule,
    private readonly bridge: HostBridge,
    private readonly options: SandboxOptions,
    private readonly read: ResultReader,
  ) {
    this.globalNames = new Set(bridge.globalNames);
    this.warm = this.newRealm();
  }

  /** To be replaced by another one; scripts that wait in it may still continue. */
  get isSpent(): boolean {
    return this.module.isSpent;
  }

  /** The value, or a promise of it when the script waits for the host. */
  evaluate(script: Script, evaluation: Evaluation): unknown {
    const warm = this.warmRealm();
    // Within the time of the evaluation: it is compiled in the turn that runs it first.
    const compiled = script.compiled(evaluation.functions, (names) =>
      this.compile(warm, script.source, names, evaluation),
    );
    const realm = warm.isUsable && !warm.isRunning ? warm : this.newRealm();
    try {
      const packed = realm.run(compiled, evaluation);
      const settled = packed[0] === 'p' ? evaluation.settled : packed;
      if (settled === undefined) return this.wait(realm, evaluation);
      return this.finish(realm, evaluation, settled);
    } catch (error) {
      if (!evaluation.isDone) realm.end(evaluation);
      throw error;
    } finally {
      if (realm !== warm) realm.condemn();
    }
  }

  private warmRealm(): Realm {
    if (!this.warm.isUsable) this.warm = this.newRealm();
    return this.warm;
  }

  private newRealm(): Realm {
    try {
      return new Realm(this.module, this.bridge, this.options);
    } catch (cause) {
      // Half a realm cannot be taken back.
      this.module.giveUp(cause);
      throw new ExpressionMemoryError('JavaScript', 'memory', { cause });
    }
  }

  private compile(
    realm: Realm,
    source: string,
    functions: readonly string[],
    limits: TimeLimits,
  ): CompiledScript | SyntaxFault {
    const isValid = (text: string): boolean => realm.check(text, limits) === undefined;
    const script = compileScript(source, functions, this.globalNames, isValid);
    if (script) return script;
    const error = realm.check(`(function(){${source}\n})`, limits) ?? realm.check(source, limits);
    if (error && (error.name !== 'SyntaxError' || isStackOverflow(error))) {
      realm.condemn();
      throw new ExpressionMemoryError('JavaScript', isStackOverflow(error) ? 'stack' : 'memory', { cause: error });
    }
    return scriptFault(source) ?? syntaxFaultOf(source, error);
  }

  private finish(realm: Realm, evaluation: Evaluation, packed: string): unknown {
    realm.end(evaluation);
    try {
      return this.read(packed, evaluation, this.module.memory.hasGrown, this.options);
    } catch (error) {
      // Its heap is fragmented now, and the next script would have less room.
      if (error instanceof ExpressionMemoryError && error.limit === 'memory') realm.condemn();
      throw error;
    }
  }

  private wait(realm: Realm, evaluation: Evaluation): Promise<unknown> {
    const { signal } = evaluation.scope;
    let stopListening!: () => void;
    return new Promise<string>((resolve, reject) => {
      const check = (): void => {
        if (evaluation.failure) reject(evaluation.failure);
        else if (evaluation.settled !== undefined) resolve(evaluation.settled);
        else if (evaluation.waitingFor.size === 0)
          reject(this.timeoutError('waits for a promise that can never settle. Return another one, or none.'));
      };
      evaluation.onStep = check;
      const abort = (): void => reject(signal!.reason as Error);
      // A timer of its own: one that only `AbortSignal.any` refers to is collected as garbage, and never comes.
      // oxlint-disable-next-line no-restricted-globals -- limits are real time, whatever scripts see
      const timer = setTimeout(() => reject(this.timeoutError()), Math.max(1, evaluation.deadline - performance.now()));
      timer.unref();
      signal?.addEventListener('abort', abort);
      stopListening = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      if (signal?.aborted) abort();
      else check();
    })
      .finally(() => stopListening())
      .then(
        (packed) => this.finish(realm, evaluation, packed),
        (error: unknown) => {
          realm.end(evaluation);
          throw error;
        },
      );
  }

  private timeoutError(reason?: string): ExpressionTimeoutError {
    return new ExpressionTimeoutError('JavaScript', this.options.timeoutMs, 'timeoutMs', reason);
  }
}
