import type { ScriptCompletion, ScriptHint, ScriptProblem } from './script-language.js';

export interface ScriptQuestion {
  readonly id: number;
  readonly kind: 'check' | 'complete' | 'hint';
  readonly text: string;
  readonly declarations: string;
  readonly position: number;
}

export interface ScriptAnswer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

let worker: Worker | undefined;
let lastId = 0;
const waiting = new Map<number, (answer: ScriptAnswer) => void>();

/** One for all editors of the tab, begun when the first script is opened. */
function start(): Worker {
  if (worker) return worker;
  worker = new Worker(new URL('./script-worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<ScriptAnswer>) => {
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  });
  // Not loaded, or out of memory: scripts can still be written.
  worker.addEventListener('error', () => {
    // The next question asks another one.
    worker?.terminate();
    worker = undefined;
    for (const [id, done] of waiting) done({ id, error: 'gone' });
    waiting.clear();
  });
  return worker;
}

async function ask<T>(
  kind: ScriptQuestion['kind'],
  text: string,
  declarations: string,
  position = 0,
): Promise<T | undefined> {
  const id = (lastId += 1);
  const answered = new Promise<ScriptAnswer>((resolve) => waiting.set(id, resolve));
  start().postMessage({ id, kind, text, declarations, position } satisfies ScriptQuestion);
  const { value, error } = await answered;
  return error === undefined ? (value as T) : undefined;
}

export const checkScript = async (text: string, declarations: string): Promise<readonly ScriptProblem[]> =>
  (await ask<ScriptProblem[]>('check', text, declarations)) ?? [];

export const completeScript = async (
  text: string,
  declarations: string,
  position: number,
): Promise<readonly ScriptCompletion[]> =>
  (await ask<ScriptCompletion[]>('complete', text, declarations, position)) ?? [];

export const hintAt = (text: string, declarations: string, position: number): Promise<ScriptHint | undefined> =>
  ask<ScriptHint>('hint', text, declarations, position);
