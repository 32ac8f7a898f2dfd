/**
 * The figures: requests tried, the longest turn of the event loop, answers with 5xx. `npm run build:test`, then
 * `node test/dist/hostile/bodies/run-bodies.js [--adapter express] [--inputs 500] [--seed 1] [--above 100] [--only text]`.
 */
import { parseArgs } from 'node:util';
import { Target } from './attack.js';
import { bodyCorpus } from './body-corpus.js';
import { randomRequest } from './random-bodies.js';

const { values } = parseArgs({
  options: {
    adapter: { type: 'string', default: 'fastify' },
    above: { type: 'string', default: '100' },
    inputs: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});
const target = await Target.start(values.adapter as 'express' | 'fastify');
const random = Array.from({ length: Number(values.inputs) }, (_, i) => randomRequest(Number(values.seed) + i));
const requests = [...bodyCorpus, ...random].filter(({ name }) => name.includes(values.only));
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const statuses: Record<number, number> = {};
let longest = 0;
for (const request of requests) {
  const { status, body, stallMs } = await target.attack(request);
  statuses[status] = (statuses[status] ?? 0) + 1;
  longest = Math.max(longest, stallMs);
  if (stallMs > Number(values.above) || status >= 500 || status === 0)
    print(
      `${stallMs.toFixed(0).padStart(6)} ms  ${status}  ${request.name}  ${status >= 500 ? body.slice(0, 150) : ''}`,
    );
}
print(
  JSON.stringify({ adapter: values.adapter, requests: requests.length, longestStallMs: Math.round(longest), statuses }),
);
await target.kill();
