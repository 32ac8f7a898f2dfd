import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { compiledScript } from './compiled.js';

/** Runs a script of this folder in a process of its own. */
export function startScript(name: string, ...args: string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [compiledScript(name), ...args], {
    // Jest's flags are not for the child.
    env: { ...process.env, NODE_OPTIONS: '' },
  });
}

/** Collects lines of a process. A process that ends early fails those that wait for a line. */
export class Lines {
  readonly all: string[] = [];
  private rest = '';
  private errors = '';
  private wake: () => void = () => {};

  constructor(readonly child: ChildProcessWithoutNullStreams) {
    child.stdout.on('data', (data: Buffer) => {
      const parts = (this.rest + data.toString()).split('\n');
      this.rest = parts.pop() ?? '';
      this.all.push(...parts);
      this.wake();
    });
    child.stderr.on('data', (data: Buffer) => (this.errors += data.toString()));
    child.on('close', () => this.wake());
  }

  /** The line with this number, when it is there. */
  async line(number: number): Promise<string> {
    while (this.all.length <= number) {
      if (this.child.exitCode !== null || this.child.signalCode !== null)
        throw new Error(`The process ended: ${this.errors}`);
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    return this.all[number] ?? '';
  }

  async ended(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'close');
  }
}
