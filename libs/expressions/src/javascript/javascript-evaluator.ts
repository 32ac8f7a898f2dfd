import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { type ExpressionScope, isWaymarkError } from '@waymark/core';
import { ExpressionSizeError, ExpressionSyntaxError } from '../errors/expression-errors.js';
import type { JavaScriptGlobal, ScriptFunctions } from './globals/javascript-global.js';
import { textGlobals } from './globals/text-globals.js';
import { workflowGlobals } from './globals/workflow-globals.js';
import {
  resolveJavaScriptOptions,
  type JavaScriptOptions,
  type ResolvedJavaScriptOptions,
} from './javascript-options.js';
import { LEFT_TO_SANDBOX } from './direct/direct-script.js';
import { scriptFault } from './direct/parse-script.js';
import { Evaluation } from './sandbox/evaluation.js';
import { HostBridge } from './sandbox/host-bridge.js';
import { Sandbox } from './sandbox/sandbox.js';
import { SandboxModuleLoader } from './sandbox/sandbox-module.js';
import { readResult } from './script-result.js';
import { secretsInScript } from '../secrets/mentioned-secrets.js';
import { ReadySecrets } from '../secrets/ready-secrets.js';
import { secretGlobals } from '../secrets/secret-global.js';
import type { Script } from './script/script.js';
import { ScriptCache } from './script/script-cache.js';
import { createThreadPool, type ThreadPool } from './workers/thread-pool.js';

/**
 * A prepared script. Returns the value, or a promise of it if the sandbox has to be loaded first or runs in worker threads, or the script
 * waits for the host. `undefined` counts as `null`.
 */
export type CompiledJavaScript = (scope: ExpressionScope, functions?: ScriptFunctions) => unknown;

/**
 * Evaluates JavaScript of workflow authors, whom the host does not have to trust: in QuickJS, inside WebAssembly, with
 * limits for time, memory and stack, and without any object of the host. One evaluation leaves nothing behind for the
 * next one.
 *
 * ```ts
 * const evaluator = await JavaScriptEvaluator.create({ timeoutMs: 1000 });
 * evaluator.compile('getTotal() * 1.21')(scope);
 * ```
 */
