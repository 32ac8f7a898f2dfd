import { afterAll, describe, expect, it } from '@jest/globals';
import { describeBackends, type TestBackend, testBackends } from '../support/backends.js';
import { torture } from './torture.js';

const backends = await testBackends();
process.stdout.write(`torture: ${describeBackends(backends)}`);
const shared = backends.available.filter((b): b is TestBackend & { url: string } => b.url !== undefined);

const RUN_MS = 400_000;
const SECONDS = 8;
const seed = Date.now() % 2 ** 31;

describe.each(shared)('W1–W9: nodes that are killed while they work, on $name', (backend) => {
  afterAll(() => backend.drop());

  it(
    `keep all promises (npm run torture -- --databases ${backend.name} --seconds ${SECONDS} --kill-every 2000 --seed ${seed})`,
    async () => {
      const { findings, figures } = await torture(backend, { seed, seconds: SECONDS, nodes: 2, killEveryMs: 2000 });
      expect(findings).toEqual([]);
      expect(figures.kills).toBeGreaterThan(0);
      expect(figures.order).toBeGreaterThan(0);
    },
    RUN_MS,
  );
});
