import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MachineProcesses } from './machine-processes.js';

const OWN = 4321;
const OTHER = 777;

/** As `/proc/<pid>/stat` has it: number, name, state, … threads, …, start. */
const stat = (pid: number, { name = 'node', state = 'S', threads = 11, start = 5000 } = {}) =>
  `${pid} (${name}) ${state} 1 1 1 0 -1 4194304 0 0 0 0 9 9 0 0 20 0 ${threads} 0 ${start} 3133440 422\n`;

const failing = (code: string) => (): never => {
  throw Object.assign(new Error(code), { code });
};

describe('MachineProcesses, by a proc file system', () => {
  let folder: string;
  const put = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  const remove = (file: string): void => rmSync(path.join(folder, file), { recursive: true });
  const link = (file: string, to: string): void => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    symlinkSync(to, path.join(folder, file));
  };
  const relink = (file: string, to: string): void => {
    remove(file);
    link(file, to);
  };
  let kill: (pid: number, signal: 0) => unknown;
  let host: string;
  const processes = () =>
    new MachineProcesses({ folder, kill: (pid, signal) => kill(pid, signal), pid: OWN, host: () => host });

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'waymark-proc-'));
    kill = failing('ESRCH');
    host = 'host-a';
    put('sys/kernel/random/boot_id', 'boot-1\n');
    put('self/status', `Name:\tnode\nNSpid:\t${OWN}\n`);
    link('self/ns/pid', 'pid:[4026531836]');
    link('self/ns/time', 'time:[4026531834]');
    put(`${OWN}/stat`, stat(OWN, { start: 4000 }));
    put(`${OTHER}/stat`, stat(OTHER));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const other = () => ({ machine: processes().own()!.machine, id: `${OTHER} 5000` });

  it('names a process by its boot, its namespaces, its host, its number and its start', () => {
    expect(processes().own()).toEqual({
      machine: 'boot-1 pid:[4026531836] time:[4026531834] host-a',
      id: `${OWN} 4000`,
    });
  });

  it.each([
    ['boot', () => put('sys/kernel/random/boot_id', 'boot-2\n')],
    ['pid namespace, as of another container', () => relink('self/ns/pid', 'pid:[4026532999]')],
    ['time namespace, whose starts are others', () => relink('self/ns/time', 'time:[4026532998]')],
    ['host, as of the clone of a virtual machine', () => void (host = 'host-b')],
  ])('means another machine with another %s', (_what, change) => {
    const before = processes().own()!.machine;
    change();
    expect(processes().own()!.machine).not.toBe(before);
  });

  it('knows of kernels without time namespaces', () => {
    remove('self/ns/time');
    expect(processes().own()?.machine).toBe('boot-1 pid:[4026531836] - host-a');
  });

  it.each([
    ['there is no proc file system, as on macOS and Windows', () => remove('')],
    ['it is that of another namespace, whose numbers are others', () => put('self/status', `NSpid:\t91\t${OWN}\n`)],
    ['its number is another one', () => put('self/status', 'NSpid:\t91\n')],
    ['it does not tell its numbers', () => put('self/status', 'Name:\tnode\n')],
    ['it has no boot', () => remove('sys/kernel/random/boot_id')],
    ['its boot is empty', () => put('sys/kernel/random/boot_id', '\n')],
    ['it has no namespaces', () => remove('self/ns')],
    ['its own process is not in it', () => remove(`${OWN}`)],
    ['the form of a process is unknown', () => put(`${OWN}/stat`, `${OWN} (node) S 1 1`)],
  ])('has no name where %s', (_what, change) => {
    change();
    expect(processes().own()).toBeUndefined();
  });

  it('counts a process without a file and a number as ended', () => {
    expect(processes().isGone(other())).toBe(false);
    const gone = other();
    remove(`${OTHER}`);
    expect(processes().isGone(gone)).toBe(true);
  });

  it.each([
    ['exists', () => true],
    ['is of another user (hidepid)', failing('EPERM')],
    ['cannot be asked for', failing('ENOSYS')],
  ])('concludes nothing from a missing file where the number %s', (_what, answer) => {
    const hidden = other();
    remove(`${OTHER}`);
    kill = answer;
    expect(processes().isGone(hidden)).toBe(false);
  });

  it('concludes nothing from what cannot be read, or was written by another version', () => {
    put(`${OTHER}/stat`, 'nonsense');
    const { machine } = other();
    expect(processes().isGone(other())).toBe(false);
    for (const id of ['', `${OTHER}`, 'x 5000', '-1 5000', '0 5000'])
      expect(processes().isGone({ machine, id })).toBe(false);
  });

  it('says that a process has ended whose number another one has, whatever the name of that', () => {
    put(`${OTHER}/stat`, stat(OTHER, { name: 'x) S 1 (y', start: 5001 }));
    expect(processes().isGone(other())).toBe(true);
    put(`${OTHER}/stat`, stat(OTHER, { name: 'x) Z 1 (y' }));
    expect(processes().isGone(other())).toBe(false);
  });

  it.each([
    ['a zombie', { state: 'Z', threads: 1 }, true],
    ['one that is being removed', { state: 'X', threads: 0 }, true],
    ['one whose first thread has ended before the others', { state: 'Z', threads: 2 }, false],
    ['one that is stopped', { state: 'T', threads: 11 }, false],
    ['one that is being traced', { state: 't', threads: 11 }, false],
    ['one that waits for a disk', { state: 'D', threads: 11 }, false],
  ])('%s says whether its process has ended', (_what, how, isGone) => {
    put(`${OTHER}/stat`, stat(OTHER, how));
    expect(processes().isGone(other())).toBe(isGone);
  });
});

const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

describeOnLinux('MachineProcesses, of this system', () => {
  const processes = new MachineProcesses();
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  /** A process that tells a number first. */
  const begun = async (command: string, ...args: readonly string[]): Promise<{ child: ChildProcess; pid: number }> => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const [said] = (await once(child.stdout!, 'data')) as [Buffer];
    return { child, pid: Number(said.toString()) };
  };
  const nameOf = (pid: number) => {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const start = text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
    return { machine: processes.own()!.machine, id: `${pid} ${start}` };
  };

  it('does not take itself for gone, nor one that lives or is stopped; one that was killed, it does', async () => {
    const own = processes.own()!;
    expect(own).toEqual(nameOf(process.pid));
    expect(processes.isGone(own)).toBe(false);
    const { child, pid } = await begun(process.execPath, '-e', 'console.log(process.pid); setInterval(() => {}, 1e6)');
    const other = nameOf(pid);
    expect(processes.isGone(other)).toBe(false);
    child.kill('SIGSTOP');
    expect(processes.isGone(other)).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(processes.isGone(other)).toBe(true);
    expect(processes.isGone({ ...own, id: `${process.pid} 1` })).toBe(true);
  });

  it('takes a zombie for gone, whose parent never asks how it ended', async () => {
    const { pid } = await begun('sh', '-c', 'sh -c "echo \\$\\$; read line" < /dev/null & exec sleep 1000 > /dev/null');
    const zombie = nameOf(pid);
    while (!processes.isGone(zombie)) await nextTurn();
    expect(readFileSync(`/proc/${pid}/stat`, 'latin1')).toContain(') Z ');
  });
});
