import { MessageChannel, type MessagePort, type Transferable, Worker } from 'node:worker_threads';
import { isUint8Array } from 'node:util/types';
import { ExpressionMemoryError, ExpressionTimeoutError } from '../../errors/expression-errors.js';
import { unpack } from '../transfer/unpack.js';
import type { Packed } from '../transfer/pack.js';
import { lostTogether, TOO_LATE } from '../sandbox/breaches.js';
import type { HostBridge } from '../sandbox/host-bridge.js';
import type { CompiledBinary } from '../sandbox/sandbox-module.js';
import type { SandboxOptions } from '../sandbox/sandbox.js';
import type { Job } from './job.js';
import {
  type CallAnswer,
  cancelPlace,
  Control,
  CONTROL_BYTES,
  type ThreadData,
  type ThreadGlobal,
  type ThreadReport,
  type ThreadRequest,
} from './messages.js';
import { SilenceWatch } from './silence-watch.js';
import { fromWire } from './wire-error.js';

export interface ThreadOptions {
  readonly entry: URL;
  readonly sandbox: SandboxOptions;
  readonly globals: readonly ThreadGlobal[];
  /** How long the thread may take to start, in milliseconds. */
  readonly startMs: number;
  /** How long it may say nothing during a turn, in milliseconds, before it is ended. */
  readonly silenceMs: number;
}

/**
 * One thread of the pool: loading → idle ⇄ busy → ended, by {@link end}, by a crash, or since it did not answer.
 *
 * 1. It is given a job only while it is idle; jobs that wait for the host leave it idle.
 * 2. Whatever ends it, each of its jobs gets a value or an error.
 */
export class SandboxThread {
  /** Resolves when it can evaluate; rejected, with the reason, when it never will. */
  readonly ready: Promise<void>;
  private readonly worker: Worker;
  private readonly answers: MessagePort;
  private readonly control = new Int32Array(new SharedArrayBuffer(CONTROL_BYTES));
  private silence: SilenceWatch;
  private readonly jobs = new Map<number, Job>();
  /** The job that was given last, until its first turn has ended. */
  private running: Job | undefined;
  /** When it became idle, as `performance.now()` tells it. */
  lastBusy = 0;
  private turns = 0;
  private promises = 0;
  private hasEnded = false;
  private settleReady!: { resolve: () => void; reject: (error: Error) => void };

