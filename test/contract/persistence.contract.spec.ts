import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { definePersistenceContract } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';

describeOn(await testBackends(), 'persistence contract on $name', (backend) => {
  let failed = false;
  definePersistenceContract(
    backend.name,
    {
      create: () => backend.create(),
      openOnAnotherNode: backend.name === 'memory' ? undefined : () => backend.create(),
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
