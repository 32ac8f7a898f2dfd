import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { definePersistenceContract } from '@waymark/testing/adapter';
import { EVERY_STORE, testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';

const MAX_STATE_BYTES = 11_000_000;

describeOn(await testBackends(...EVERY_STORE), 'persistence contract on $name', (backend) => {
  let failed = false;
  definePersistenceContract(
    backend.name,
    {
      create: () => backend.create({ maxStateBytes: MAX_STATE_BYTES }),
      openOnAnotherNode:
        backend.name === 'memory' ? undefined : () => backend.create({ maxStateBytes: MAX_STATE_BYTES }),
      maxStateBytes: backend.name === 'memory' ? undefined : MAX_STATE_BYTES,
    },
    {
      describe,
      beforeAll,
      afterAll,
      expect,
      it: (name, body, timeoutMs) =>
        it(
          name,
          async () => {
            try {
              await body();
            } catch (error) {
              failed = true;
              throw error;
            }
          },
          timeoutMs,
        ),
    },
  );
  // Registered after the suite's own, so it runs when the suite has closed its connections.
  afterAll(async () => {
    if (!failed) await backend.drop();
    else process.stdout.write(`kept for inspection: ${backend.url ?? 'memory'}, table prefix ${backend.tablePrefix}\n`);
  });
});