  constructor(
    binary: CompiledBinary,
    private readonly bridge: HostBridge,
    private readonly options: ThreadOptions,
    private readonly onIdle: () => void,
    private readonly onEnd: (thread: SandboxThread) => void,
  ) {
    this.ready = new Promise((resolve, reject) => (this.settleReady = { resolve, reject }));
    // Jobs get the error too; nothing else has to wait for it.
    this.ready.catch(() => undefined);
    const { port1, port2 } = new MessageChannel();
    this.answers = port1;
    const { sandbox, globals, entry } = options;
    this.worker = new Worker(entry, {
      name: 'waymark-javascript',
      workerData: { options: sandbox, globals, binary, control: this.control, answers: port2 } satisfies ThreadData,
      transferList: [port2],
      // Nothing of the host's start is repeated in it, and it has no use for the host's environment.
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 64 + 6 * sandbox.memoryMb, maxYoungGenerationSizeMb: 16 },
    });
    this.silence = new SilenceWatch(options.startMs, () => this.giveUp());
    this.worker.on('message', (message: ThreadReport) => this.hear(message));
    this.worker.on('error', (error: Error & { code?: string }) => this.crash(error));
    this.worker.on('exit', () => this.crash(new Error('The thread has ended.')));
    this.begin();
  }

  get isIdle(): boolean {
    return this.turns === 0 && !this.hasEnded;
  }

  run(job: Job): void {
    this.jobs.set(job.number, job);
    this.running = job;
    this.begin();
    const { functions } = job.evaluation;
    const names = functions && Object.keys(functions);
    this.send({ kind: 'evaluate', job: job.number, source: job.source, functions: names });
  }

  /** The job is over; its script is stopped. */
  cancel(job: Job): void {
    Atomics.store(this.control, cancelPlace(job.number), job.number);
    this.send({ kind: 'cancel', job: job.number });
    if (job !== this.running) this.jobs.delete(job.number);
  }

  /** @param error for the jobs that are not over */
  async end(error: Error): Promise<void> {
    this.stop(error, () => error);
    await this.worker.terminate();
  }

  // ----- what the thread says -----

  private hear(message: ThreadReport): void {
    if (this.hasEnded) return;
    this.silence.heard();
    switch (message.kind) {
      case 'ready':
        this.settleReady.resolve();
        this.silence.stop();
        this.silence = new SilenceWatch(this.options.silenceMs, () => this.giveUp());
        return this.endTurn();
      case 'unloadable':
        return this.crash(fromWire(message.error, () => undefined) as Error);
      case 'call':
        return this.answer(message.number, this.jobs.get(message.job), message.call);
      case 'waits':
        this.running = undefined;
        return this.endTurn();
      case 'settled':
        return this.endTurn();
      case 'done':
        return this.finish(message.job, (job) =>
          job.finish(() => unpack(message.packed, job.evaluation.contents) ?? null),
        );
      case 'failed':
        return this.finish(message.job, (job) =>
          job.fail(fromWire(message.error, (number) => job.evaluation.findError(number))),
        );
    }
  }

  private finish(number: number, end: (job: Job) => void): void {
    const job = this.jobs.get(number);
    this.jobs.delete(number);
    if (job) end(job);
    if (!job || job !== this.running) return;
    this.running = undefined;
    this.endTurn();
  }

  private answer(number: number, job: Job | undefined, call: string): void {
    const begin = performance.now();
    const packed = !job || job.isOver ? TOO_LATE : this.ask(job, call);
    const { value, transfer } = forThread(packed);
    const hostMs = performance.now() - begin;
    const isTooMuch = job?.evaluation.ranOutOfMemory === true;
    this.answers.postMessage({ number, packed: value, hostMs, isTooMuch } satisfies CallAnswer, transfer);
    Atomics.add(this.control, Control.Answered, 1);
    Atomics.notify(this.control, Control.Answered);
  }

  private ask(job: Job, call: string): Packed {
    return job.runInAsyncScope(() =>
      this.bridge.answer(job.evaluation, call, (_, promise) => {
        const number = ++this.promises;
        void promise.then((packed) => {
          if (job.isOver || this.hasEnded) return;
          const { value, transfer } = forThread(packed);
          this.begin();
          this.send({ kind: 'settle', job: job.number, promise: number, value }, transfer);
        });
        return number;
      }),
    );
  }

  // ----- turns -----

  private begin(): void {
    if (this.turns++ > 0) return;
    // A process that waits for a script does not end; one that waits for nothing is not kept by idle threads.
    this.worker.ref();
    this.silence.start();
  }

  private endTurn(): void {
    if (--this.turns > 0) return;
    this.silence.stop();
    this.worker.unref();
    this.lastBusy = performance.now();
    this.onIdle();
  }

  private send(message: ThreadRequest, transfer: readonly Transferable[] = []): void {
    this.worker.postMessage(message, transfer);
  }

  // ----- ends -----

  private giveUp(): void {
    const { timeoutMs } = this.options.sandbox;
    this.stop(new Error('Its thread did not answer.'), (job) =>
      job === this.running ? new ExpressionTimeoutError('JavaScript', timeoutMs) : lostTogether(timeoutMs),
    );
    void this.worker.terminate();
  }

  private crash(error: Error): void {
    const { timeoutMs } = this.options.sandbox;
    this.stop(error, (job) =>
      job === this.running
        ? new ExpressionMemoryError('JavaScript', 'memory', { cause: error })
        : lostTogether(timeoutMs),
    );
    void this.worker.terminate();
  }

  private stop(reason: Error, errorOf: (job: Job) => Error): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.settleReady.reject(reason);
    this.silence.stop();
    this.answers.close();
    const jobs = [...this.jobs.values()];
    this.jobs.clear();
    for (const job of jobs) job.fail(errorOf(job));
    this.onEnd(this);
  }
}

/** Bytes go over with a buffer of their own: cloning them would take along the memory of others that they are part of. */
function forThread(packed: Packed): { value: Packed; transfer: Transferable[] } {
  if (!isUint8Array(packed)) return { value: packed, transfer: [] };
  const value = new Uint8Array(packed);
  return { value, transfer: [value.buffer as ArrayBuffer] };
}
