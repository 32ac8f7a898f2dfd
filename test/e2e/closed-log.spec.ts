import { afterAll, expect, it } from '@jest/globals';
import { BuiltHost } from '../support/built-host.js';
import { describeThorough } from '../support/depth.js';

const HOST_TEST_MS = 120_000;

const input = (typeName: string, value: unknown) => ({ typeName, expression: { type: 'Literal', value } });
const loud = {
  definitionId: 'loud',
  name: 'loud',
  root: { id: 'Line', type: 'Elsa.WriteLine', text: input('String', 'a line of the log') },
};

describeThorough('the host, when nothing reads its log any more', () => {
  const host = new BuiltHost();
  afterAll(() => host.remove());

  it(
    'continues to serve, and shuts down in order',
    async () => {
      await host.start();
      await host.call('POST', '/elsa/api/workflow-definitions/import', loud);
      await host.call('POST', '/elsa/api/workflow-definitions/loud/publish', {});
      host.closeLog();
      for (let n = 0; n < 5; n++) {
        const { status } = await host.call('POST', '/elsa/api/workflow-definitions/loud/execute', {});
        expect(status).toBe(200);
      }
      expect((await host.call('GET', '/health/ready')).status).toBe(200);
      expect(await host.end('SIGTERM')).toBe(0);
    },
    HOST_TEST_MS,
  );
});
