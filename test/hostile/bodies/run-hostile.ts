/**
 * The figures of `npm run hostile`: the corpus and so many random requests of each kind go to a host on Fastify and to one on
 * Express, while another process asks for `/health/live`. Options: `--adapter express` (one of them only), `--seeds 1000`,
 * `--seed 1` (the first), `--above 100` (what stalls longer is listed, in milliseconds), `--only text` (names with that text),
 * `--largest` (every route of the management API with what is largest of all that it takes, in place of the others),
 * `--slow` (clients that take their time, all at once, in place of the others: a minute and a half).
 */
import { parseArgs } from 'node:util';
import type { OpenApiDocument } from '@waymark/runtime';
import { forkNode } from '../../support/spawn-node.js';
import { operationsOf } from '../api/api-document.js';
import { largestCalls } from '../api/largest-calls.js';
import { Target } from './attack.js';
import { bodyCorpus } from './body-corpus.js';
import type { HealthNodeCommand, HealthNodeSettings } from './health-node.js';
import type { HostileNodeSettings } from './hostile-node.js';
import { apiRequest, type HostileRequest, isFault } from './hostile-request.js';
import { FUZZERS } from './random-requests.js';
import { send } from './send.js';
import { sendSlowly } from './send-slowly.js';
import { slowCorpus } from './slow-corpus.js';

type Adapter = HostileNodeSettings['adapter'];

const { values } = parseArgs({
  options: {
    adapter: { type: 'string' },
    above: { type: 'string', default: '100' },
    seeds: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    largest: { type: 'boolean', default: false },
    slow: { type: 'boolean', default: false },
  },
});
const above = Number(values.above);
const adapters: readonly Adapter[] = values.adapter ? [values.adapter as Adapter] : ['fastify', 'express'];
const print = (line: string): void => void process.stdout.write(`${line}\n`);

function* requests(): Generator<HostileRequest> {
  yield* bodyCorpus;
  const first = Number(values.seed);
  for (const random of Object.values(FUZZERS))
    for (let seed = first; seed < first + Number(values.seeds); seed++) yield random(seed);
}

/** Of the routes that the host describes; pausing and draining it would end the others. */
async function largestOf({ url }: Target): Promise<HostileRequest[]> {
  const ask = apiRequest('the document', '/openapi.json', () => '', { method: 'GET', type: {} });
  const document = JSON.parse((await send(url, ask, '')).body) as OpenApiDocument;
  const names: Readonly<Record<string, string>> = { definitionId: 'keep', typeName: 'Elsa.Cron', version: '1' };
  return operationsOf(document)
    .filter(({ path }) => !/drain|pause|stream/.test(path))
    .flatMap((operation) => [...largestCalls(operation, (name) => names[name] ?? 'none')]);
}

async function attack(adapter: Adapter): Promise<void> {
  const target = await Target.start(adapter);
  const settings: HealthNodeSettings = { url: target.url };
  const health = await forkNode<HealthNodeCommand>('../hostile/bodies/health-node.ts', settings);
  const figures = {
    adapter,
    requests: 0,
    longestStallMs: 0,
    longestWithoutHealthMs: 0,
    hangs: 0,
    unanswered: 0,
    serverErrors: 0,
  };
  const statuses: Record<number, number> = {};
  let peak = { rss: 0, heap: 0 };
  for (const request of values.largest ? await largestOf(target) : requests()) {
    if (!request.name.includes(values.only)) continue;
    const { status, body, stallMs, ...seen } = await target.attack(request);
    const unhealthyMs = await health.ask<number>({ do: 'longest' });
    figures.requests++;
    if (status < 0) figures.hangs++;
    const isError = status >= 500 && !isFault(request, status, body);
    if (isError) figures.serverErrors++;
    const isUnanswered = status === 0 && !request.endsEarly;
    if (isUnanswered) figures.unanswered++;
    statuses[status] = (statuses[status] ?? 0) + 1;
    figures.longestStallMs = Math.max(figures.longestStallMs, Math.round(stallMs));
    figures.longestWithoutHealthMs = Math.max(figures.longestWithoutHealthMs, Math.round(unhealthyMs));
    ({ peak } = seen);
    if (Math.max(stallMs, unhealthyMs) > above || isError || status < 0 || isUnanswered)
      print(
        [stallMs, unhealthyMs].map((ms) => `${ms.toFixed(0).padStart(6)} ms`).join('') +
          `  ${status}  ${request.name}  ${isError ? body.slice(0, 150) : ''}`,
      );
  }
  const megabytes = (bytes: number): number => Math.round(bytes / 1_000_000);
  print(JSON.stringify({ ...figures, peakRssMb: megabytes(peak.rss), peakHeapMb: megabytes(peak.heap), statuses }));
  await Promise.all([health.kill(), target.kill()]);
}

/** Each has to be answered as the corpus says, or to be cut off where it says that. */
async function attackSlowly(adapter: Adapter): Promise<void> {
  const target = await Target.start(adapter);
  const wrong = await Promise.all(
    slowCorpus.map(async (request) => {
      const { status, seconds } = await sendSlowly(target.url, request);
      const isExpected = request.statuses.includes(status);
      print(
        `${adapter}  ${String(seconds).padStart(4)} s  ${status}  ${request.name}${isExpected ? '' : '  (unexpected)'}`,
      );
      return !isExpected;
    }),
  );
  if (wrong.includes(true)) process.exitCode = 1;
  await target.kill();
}

if (values.slow) await Promise.all(adapters.map(attackSlowly));
else {
  print('processor   health  status  request');
  for (const adapter of adapters) await attack(adapter);
}
