import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHost } from '../../src/host.js';
import { readSettings } from '../../src/settings/host-settings.js';

const HOST_TEST_MS = 120_000;
const endpoint = (id: string, url: string, start: boolean) => ({
  id,
  type: 'Elsa.HttpEndpoint',
  path: { typeName: 'String', expression: { type: 'Literal', value: url } },
  customProperties: { canStartWorkflow: start },
});
const line = (id: string) => ({
  id,
  type: 'Elsa.WriteLine',
  text: { typeName: 'String', expression: { type: 'Literal', value: id } },
});
const arrow = (from: string, to: string) => ({ source: { activity: from }, target: { activity: to } });
const SINGLETON = 'Elsa.Workflows.Runtime.ActivationValidators.SingletonStrategy, Elsa.Workflows.Runtime';

describe('Run in Elsa Studio, of a singleton that begins with an HTTP endpoint', () => {
  let folder: string;
  let app: NestFastifyApplication;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'waymark-run-'));
    app = await createHost(readSettings({ DATABASE_URL: `sqlite:${path.join(folder, 'host.db')}` }));
    app.useLogger(false);
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
  }, HOST_TEST_MS);
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const call = (method: 'GET' | 'POST', url: string, payload?: object) =>
    app.inject({ method, url: `/elsa/api${url}`, ...(payload && { payload }) });
  const deploy = async (definitionId: string, root: object) => {
    const model = { definitionId, name: definitionId, root, options: { activationStrategyType: SINGLETON } };
    expect((await call('POST', '/workflow-definitions', { model, publish: true })).statusCode).toBe(200);
  };
  const run = async (definitionId: string) => {
    const answer = await call('POST', `/workflow-definitions/${definitionId}/execute`, { versionOptions: 'Latest' });
    return [answer.statusCode, answer.headers['x-elsa-workflow-cannot-start'], answer.json().workflowState?.subStatus];
  };

  it.each([
    ['alone', endpoint('H', 'run-alone', true)],
    ['in a sequence', { id: 'S', type: 'Elsa.Sequence', activities: [endpoint('H', 'run-sequence', true), line('W')] }],
    [
      'in a flowchart',
      {
        id: 'F',
        type: 'Elsa.Flowchart',
        activities: [line('W'), endpoint('H', 'run-flowchart', true)],
        connections: [arrow('H', 'W')],
      },
    ],
  ])('%s: runs with the current request, so that a singleton ends', async (name, root) => {
    const id = `run-${name.replaceAll(' ', '-')}`;
    await deploy(id, root);
    expect(await run(id)).toEqual([200, 'False', 'Finished']);
    expect(await run(id)).toEqual([200, 'False', 'Finished']);
  });

  it('does not show the workflow with whose credentials it is run', async () => {
    const kept = { typeName: 'Object', memoryReference: { id: 'Seen' } };
    const root = { ...endpoint('H', 'run-seen', true), headers: kept };
    const content = { typeName: 'Object', expression: { type: 'JavaScript', value: 'JSON.stringify(variables.Seen)' } };
    const model = {
      definitionId: 'run-seen',
      name: 'run-seen',
      variables: [{ id: 'Seen', name: 'Seen', typeName: 'Object' }],
      options: { activationStrategyType: SINGLETON },
      root: {
        id: 'S',
        type: 'Elsa.Sequence',
        activities: [root, { id: 'W', type: 'Elsa.WriteHttpResponse', content }],
      },
    };
    expect((await call('POST', '/workflow-definitions', { model, publish: true })).statusCode).toBe(200);
    const { payload } = await app.inject({
      method: 'POST',
      url: '/elsa/api/workflow-definitions/run-seen/execute',
      headers: { authorization: 'ApiKey key-of-the-administrator', 'x-own': 'shown' },
    });
    expect(payload).toContain('shown');
    expect(payload).not.toContain('key-of-the-administrator');
  });

  it('waits for a request where any number of instances may run', async () => {
    const model = { definitionId: 'run-many', name: 'Many', root: endpoint('H', 'run-many', true) };
    await call('POST', '/workflow-definitions', { model, publish: true });
    expect(await run('run-many')).toEqual([200, 'False', 'Suspended']);
  });

  it('an endpoint that may not start the workflow waits for a request', async () => {
    await deploy('run-waits', {
      id: 'S',
      type: 'Elsa.Sequence',
      activities: [endpoint('H', 'run-waits', false), line('W')],
    });
    expect(await run('run-waits')).toEqual([200, 'False', 'Suspended']);
  });

  it('a fresh endpoint has GET ticked', async () => {
    const { inputs } = (await call('GET', '/descriptors/activities/Elsa.HttpEndpoint')).json();
    const methods = inputs.find((input: { name: string }) => input.name === 'SupportedMethods');
    expect(methods).toMatchObject({ defaultValue: ['GET'], defaultSyntax: 'Object' });
  });
});
