import { ADAPTERS, ApiServer, useServer } from '../module/api-harness.spec.js';

describe.each(ADAPTERS)('requests that no route takes, on %s', (adapter) => {
  const { call } = useServer(adapter);

  it.each([
    ['PATCH', '/workflow-definitions', 'GET, POST'],
    ['PUT', '/Workflow-Definitions/x/publish/', 'POST'],
    ['GET', '/workflow-definitions/x/publish', 'POST'],
    ['POST', '/descriptors/variables?x=1', 'GET'],
  ])('%s %s: 405 with the allowed methods for a known path', async (method, path, verbs) => {
    const answer = await call(method, path);
    expect([answer.status, answer.headers.get('allow'), answer.json]).toEqual([
      405,
      verbs,
      { code: 'WM8003', message: `This path supports ${verbs} only.` },
    ]);
  });

  it.each(['/no-such-thing', '/labels', '/workflow-definitions/a/b/c/d', '/workflow-definitions/elsa/api/publish/x'])(
    '%s: 404 for an unknown path',
    async (path) => {
      const answer = await call('GET', path);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        404,
        expect.stringMatching(/^application\/json/),
      ]);
      expect(answer.json).toEqual({ code: 'WM8003', message: 'The API does not have this path.' });
    },
  );
});

describe('requests for a path in a spelling that the router of the application does not take', () => {
  const OTHERWISE = {
    code: 'WM8003',
    message:
      'The API does not have this path in this spelling. Write it in lower case as documented, without encoded letters and without a slash at its end.',
  };

  it.each([
    ['express', 'GET', '/%77orkflow-definitions'],
    ['express', 'POST', '/workflow-definitions/x/%70ublish'],
    ['fastify', 'GET', '/Workflow-Definitions'],
  ] as const)('%s: %s %s is 404, and not that the path supports this method only', async (adapter, method, path) => {
    const server = await ApiServer.startWith(adapter, { allowAnonymous: true }, {}, false, {});
    const answer = await server.call(method, path, method === 'POST' ? {} : undefined);
    const other = await server.call('PATCH', path, {});
    await server.close();
    expect([answer.status, answer.headers.get('allow'), answer.json]).toEqual([404, null, OTHERWISE]);
    expect([other.status, other.headers.get('allow')]).toEqual([405, expect.stringContaining(method)]);
  });
});
