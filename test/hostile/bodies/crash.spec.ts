import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pairsOf, runInTurn } from '../../support/pairs.js';
import { Target } from './attack.js';
import { crashCorpora } from './crash-corpus.js';

const STARTUP_MS = 120_000;
const TEST_MS = 300_000;
const ADAPTERS = ['express', 'fastify'] as const;

runInTurn(() => {
  describe.each(pairsOf(ADAPTERS, 'express'))('no request ends a host on %s', (adapter) => {
    let target: Target;
    beforeAll(async () => void (target = await Target.start(adapter)), STARTUP_MS);
    afterAll(() => target.kill());

    it.each([
      ['parts of forms without a name', 0],
      ['connections that are reset', 1],
      ['connections that end', 2],
      ['offers of other protocols', 3],
    ])(
      '%s',
      async (_name, list) => {
        const wrong: unknown[] = [];
        for (const request of crashCorpora[list]!) {
          try {
            const { status, body, health } = await target.attack(request);
            const isAnswered = status === 0 ? request.endsEarly === true : status >= 100 && status < 500;
            if (!isAnswered || health !== 200)
              wrong.push({ name: request.name, status, body: body.slice(0, 200), health });
          } catch (error) {
            wrong.push((error as Error).message);
            target = await Target.start(adapter);
          }
        }
        expect(wrong).toEqual([]);
      },
      TEST_MS,
    );
  });
});
