/**
 * The figures: inputs tried, the longest turn of the event loop, peak memory. `node --conditions=@waymark/source --import @swc-node/register/esm-register
 * test/hostile/expressions/run-corpus.ts [--inputs 2000] [--seed 1] [--only Liquid] [--above 100]`.
 */
import { parseArgs } from 'node:util';
import { JavaScriptEvaluator, JavaScriptExpressionHandler, LiquidExpressionHandler } from '@waymark/expressions';
import { type HostileInput, hostileScope } from './hostile-input.js';
import { javaScriptCorpus } from './javascript-corpus.js';
import { liquidCorpus } from './liquid-corpus.js';
import { randomInput } from './random-inputs.js';
import { stallOf } from './stall-probe.js';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    above: { type: 'string', default: '100' },
    inputs: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
  },
});
const evaluator = await JavaScriptEvaluator.create();
const handlers = { JavaScript: new JavaScriptExpressionHandler(evaluator), Liquid: new LiquidExpressionHandler() };
function* inputs(): Generator<[name: string, input: HostileInput]> {
  for (const [i, input] of javaScriptCorpus.entries()) yield [`corpus ${i}`, input];
  for (const [i, input] of liquidCorpus.entries()) yield [`corpus ${i}`, input];
  for (let i = 0; i < Number(values.inputs); i++)
    for (const type of ['JavaScript', 'Liquid'] as const) {
      const seed = Number(values.seed) + i;
      yield [`seed ${seed}`, randomInput(type, seed)];
    }
}
const longest = { JavaScript: 0, Liquid: 0 };
let peak = 0;
const tried = { JavaScript: 0, Liquid: 0 };
const outcomes: Record<string, number> = {};
for (const [name, { type, source }] of inputs()) {
  if (values.only !== undefined && values.only !== type) continue;
  tried[type]++;
  const { cpuMs, outcome } = await stallOf(() => handlers[type].compile({ type, value: source })(hostileScope()));
  const kind = `${type} ${outcome.replace(/\d+ characters/, 'text')}`;
  outcomes[kind] = (outcomes[kind] ?? 0) + 1;
  longest[type] = Math.max(longest[type], cpuMs);
  peak = Math.max(peak, process.memoryUsage.rss());
  if (cpuMs > Number(values.above))
    process.stdout.write(
      `${name}: ${cpuMs.toFixed(0)} ms ${outcome} ${type} ${source.slice(0, 100)}…${source.slice(-60)}\n`,
    );
}
process.stdout.write(`${JSON.stringify({ tried, outcomes, longest, peakMb: peak >> 20 }, null, 2)}\n`);
