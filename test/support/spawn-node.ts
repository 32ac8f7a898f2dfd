import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { compiledScript } from './compiled.js';
import type { NodeCommand, NodeSettings } from './node-process.js';

/** A node in another process, asked with commands of that type. */
export interface ForkedNode<Command> {
  /** Rejects when the node ends before it answers; an error of the node keeps its code. */
  ask<T>(command: Command): Promise<T>;
  /** How it ended, and what it said; resolves when the process is gone, with undefined if `kill` ended it. */
  readonly endedByItself: Promise<string | undefined>;
  /** Stops the process where it is, as when its machine is suspended, or lets it continue. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** `kill -9`: no shutdown hook runs. */
  kill(): Promise<void>;
}

export type SpawnedNode = ForkedNode<NodeCommand>;

export function spawnNode(settings: NodeSettings): Promise<SpawnedNode> {
  return forkNode('node-process.ts', settings);
}

/**
 * @param script as `compiledScript` takes it; it tells `{ ready: true }`, then answers each `{ id, command }`
 * @param build root of another build of this repository, whose script it is to be
 * @param execArgv further options of Node
 */
export async function forkNode<Command>(
  script: string,
  settings: unknown,
  build?: string,
  execArgv: readonly string[] = [],
): Promise<ForkedNode<Command>> {
  const env = { ...process.env, NODE_OPTIONS: '', NODE_SETTINGS: JSON.stringify(settings) };
  const stdio = ['ignore', 'ignore', 'pipe', 'ipc'] as const;
  const child = fork(compiledScript(script, build), [], {
    execArgv: [...execArgv],
    env,
    stdio: [...stdio],
  });
  let errors = '';
  child.stderr?.on('data', (data: Buffer) => (errors += data.toString()));
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  let isKilled = false;
  const endedByItself = new Promise<string | undefined>((resolve) =>
    child.on('close', (code, signal) =>
      resolve(isKilled ? undefined : `The node process ended (${signal ?? code}). ${errors}`),
    ),
  );
  const ready = new Promise<void>((resolve, reject) => {
    child.on(
      'message',
      (message: { ready?: boolean; id?: number; answer?: unknown; error?: string; code?: string }) => {
        if (message.ready) return resolve();
        const caller = waiting.get(message.id!);
        waiting.delete(message.id!);
        if (message.error !== undefined)
          caller?.reject(Object.assign(new Error(message.error), { code: message.code }));
        else caller?.resolve(message.answer as never);
      },
    );
    // Not at its exit: what it said last may not have been read by then.
    child.on('close', (code, signal) => {
      const gone = new Error(`The node process ended (${signal ?? code}). ${errors}`);
      reject(gone);
      for (const caller of waiting.values()) caller.reject(gone);
    });
  });
  await ready;
  let last = 0;
  return {
    endedByItself,
    ask: (command) =>
      new Promise((resolve, reject) => {
        const id = ++last;
        waiting.set(id, { resolve, reject });
        // A process that has just been killed takes no message, and its end was told before.
        child.send({ id, command }, (error) => error && reject(error));
      }),
    signal: (signal) => void child.kill(signal),
    kill: () => {
      isKilled = true;
      return end(child);
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
