import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Answer, Call } from './serve-parent.js';

export const BENCH = path.join(import.meta.dirname, '..');
const STOP_MILLIS = 15_000;
const MOST_ON_COMMAND_LINE = 100_000;

export interface ProcessOptions {
  /** For Node, e.g. `['--max-old-space-size=256']`. */
  readonly execArgv?: readonly string[] | undefined;
  /** The compiled `bench/` of another build. */
  readonly root?: string | undefined;
}

/** A process that runs one compiled file of `bench/` and answers calls; see `serveParent`. */
export class MeasuredProcess {
  private readonly waiting = new Map<number, { resolve: (value: unknown) => void; reject: (reason: Error) => void }>();
  private calls = 0;
  private errors = '';

  private constructor(
    private readonly file: string,
    private readonly child: ChildProcess,
  ) {
    child.stderr!.on('data', (chunk: Buffer) => (this.errors = (this.errors + chunk.toString()).slice(-4000)));
    child.on('message', (answer: Answer) => this.settle(answer));
    child.on('exit', (code) => {
      for (const { reject } of this.waiting.values()) reject(this.ended(code));
      this.waiting.clear();
    });
  }

  /** Resolves once it serves. @param file in bench/, without extension */
  static async start(
    file: string,
    argument: unknown,
    { execArgv = [], root = BENCH }: ProcessOptions = {},
  ): Promise<MeasuredProcess> {
    const child = fork(path.join(root, 'dist', `${file}.js`), [argumentOf(argument)], {
      // Not the parent's: it runs TypeScript through a loader, which users' processes do not have.
      execArgv: [...execArgv],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, NODE_ENV: 'production' },
    });
    const started = new MeasuredProcess(file, child);
    await new Promise<unknown>((resolve, reject) => started.waiting.set(0, { resolve, reject }));
    return started;
  }

  call<T>(name: string, argument?: unknown): Promise<T> {
    const id = ++this.calls;
    return new Promise<T>((resolve, reject) => {
      if (this.hasEnded) return reject(this.ended(this.child.exitCode));
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.child.send({ id, name, argument } satisfies Call);
    });
  }

  async stop(): Promise<void> {
    if (this.hasEnded) return;
    const exited = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.disconnect();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_MILLIS);
    await exited;
    clearTimeout(timer);
  }

  /** As a machine dies: nothing is given back. */
  async kill(): Promise<void> {
    const exited = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await exited;
  }

  private settle(answer: Answer): void {
    const call = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if ('error' in answer) call?.reject(new Error(`${this.file}: ${answer.error}`));
    else call?.resolve(answer.value);
  }

  private get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  private ended(code: number | null): Error {
    return new Error(`The process ${this.file} ended with code ${code}.\n${this.errors}`);
  }
}

/** Stops all of them, whatever happened to the others. */
export async function stopAll(processes: readonly MeasuredProcess[]): Promise<void> {
  await Promise.allSettled(processes.map((p) => p.stop()));
}

/** A command line ends at 128 kB, and definitions are longer: such an argument is left in a file. */
function argumentOf(argument: unknown): string {
  const text = JSON.stringify(argument);
  if (text.length < MOST_ON_COMMAND_LINE) return text;
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'waymark-bench-')), 'argument.json');
  writeFileSync(file, text);
  return file;
}