export class JavaScriptEvaluator implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  private readonly logger = new Logger(JavaScriptEvaluator.name);
  private readonly options: ResolvedJavaScriptOptions;
  private readonly loader: SandboxModuleLoader;
  private readonly bridge: HostBridge;
  private readonly globals: ReadonlyMap<string, JavaScriptGlobal>;
  private readonly scripts: ScriptCache;
  private readonly secrets: ReadySecrets | undefined;
  /** The time that scripts see; without a clock only the sandbox knows it. */
  private readonly now: (() => number) | undefined;
  /** Where scripts run that need the sandbox, with the option `sandbox: 'worker'`. */
  private readonly pool: ThreadPool | undefined;
  private sandbox: Sandbox | undefined;
  private loading: Promise<Sandbox> | undefined;
  private warmUp: NodeJS.Immediate | undefined;

  /**
   * Loads the sandbox with the first evaluation that needs it, which therefore returns a promise; see {@link create} and {@link load}. As a
   * provider of a Nest application it loads the sandbox as soon as the application has started.
   */
  constructor(options: JavaScriptOptions = {}) {
    this.options = resolveJavaScriptOptions(options);
    this.loader = new SandboxModuleLoader(this.options.memoryMb);
    const { globals, clock, memoryMb, maxResultValues, secrets } = this.options;
    this.secrets = secrets && new ReadySecrets(secrets);
    this.globals = allGlobals(this.secrets ? [...secretGlobals(this.secrets), ...globals] : globals);
    this.now = clock && (() => clock.now());
    this.bridge = new HostBridge([...this.globals.values()], clock, memoryMb << 20, maxResultValues);
    this.scripts = new ScriptCache(this.options.cacheSize);
    if (this.options.sandbox === 'worker')
      this.pool = createThreadPool(this.loader, this.bridge, [...this.globals.values()], this.options);
  }

  /** An evaluator whose sandbox is loaded, so that scripts which need not wait are evaluated synchronously. */
  static async create(options: JavaScriptOptions = {}): Promise<JavaScriptEvaluator> {
    const evaluator = new JavaScriptEvaluator(options);
    await evaluator.load();
    return evaluator;
  }

  /**
   * Loads the sandbox, some ten milliseconds; does nothing when it is there. With worker threads it starts the first one.
   * @throws ExpressionSandboxError when it cannot be loaded
   */
  async load(): Promise<void> {
    await (this.pool ?? { load: () => this.loadSandbox() }).load();
  }

  /**
   * Ends the worker threads, where there are any; scripts that run in them fail. A Nest application does so by itself when it
   * has shut down.
   */
  async close(): Promise<void> {
    await this.pool?.close();
  }

  /** Begins to load the sandbox once the application has started, which does not wait for it. */
  onApplicationBootstrap(): void {
    // oxlint-disable-next-line no-restricted-globals -- no time passes: it is about what comes first
    this.warmUp = setImmediate(() => {
      // An application that is closed at once ends the thread that was being started: there is nothing to mend.
      this.load().catch((error: unknown) => {
        if (!isWaymarkError(error, 'WM4011')) this.logger.error(error);
      });
    });
  }

  /** Waits for a sandbox that is still being loaded: it would outlive the application. */
  async onModuleDestroy(): Promise<void> {
    clearImmediate(this.warmUp);
    await this.loading?.catch(() => undefined);
  }

  /** Ends the worker threads. Not earlier, because bursts still complete while modules are destroyed. */
  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }

  /**
   * Prepares a script. Never throws: an error in its text belongs to the evaluation.
   *
   * The script is an expression, or statements of which the last expression is the result; `return` is legal at its top
   * level, and a returned promise is awaited.
   */
  compile(source: string): CompiledJavaScript {
    if (source.trim() === '') return () => null;
    const { maxScriptLength } = this.options;
    if (source.length > maxScriptLength)
      return () => {
        throw new ExpressionSizeError('JavaScript', 'text', source.length, maxScriptLength, 'maxScriptLength');
      };
    const script = this.scripts.get(source);
    const { secrets } = this;
    const named = secrets ? secretsInScript(source) : [];
    if (!secrets || named.length === 0) return (scope, functions) => this.evaluate(script, scope, functions);
    return (scope, functions) => {
      const waiting = secrets.prepare(named, scope);
      if (waiting) return waiting.then(() => this.evaluate(script, scope, functions));
      return this.evaluate(script, scope, functions);
    };
  }

  /** What is wrong with a text, as far as it shows before the sandbox reads it: its length, and that it is not a script. */
  check(source: string): ExpressionSizeError | ExpressionSyntaxError | undefined {
    const { maxScriptLength } = this.options;
    if (source.length > maxScriptLength)
      return new ExpressionSizeError('JavaScript', 'text', source.length, maxScriptLength, 'maxScriptLength');
    const fault = scriptFault(source);
    return fault && new ExpressionSyntaxError('JavaScript', fault.message, fault.line, fault.column);
  }

  private evaluate(script: Script, scope: ExpressionScope, functions: ScriptFunctions | undefined): unknown {
    if (scope.throwIfAborted) scope.throwIfAborted();
    else scope.signal?.throwIfAborted();
    const direct = this.options.sandboxOnly ? undefined : script.direct(this.globals, this.now);
    if (direct) {
      const value = direct.evaluate(scope, functions);
      if (value !== LEFT_TO_SANDBOX) return value;
    }
    scope.expectTimeToPass?.();
    if (this.pool) return this.pool.evaluate(script.source, scope, functions);
    const { sandbox } = this;
    // A module that had to be stopped by force, crashed, or has little memory left is not entered again.
    if (sandbox && !sandbox.isSpent) return sandbox.evaluate(script, new Evaluation(scope, functions, this.options));
    return this.loadSandbox().then(() => this.evaluate(script, scope, functions));
  }

  private loadSandbox(): Promise<Sandbox> {
    if (this.sandbox && !this.sandbox.isSpent) return Promise.resolve(this.sandbox);
    this.loading ??= this.createSandbox().finally(() => {
      this.loading = undefined;
    });
    return this.loading;
  }

  private async createSandbox(): Promise<Sandbox> {
    const hasClock = this.options.clock !== undefined;
    this.sandbox = new Sandbox(await this.loader.load(), this.bridge, { ...this.options, hasClock }, readResult);
    return this.sandbox;
  }
}

/** Standard functions, and those of the host, which win over standard ones of the same name. */
function allGlobals(contributed: readonly JavaScriptGlobal[]): ReadonlyMap<string, JavaScriptGlobal> {
  return new Map([...workflowGlobals, ...textGlobals, ...contributed].map((g) => [g.name, g]));
}
