import { ADAPTERS, useServer } from '../module/api-harness.spec.js';

describe.each(ADAPTERS)('requests that no route takes, on %s', (adapter) => {
  const { call } = useServer(adapter);

  it.each([
    ['PATCH', '/workflow-definitions', 'GET, POST'],
    ['PUT', '/Workflow-Definitions/x/publish/', 'POST'],
    ['GET', '/workflow-definitions/x/publish', 'POST'],
    ['POST', '/descriptors/variables?x=1', 'GET'],
  ])('%s %s: a path that exists names its verbs', async (method, path, verbs) => {
    const answer = await call(method, path);
    expect([answer.status, answer.headers.get('allow'), answer.text]).toEqual([405, verbs, '']);
  });

  it.each(['/no-such-thing', '/labels', '/workflow-definitions/a/b/c/d', '/workflow-definitions/elsa/api/publish/x'])(
    '%s: one that does not is 404, without a body',
    async (path) => {
      const answer = await call('GET', path);
      expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([404, null, '']);
    },
  );
});
