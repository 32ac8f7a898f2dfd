import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { isThorough } from './depth.js';
import { freePort } from './free-port.js';
import { callHost, type HostAnswer } from './host-call.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** As `npm start` runs it: two thousand modules, which take a process three seconds of the processor to load. */
const AS_BUILT = 'dist/main.js';
/** The same in a few files: see bundle-scripts.mjs. */
const BUNDLED = 'test/dist/bundled/host/main.js';

/**
 * The host, built by global-setup.mjs: a process of its own, on a SQLite file that outlives it. Without source maps, which it would
 * read for half a second. A quick run starts its bundle, except where a test asks for the host as it is built.
 */
export class BuiltHost {
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'waymark-e2e-'));
  private child: ChildProcess | undefined;
  private port: number | undefined;
  private output = '';

  constructor(
    private readonly env: Readonly<Record<string, string>> = {},
    private readonly script = isThorough ? AS_BUILT : BUNDLED,
  ) {}

  /** The host as `npm start` runs it, in quick runs as well. */
  static asBuilt(env: Readonly<Record<string, string>> = {}): BuiltHost {
    return new BuiltHost(env, AS_BUILT);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Resolves when it says that it listens, or something else. @throws Error with its output when it ends before */
  async start(until = 'Listening on'): Promise<void> {
    this.port ??= await freePort();
    this.output = '';
    const child = spawn(process.execPath, [path.join(ROOT, this.script)], {
      cwd: this.folder,
      env: {
        PATH: process.env.PATH,
        PORT: String(this.port),
        DATABASE_URL: `sqlite:${this.databaseFile}`,
        NO_COLOR: '1',
        ...this.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    child.stderr.on('data', (data: Buffer) => (this.output += data.toString()));
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        this.output += `${line}\n`;
        if (line.includes(until)) resolve();
      });
      child.once('exit', (code) => reject(new Error(`The host ended with code ${code}:\n${this.output}`)));
    });
  }

  /** Stops it, or lets it continue. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.child!.kill(signal);
  }

  /** Nothing reads its log any more. */
  closeLog(): void {
    this.child!.stdout!.destroy();
    this.child!.stderr!.destroy();
  }

  /** `kill -9`: no shutdown hook runs. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  /** Sends a signal on which it is to end. Resolves with its exit code, or the signal that ended it. */
  async end(signal: 'SIGTERM' | 'SIGINT'): Promise<number | string> {
    // Not 'exit', after which there may still be output to read.
    const exited = once(this.child!, 'close') as Promise<[number | null, string | null]>;
    this.child!.kill(signal);
    const [code, endedBy] = await exited;
    return code ?? endedBy!;
  }

  /** Resolves when its log has the text. @throws Error with its output when it has ended without it */
  async says(text: string): Promise<void> {
    const { stdout, stderr, exitCode, signalCode } = this.child!;
    const hasEnded = exitCode !== null || signalCode !== null;
    while (!this.output.includes(text)) {
      if (hasEnded) throw new Error(`The host did not say "${text}":\n${this.output}`);
      const heard = new AbortController();
      const { signal } = heard;
      await Promise.race([once(stdout!, 'data', { signal }), once(stderr!, 'data', { signal })]);
      heard.abort();
    }
  }

  /** Of SQLite, where that is what it runs on. */
  get databaseFile(): string {
    return path.join(this.folder, 'host.db');
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** As {@link callHost}. */
  call(method: string, route: string, body?: unknown, headers?: Record<string, string>): Promise<HostAnswer> {
    return callHost(this.url + route, method, body, headers);
  }
}
