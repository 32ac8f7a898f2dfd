/**
 * The figures: inputs tried, errors by code, the longest turn of the event loop, peak memory. Ends with a summary in any case:
 * the inputs run in a process of their own, and one that hangs or kills it is a finding.
 *
 * `node --conditions=@waymark/source --import @swc-node/register/esm-register test/hostile/expressions/run-corpus.ts
 * [--inputs 2000] [--seed 1] [--minutes 5] [--only JavaScript] [--sandbox worker] [--above 100]`
 */
import { fork } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { builtInMatrix } from './built-in-matrix.js';
import { filterMatrix } from './filter-matrix.js';
import type { HostileInput } from './hostile-input.js';
import { javaScriptCorpus } from './javascript-corpus.js';
import { liquidCorpus } from './liquid-corpus.js';
import { randomInput } from './random-inputs.js';
import type { Tried } from './try-inputs.js';

/** No input may take a second; what takes this long does not come back. */
const HANGS_AFTER_MS = 60_000;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    above: { type: 'string', default: '100' },
    inputs: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string' },
    sandbox: { type: 'string', default: 'inline' },
    matrix: { type: 'string', default: '0' },
  },
});

interface Named {
  readonly name: string;
  readonly make: () => HostileInput;
}

function inputs(): Named[] {
  const corpus = [javaScriptCorpus, liquidCorpus].flatMap((of) =>
    of.map((input, i): Named => ({ name: `${input.type} corpus ${i}`, make: () => input })),
  );
  const seeds = Array.from({ length: Number(values.inputs) }, (_, i) => Number(values.seed) + i);
  const random = seeds.flatMap((seed) =>
    (['JavaScript', 'Liquid'] as const).map((type): Named => ({
      name: `${type} seed ${seed}`,
      make: () => randomInput(type, seed),
    })),
  );
  // Every which of the filters and built-ins, with all that they may be given.
  const share = Number(values.matrix);
  const matrix = share === 0 ? [] : [...filterMatrix(), ...builtInMatrix()];
  const some = matrix
    .map((input, i): Named => ({ name: `${input.type} matrix ${i}`, make: () => input }))
    .filter((_, i) => i % share === Number(values.seed) % share);
  return [...corpus, ...random, ...some].filter(({ name }) => name.startsWith(values.only ?? ''));
}

const all = inputs();
const tried: Record<string, number> = {};
const outcomes: Record<string, number> = {};
const longest: Record<string, { cpuMs: number; wallMs: number; input: string }> = {};
const lost: string[] = [];
let peakMb = 0;
let next = 0;
let isOver = false;
let child: ReturnType<typeof fork> | undefined;

const endsAt = performance.now() + (values.minutes === undefined ? Infinity : Number(values.minutes) * 60_000);
const stop = (): void => {
  isOver = true;
  child?.kill('SIGKILL');
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);

while (!isOver && next < all.length) await tryOn();
process.stdout.write(
  `${JSON.stringify({ tried, leftOut: all.length - next, outcomes, longest, lost, peakMb }, null, 2)}\n`,
);
process.exitCode = lost.length > 0 ? 1 : 0;

/** One process, for as long as it lives. */
async function tryOn(): Promise<void> {
  const worker = (child = fork(path.join(import.meta.dirname, 'try-inputs.ts'), [values.sandbox]));
  let silence: NodeJS.Timeout | undefined;
  const giveNext = (): void => {
    if (isOver || next >= all.length || performance.now() > endsAt) return stop();
    silence?.refresh();
    worker.send(all[next]!.make());
  };
  worker.on('message', (result: Tried | 'ready') => {
    if (result !== 'ready') note(all[next++]!, result);
    giveNext();
  });
  await new Promise<void>((resolve) => {
    silence = setTimeout(() => worker.kill('SIGKILL'), HANGS_AFTER_MS);
    worker.once('exit', (code, signal) => {
      clearTimeout(silence);
      if (!isOver) lost.push(`${all[next++]!.name}: ${signal ?? code}`);
      resolve();
    });
  });
}

function note({ name, make }: Named, { cpuMs, wallMs, outcome, rssMb }: Tried): void {
  const type = name.split(' ')[0]!;
  const kind = `${type} ${outcome.replace(/\d+ characters/, 'text')}`;
  tried[type] = (tried[type] ?? 0) + 1;
  outcomes[kind] = (outcomes[kind] ?? 0) + 1;
  if (cpuMs >= (longest[type]?.cpuMs ?? 0)) longest[type] = { cpuMs, wallMs, input: name };
  peakMb = Math.max(peakMb, rssMb);
  if (cpuMs <= Number(values.above)) return;
  const { source } = make();
  process.stdout.write(`${name}: ${cpuMs.toFixed(0)} ms ${outcome} ${source.slice(0, 100)}…${source.slice(-60)}\n`);
}
