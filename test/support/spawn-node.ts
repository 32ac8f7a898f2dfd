import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { NodeCommand, NodeSettings } from './node-process.js';

/** A node in another process. */
export interface SpawnedNode {
  ask<T>(command: NodeCommand): Promise<T>;
  /** `kill -9`: no shutdown hook runs. */
  kill(): Promise<void>;
}

const SCRIPT = path.join(import.meta.dirname, 'node-process.ts');
const EXEC_ARGV = [
  '--conditions=@waymark/source',
  '--import',
  '@swc-node/register/esm-register',
  '--disable-warning=ExperimentalWarning',
];

export async function spawnNode(settings: NodeSettings): Promise<SpawnedNode> {
  const env = { ...process.env, NODE_OPTIONS: '', NODE_SETTINGS: JSON.stringify(settings) };
  const child = fork(SCRIPT, [], { execArgv: EXEC_ARGV, env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let errors = '';
  child.stderr?.on('data', (data: Buffer) => (errors += data.toString()));
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  const ready = new Promise<void>((resolve, reject) => {
    child.on('message', (message: { ready?: boolean; id?: number; answer?: unknown; error?: string }) => {
      if (message.ready) return resolve();
      const caller = waiting.get(message.id!);
      waiting.delete(message.id!);
      if (message.error !== undefined) caller?.reject(new Error(message.error));
      else caller?.resolve(message.answer as never);
    });
    child.on('exit', () => {
      const gone = new Error(`The node process ended. ${errors}`);
      reject(gone);
      for (const caller of waiting.values()) caller.reject(gone);
    });
  });
  await ready;
  let last = 0;
  return {
    ask: (command) =>
      new Promise((resolve, reject) => {
        const id = ++last;
        waiting.set(id, { resolve, reject });
        child.send({ id, command });
      }),
    kill: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
