import { ADAPTERS, useServer } from '../module/api-harness.spec.js';

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
