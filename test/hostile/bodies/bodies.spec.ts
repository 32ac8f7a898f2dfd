import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import { isThorough, sampleOf } from '../../support/depth.js';
import { pairsOf, runInTurn } from '../../support/pairs.js';
import { Target } from './attack.js';
import { bodyCorpora } from './body-corpus.js';
import { crashCorpora } from './crash-corpus.js';
import { type HostileRequest, isFault, RAW } from './hostile-request.js';
import { FUZZERS } from './random-requests.js';
import { TurnClock } from './turn-clock.js';

const STARTUP_MS = 120_000;
const PART_MS = 300_000;
const PARTS = 4;
const SOCKET_BYTES = 65_536;
/**
 * Of one turn of the event loop, in milliseconds of the processor: a multiple of what is promised, since threads that collect
 * garbage count as well. `npm run hostile` shows how far below the promise it is; what went wrong here took seconds.
 */
const LONGEST_STALL_MS = 2000;
const SEEDS = Array.from({ length: 20 }, (_, i) => 1000 + i);
/** Every which request of a kind, the first one at least, and every which seed a quick run takes. */
const SHARE = 17;
const KINDS = Object.entries(FUZZERS);

const ADAPTERS = ['express', 'fastify'] as const;

runInTurn(() => {
  describe.each(pairsOf(ADAPTERS, 'express'))('no request harms a host on %s', (adapter) => {
    let target: Target;
    beforeAll(async () => void (target = await Target.start(adapter)), STARTUP_MS);
    afterAll(() => target.kill());

    /** Each is answered, by no 5xx and in words of ours, and the host answers others meanwhile: no turn takes it seconds. */
    async function expectAnswered(requests: readonly HostileRequest[]): Promise<void> {
      for (const request of requests) {
        const { status, body, health, stallMs } = await target.attack(request);
        // 0: the connection ended while the rest of a refused body was on its way, more than sockets hold, before a head made sense, or
        // because the client ended its half; the host is there all the same.
        const mayEnd = (): boolean => request.endsEarly === true || request.body().length > SOCKET_BYTES;
        const isAnswered = status === 0 ? mayEnd() : isFault(request, status, body) || (status >= 100 && status < 500);
        const hasNoBody = request.method === RAW || request.method === 'HEAD';
        const isTyped = status !== 400 || hasNoBody || /errors|"code"|"message"/.test(body);
        const isQuick = stallMs < LONGEST_STALL_MS;
        const shown = { name: request.name, status, body: body.slice(0, 200), health, stallMs };
        expect({ ...shown, isAnswered, isTyped, isQuick }).toMatchObject({
          isAnswered: true,
          isTyped: true,
          isQuick: true,
          health: 200,
        });
      }
    }

    /** Each goes to one of both, and those of the login, which strangers reach, to both. `npm run hostile` sends all to both. */
    const corpus = [...bodyCorpora, ...(isThorough ? crashCorpora : [])]
      .flatMap((requests) => sampleOf(requests, SHARE))
      .filter(({ path }, i) => path.endsWith('/identity/login') || i % 2 === ADAPTERS.indexOf(adapter));

    it.each(Array.from({ length: PARTS }, (_, part) => part))(
      'no request of the corpus harms a host, part %i',
      (part) => expectAnswered(corpus.filter((_, i) => i % PARTS === part)),
      PART_MS,
    );

    it.each(KINDS)(
      'no request of random %s harms a host',
      (_kind, random) => expectAnswered(sampleOf(SEEDS, SHARE).map(random)),
      PART_MS,
    );
  });
});

test.each(KINDS)('the same seed makes the same request: %s', (_kind, random) => {
  const shown = (seed: number) => {
    const { method, path, headers, body } = random(seed);
    return [method, path, headers, Buffer.from(body()).toString('latin1')];
  };
  expect(shown(5)).toEqual(shown(5));
  expect(SEEDS.map(shown)).not.toEqual(SEEDS.map(() => shown(5)));
});

test('a long turn is detected', async () => {
  const clock = new TurnClock();
  clock.start();
  await new Promise((resolve) => setImmediate(resolve));
  const end = process.cpuUsage().user + 60_000;
  while (process.cpuUsage().user < end);
  expect(clock.stop().longestMs).toBeGreaterThan(50);
});
