import type { EngineOptions } from './engine-options.js';
import { seq, W } from './testing/build-definition.js';
import { WorkflowTest } from './testing/run-workflow.js';

describe('a burst yields to other work', () => {
  /** Milliseconds between two turns for others, where each of 40 activities takes what it is given. */
  const stretchesOf = async (
    millisOf: (index: number) => number,
    isAwaited: boolean,
    options: Partial<EngineOptions>,
  ) => {
    let time = 0;
    let yieldedAt = 0;
    const stretches: number[] = [];
    const test = new WorkflowTest({
      ...options,
      clock: { now: () => time } as EngineOptions['clock'],
      yield: async () => {
        stretches.push(time - yieldedAt);
        yieldedAt = time;
      },
    });
    const activities = Array.from({ length: 40 }, (_, i) => {
      const spend = () => {
        time += millisOf(i);
        return 'x';
      };
      return W(`w${i}`, (scope) => {
        scope.expectTimeToPass?.();
        return isAwaited ? Promise.resolve().then(spend) : spend();
      });
    });
    const run = await test.start(seq('S', activities));
    expect(run.status).toBe('Finished');
    return [...stretches, time - yieldedAt];
  };

  describe.each([true, false])('journal %s', (journal) => {
    it.each([
      ['that are awaited', true],
      ['at once', false],
    ])('a burst yields to other work between scripts of 18 ms %s', async (_kind, isAwaited) => {
      const stretches = await stretchesOf(() => 18, isAwaited, journal ? {} : { journal: false });
      expect(Math.max(...stretches)).toBeLessThanOrEqual(36);
    });

    it('a burst yields to other work after quick scripts, too', async () => {
      const stretches = await stretchesOf((i) => (i < 20 ? 0 : 18), true, journal ? {} : { journal: false });
      expect(Math.max(...stretches)).toBeLessThanOrEqual(36);
    });
  });
});
