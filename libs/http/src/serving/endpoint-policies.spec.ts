import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { pairsOf } from '../../../../test/support/pairs.js';
import { endpoint, lit, respond, startApp, type TestServer } from './testing/http-test-app.js';

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], ExpressAdapter))('policies of endpoints (%p)', (Adapter) => {
  let server: TestServer;
  beforeAll(async () => {
    const managers = (user: unknown) => (user as { name: string }).name === 'mia';
    server = await startApp(new Adapter(), { policies: { managers, all: () => true } });
  });
  afterAll(() => server.app.close());

  it('policies of endpoints apply without authorize', async () => {
    await server.publish([endpoint('In', 'managed', { policy: lit('managers') }), respond('Out', 'ok')]);
    const get = async (headers?: Record<string, string>) =>
      (await server.call('GET', '/workflows/managed', { headers })).status;
    expect([await get(), await get({ 'x-user': 'ann' }), await get({ 'x-user': 'mia' })]).toEqual([401, 401, 200]);
  });

  it('policies of endpoints decide which of the instances that wait at one path an ambiguous call names', async () => {
    const policies = { open: undefined, forAll: lit('all'), forManagers: lit('managers') };
    for (const [name, policy] of Object.entries(policies)) {
      await server.publish([
        endpoint('Start', `shared/${name}`),
        respond('R1', 'started'),
        endpoint('Resume', 'shared/resume', { start: false, ...(policy && { policy }) }),
        respond('R2', 'resumed'),
      ]);
      await server.call('GET', `/workflows/shared/${name}`, { headers: { 'X-Workflow-Instance-ID': name } });
    }
    const named = async (user?: string): Promise<unknown> => {
      const { status, json } = await server.call('GET', '/workflows/shared/resume', {
        headers: user === undefined ? {} : { 'x-user': user },
      });
      return status === 500 ? json.workflows.map((w: any) => w.WorkflowInstanceId).sort() : status;
    };
    expect([await named(), await named('ann'), await named('mia')]).toEqual([
      401,
      ['forAll', 'open'],
      ['forAll', 'forManagers', 'open'],
    ]);
  });

  it('policies of endpoints that are not known are refused when the workflow is published, with those that are', async () => {
    const publishing = server.publish([endpoint('In', 'typo', { policy: lit('mangers') }), respond('Out', 'ok')]);
    await expect(publishing).rejects.toThrow(/"mangers" is not defined in .* "managers"/);
  });
});
