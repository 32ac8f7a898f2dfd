import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import { Target } from './attack.js';
import { bodyCorpus } from './body-corpus.js';
import { type HostileRequest, RAW } from './hostile-request.js';
import { FUZZERS } from './random-requests.js';
import { TurnClock } from './turn-clock.js';

const STARTUP_MS = 120_000;
const PART_MS = 300_000;
const PARTS = 8;
const SOCKET_BYTES = 65_536;
const SEEDS = Array.from({ length: 40 }, (_, i) => 1000 + i);
const KINDS = Object.entries(FUZZERS);

describe.each(['express', 'fastify'] as const)('no request does harm to a host on %s', (adapter) => {
  let target: Target;
  beforeAll(async () => void (target = await Target.start(adapter)), STARTUP_MS);
  afterAll(() => target.kill());

  /** Each is answered, by no 5xx and in words of ours, and the host answers others meanwhile. */
  async function expectAnswered(requests: readonly HostileRequest[]): Promise<void> {
    for (const request of requests) {
      const { status, body, health } = await target.attack(request);
      // 0: the connection ended while the rest of a refused body was on its way, more than sockets hold, or before a head made
      // sense; the host is there all the same.
      const mayEnd = request.method === RAW || request.body().length > SOCKET_BYTES;
      const isAnswered = status === 0 ? mayEnd : status >= 100 && status < 500;
      const hasNoBody = request.method === RAW || request.method === 'HEAD';
      const isTyped = status !== 400 || hasNoBody || /errors|"code"|"message"/.test(body);
      expect({ name: request.name, status, body: body.slice(0, 200), isAnswered, isTyped, health }).toMatchObject({
        isAnswered: true,
        isTyped: true,
        health: 200,
      });
    }
  }

  /** What is read alike on both: each gets half of it. `npm run hostile` sends everything to both. */
  const corpus = bodyCorpus.filter(
    ({ path, name }, i) =>
      /import|login/.test(path) ||
      (!path.startsWith('/elsa/api') && !/cookies|as JSON/.test(name)) ||
      i % 2 === ['express', 'fastify'].indexOf(adapter),
  );

  it.each(Array.from({ length: PARTS }, (_, part) => part))(
    'of the corpus, part %i',
    (part) => expectAnswered(corpus.filter((_, i) => i % PARTS === part)),
    PART_MS,
  );

  it.each(KINDS)('of random %s', (_kind, random) => expectAnswered(SEEDS.map(random)), PART_MS);
});

test.each(KINDS)('the same seed makes the same request: %s', (_kind, random) => {
  const shown = (seed: number) => {
    const { method, path, headers, body } = random(seed);
    return [method, path, headers, Buffer.from(body()).toString('latin1')];
  };
  expect(shown(5)).toEqual(shown(5));
  expect(SEEDS.map(shown)).not.toEqual(SEEDS.map(() => shown(5)));
});

test('a turn that takes long is seen', async () => {
  const clock = new TurnClock();
  clock.start();
  await new Promise((resolve) => setImmediate(resolve));
  const end = process.cpuUsage().user + 60_000;
  while (process.cpuUsage().user < end);
  expect(clock.stop().longestMs).toBeGreaterThan(50);
});
