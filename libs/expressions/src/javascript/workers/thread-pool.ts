import type { ExpressionScope } from '@waymark/core';
import { ExpressionSandboxError, ExpressionUnavailableError } from '../../errors/expression-errors.js';
import type { JavaScriptGlobal, ScriptFunctions } from '../globals/javascript-global.js';
import { textGlobals } from '../globals/text-globals.js';
import type { ResolvedJavaScriptOptions } from '../javascript-options.js';
import { Evaluation } from '../sandbox/evaluation.js';
import type { HostBridge } from '../sandbox/host-bridge.js';
import type { SandboxModuleLoader } from '../sandbox/sandbox-module.js';
import { Job } from './job.js';
import { SandboxThread, type ThreadOptions } from './thread.js';

export interface ThreadPoolOptions extends ThreadOptions {
  /** Threads at most. */
  readonly workers: number;
  /** Scripts that may wait for a thread. */
  readonly maxWaiting: number;
}

/**
 * Evaluates scripts in threads: one script after the other in each. Threads are started when they are needed, replaced
 * when they end, and do not keep the process from ending while they have nothing to do.
 */
export class ThreadPool {
  private readonly threads = new Set<SandboxThread>();
  private readonly line = new Set<Job>();
  private numbers = 0;
  private starting: Promise<SandboxThread> | undefined;
  private isClosed = false;

  constructor(
    private readonly loader: SandboxModuleLoader,
    private readonly bridge: HostBridge,
    private readonly options: ThreadPoolOptions,
  ) {}

  /**
   * Starts the first thread.
   * @throws ExpressionSandboxError when it cannot be started · ExpressionUnavailableError after {@link close}
   */
  async load(): Promise<void> {
    const [first] = this.threads;
    await (first ?? (await this.start())).ready.catch((error: unknown) => {
      throw this.isClosed ? new ExpressionUnavailableError('closed') : new ExpressionSandboxError(error);
    });
  }

  /**
   * The value of the script.
   * @throws ExpressionUnavailableError when too many scripts wait, or after {@link close}
   */
  evaluate(source: string, scope: ExpressionScope, functions: ScriptFunctions | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.isClosed) throw new ExpressionUnavailableError('closed');
      const { maxWaiting, sandbox } = this.options;
      if (this.line.size >= maxWaiting) throw new ExpressionUnavailableError('busy', maxWaiting);
      this.numbers = (this.numbers % (2 ** 31 - 1)) + 1;
      const job = new Job(this.numbers, source, new Evaluation(scope, functions, sandbox), resolve, reject);
      job.onAbort = () => void this.line.delete(job);
      job.listen();
      this.line.add(job);
      this.serve();
    });
  }

  /** Ends all threads. Scripts that have not ended fail. */
  async close(): Promise<void> {
    this.isClosed = true;
    const error = new ExpressionUnavailableError('closed');
    for (const job of this.line) job.fail(error);
    this.line.clear();
    await Promise.all([...this.threads].map((thread) => thread.end(error)));
    // One that is about to be started is not, any more.
    await this.starting?.catch(() => undefined);
  }

  private serve(): void {
    for (const job of this.line) {
      const thread = this.idleThread();
      if (!thread) break;
      this.line.delete(job);
      job.onAbort = () => thread.cancel(job);
      thread.run(job);
    }
    // One at a time: most scripts end before a thread has started.
    if (this.line.size > 0 && this.threads.size < this.options.workers && !this.starting) void this.startForLine();
  }

  /** The one that was busy last: it is the warmest. */
  private idleThread(): SandboxThread | undefined {
    let found: SandboxThread | undefined;
    for (const thread of this.threads)
      if (thread.isIdle && (!found || thread.lastBusy > found.lastBusy)) found = thread;
    return found;
  }

  private async startForLine(): Promise<void> {
    try {
      const { ready } = await this.start();
      await ready;
      this.serve();
    } catch (error) {
      // The others go on, and there may be none.
      if (this.threads.size > 0) return;
      const failure = new ExpressionSandboxError(error);
      for (const job of this.line) job.fail(failure);
      this.line.clear();
    }
  }

  private start(): Promise<SandboxThread> {
    this.starting ??= this.startThread().finally(() => (this.starting = undefined));
    return this.starting;
  }

  private async startThread(): Promise<SandboxThread> {
    const binary = await this.loader.binary();
    if (this.isClosed) throw new ExpressionUnavailableError('closed');
    const thread = new SandboxThread(
      binary,
      this.bridge,
      this.options,
      () => this.serve(),
      () => {
        this.threads.delete(thread);
        this.serve();
      },
    );
    this.threads.add(thread);
    await thread.ready.catch(() => undefined);
    return thread;
  }
}

/** Sources are run by tests and by `npm run dev`, but a thread takes compiled files only. */
const ENTRY = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/javascript/workers/sandbox-thread.js' : './sandbox-thread.js',
  import.meta.url,
);

/** A pool with the limits of an evaluator. */
export function createThreadPool(
  loader: SandboxModuleLoader,
  bridge: HostBridge,
  globals: readonly JavaScriptGlobal[],
  options: ResolvedJavaScriptOptions,
): ThreadPool {
  const { timeoutMs, blockingMs, memoryMb, stackKb, cacheSize, maxResultLength, maxResultValues, workers, maxWaiting } =
    options;
  const hasClock = options.clock !== undefined;
  return new ThreadPool(loader, bridge, {
    entry: ENTRY,
    // Only what a thread can be given: functions and the clock stay here.
    sandbox: { timeoutMs, blockingMs, memoryMb, stackKb, cacheSize, maxResultLength, maxResultValues, hasClock },
    globals: globals.map((g) => ({ name: g.name, isLocal: textGlobals.includes(g) })),
    startMs: 60_000,
    // Scripts are ended by the thread itself. What takes twice as long has lost the thread.
    silenceMs: 2 * timeoutMs + 2000,
    workers,
    maxWaiting,
  });
}
