/** What runs in a thread of the pool: one sandbox, which evaluates one script after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { isPromiseLike } from '@waymark/core/adapter';
import { checkResult } from '../script-result.js';
import { Sandbox } from '../sandbox/sandbox.js';
import { SandboxModuleLoader } from '../sandbox/sandbox-module.js';
import { ScriptCache } from '../script/script-cache.js';
import type { ThreadData, ThreadReport, ThreadRequest } from './messages.js';
import { ThreadBridge } from './thread-bridge.js';
import { ThreadEvaluation } from './thread-evaluation.js';
import { toWire } from './wire-error.js';

const data = workerData as ThreadData;
const { options, control } = data;
const loader = new SandboxModuleLoader(options.memoryMb, data.binary);
const scripts = new ScriptCache(options.cacheSize);
const report = (message: ThreadReport): void => parentPort!.postMessage(message);
const bridge = new ThreadBridge(data.globals, data, report);
const jobs = new Map<number, ThreadEvaluation>();
let sandbox: Sandbox | undefined;

async function load(): Promise<Sandbox> {
  return (sandbox = new Sandbox(await loader.load(), bridge, options, checkResult));
}

function evaluate(job: number, source: string, functions: readonly string[] | undefined): void {
  const usable = sandbox;
  // A module that had to be stopped by force, crashed, or has little memory left is not entered again.
  if (!usable || usable.isSpent) {
    load().then(
      () => evaluate(job, source, functions),
      (error: unknown) => report({ kind: 'failed', job, error: toWire(error) }),
    );
    return;
  }
  const evaluation = new ThreadEvaluation(job, functions, options, control);
  const finish = (packed: unknown): void => {
    jobs.delete(job);
    report({ kind: 'done', job, packed: packed as string });
  };
  const fail = (error: unknown): void => {
    jobs.delete(job);
    report({ kind: 'failed', job, error: toWire(error) });
  };
  jobs.set(job, evaluation);
  try {
    const packed = usable.evaluate(scripts.get(source), evaluation);
    if (!isPromiseLike(packed)) return finish(packed);
    report({ kind: 'waits', job });
    void Promise.resolve(packed).then(finish, fail);
  } catch (error) {
    fail(error);
  }
}

parentPort!.on('message', (request: ThreadRequest) => {
  switch (request.kind) {
    case 'evaluate':
      return evaluate(request.job, request.source, request.functions);
    case 'settle':
      jobs.get(request.job)?.settle(request.promise, request.value);
      // What it leads to runs in microtasks, and belongs to this turn.
      // oxlint-disable-next-line no-restricted-globals -- no time passes: it is about what comes first
      setImmediate(report, { kind: 'settled' });
      return;
    case 'cancel':
      jobs.get(request.job)?.cancel();
  }
});

try {
  await load();
  report({ kind: 'ready' });
} catch (error) {
  report({ kind: 'unloadable', error: toWire(error) });
}
