import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import type { NodeProcess } from '../persistence/node-store.js';

/** What `/proc/<pid>/stat` says, by its place behind the name of the program. */
const STATE = 0;
const THREADS = 17;
const START = 19;

/** A process that has ended, and whose parent has not asked how. */
const ENDED_STATES = ['Z', 'X', 'x'];

/** Where `MachineProcesses` looks. */
export interface ProcessSources {
  /** Folder of the proc file system. @default '/proc' */
  readonly folder?: string;
  /** As `process.kill`: with signal 0, it only asks whether the process is there. */
  readonly kill?: (pid: number, signal: 0) => unknown;
  /** Number of the own process. @default that of this process */
  readonly pid?: number;
  /** Reads the name of the host. @default that of the system */
  readonly host?: () => string;
}

/**
 * Names this process, and says whether another one has ended, where the operating system tells both for certain: on Linux. A
 * number of a process means something in one namespace of one boot only, and another process may get it later, so the name of a
 * process has all of these, and the time of its start. Elsewhere, and where anything of it cannot be read, nothing is known.
 */
export class MachineProcesses {
  private readonly folder: string;
  private readonly kill: (pid: number, signal: 0) => unknown;
  private readonly pid: number;
  private readonly host: () => string;

  constructor({ folder = '/proc', kill, pid = process.pid, host = hostname }: ProcessSources = {}) {
    this.folder = folder;
    this.kill = kill ?? ((id, signal) => process.kill(id, signal));
    this.pid = pid;
    this.host = host;
  }

  /** Read anew each time: a process that was moved to another machine with its memory has another name there. */
  own(): NodeProcess | undefined {
    try {
      return this.readOwn();
    } catch {
      // No such file system, or not that of Linux.
      return undefined;
    }
  }

  /** Whether a process has ended. False where it is not certain. @param process of this machine */
  isGone({ id }: NodeProcess): boolean {
    const [pid, start] = id.split(' ');
    if (!/^[1-9]\d*$/.test(pid ?? '') || start === undefined) return false;
    try {
      const stat = this.statOf(Number(pid));
      if (stat.start !== start) return true;
      // The first thread of a process may end before the others, which go on.
      return ENDED_STATES.includes(stat.state) && stat.threads <= 1;
    } catch (error) {
      // The file system may hide processes of other users (hidepid).
      return isOneOf(error, 'ENOENT', 'ESRCH') && this.isUnknown(Number(pid));
    }
  }

  private readOwn(): NodeProcess | undefined {
    // Where the file system is that of another namespace, its numbers are not those of this process.
    const numbers = /^NSpid:\s*(.*)$/m.exec(this.text('self/status'))?.[1]?.trim();
    if (numbers !== String(this.pid)) return undefined;
    const boot = this.text('sys/kernel/random/boot_id').trim();
    const { start } = this.statOf(this.pid);
    if (boot === '' || start === '') return undefined;
    // Clones of a running virtual machine share its boot; most have names of their own.
    const machine = [boot, this.namespace('pid'), this.timeNamespace(), this.host()].join(' ');
    return { machine, id: `${this.pid} ${start}` };
  }

  private statOf(pid: number): { readonly state: string; readonly threads: number; readonly start: string } {
    const text = this.text(`${pid}/stat`);
    // The name of a program may contain blanks and parentheses.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const start = fields[START] ?? '';
    if (!/^\d+$/.test(start)) throw new Error(`${this.folder}/${pid}/stat has an unknown form.`);
    return { state: fields[STATE]!, threads: Number(fields[THREADS]), start };
  }

  private isUnknown(pid: number): boolean {
    try {
      this.kill(pid, 0);
      return false;
    } catch (error) {
      return isOneOf(error, 'ESRCH');
    }
  }

  private namespace(kind: string): string {
    return readlinkSync(path.join(this.folder, 'self/ns', kind));
  }

  /** Each has its own times of starts. Kernels before 5.6 know none. */
  private timeNamespace(): string {
    try {
      return this.namespace('time');
    } catch (error) {
      if (isOneOf(error, 'ENOENT')) return '-';
      throw error;
    }
  }

  private text(file: string): string {
    return readFileSync(path.join(this.folder, file), 'latin1');
  }
}

function isOneOf(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException | undefined)?.code ?? '');
}
