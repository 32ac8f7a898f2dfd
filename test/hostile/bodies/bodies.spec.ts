import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import { Target } from './attack.js';
import { bodyCorpus } from './body-corpus.js';
import type { HostileRequest } from './hostile-request.js';
import { randomRequest } from './random-bodies.js';
import { TurnClock } from './turn-clock.js';

const STARTUP_MS = 120_000;
const PART_MS = 300_000;
const PARTS = 8;
const SEEDS = Array.from({ length: 100 }, (_, i) => 1000 + i);

describe.each(['express', 'fastify'] as const)('no body does harm to a host on %s', (adapter) => {
  let target: Target;
  beforeAll(async () => void (target = await Target.start(adapter)), STARTUP_MS);
  afterAll(() => target.kill());

  /** Each is answered, by no 5xx and in words of ours, and the host answers others meanwhile. */
  async function expectAnswered(requests: readonly HostileRequest[]): Promise<void> {
    for (const request of requests) {
      const { status, body, health } = await target.attack(request);
      // 0: the connection ended while the rest of a body was on its way that is too large; the host is there all the same.
      const isAnswered = status === 0 ? request.body().length > 500_000 : status >= 200 && status < 500;
      const isTyped = status !== 400 || /errors|"code"|"message"/.test(body);
      expect({ name: request.name, status, body: body.slice(0, 200), isAnswered, isTyped, health }).toMatchObject({
        isAnswered: true,
        isTyped: true,
        health: 200,
      });
    }
  }

  /** JSON for the API is read alike on both: each gets half of it. `run-bodies.ts` sends everything to one. */
  const corpus = bodyCorpus.filter(
    ({ path }, i) =>
      !path.startsWith('/elsa/api') || /import|login/.test(path) || i % 2 === ['express', 'fastify'].indexOf(adapter),
  );

  it.each(Array.from({ length: PARTS }, (_, part) => part))(
    'of the corpus, part %i',
    (part) => expectAnswered(corpus.filter((_, i) => i % PARTS === part)),
    PART_MS,
  );

  it('of random ones', () => expectAnswered(SEEDS.map(randomRequest)), PART_MS);
});

test('the same seed makes the same request', () => {
  const shown = (seed: number) => [
    randomRequest(seed).path,
    randomRequest(seed)
      .body()
      .toString('latin1' as never),
  ];
  expect(shown(5)).toEqual(shown(5));
  expect(SEEDS.map(shown)).not.toEqual(SEEDS.map(() => shown(5)));
});

test('a turn that takes long is seen', async () => {
  const clock = new TurnClock();
  clock.start();
  await new Promise((resolve) => setImmediate(resolve));
  const end = process.cpuUsage().user + 60_000;
  while (process.cpuUsage().user < end);
  expect(clock.stop()).toBeGreaterThan(50);
});
