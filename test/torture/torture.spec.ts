import { afterAll, expect, it } from '@jest/globals';
import { testBackends } from '../support/backends.js';
import { describeThoroughOn } from '../support/describe-on.js';
import { torture } from './torture.js';

const RUN_MS = 400_000;
const SECONDS = 5;
const KILL_EVERY_MS = 1500;
const seed = Date.now() % 2 ** 31;

const databases = await testBackends('sqlite', 'mysql', 'postgres');

describeThoroughOn(databases, 'W1–W9: nodes that are killed while they work, on $name', (backend) => {
  afterAll(() => backend.drop());

  // Most of the time is waited for leases to run out, on all databases at once.
  it.concurrent(
    `nodes that are killed while they work keep all promises (npm run torture -- --databases ${backend.name} --seconds ${SECONDS} --kill-every ${KILL_EVERY_MS} --seed ${seed})`,
    async () => {
      const { findings, figures } = await torture(backend, {
        seed,
        seconds: SECONDS,
        nodes: 2,
        killEveryMs: KILL_EVERY_MS,
      });
      expect(findings).toEqual([]);
      expect(figures.kills).toBeGreaterThan(0);
      expect(figures.order).toBeGreaterThan(0);
    },
    RUN_MS,
  );
});
