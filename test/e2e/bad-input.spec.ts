import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BuiltHost, buildHost } from '../support/built-host.js';

const HOST_TEST_MS = 120_000;
const API = '/elsa/api/workflow-definitions';

const literal = (typeName: string, value: unknown) => ({ typeName, expression: { type: 'Literal', value } });
const sequence = (...activities: object[]) => ({ id: 'Root', type: 'Elsa.Sequence', activities });
const endpoint = (id: string, path: string) => ({
  id,
  type: 'Elsa.HttpEndpoint',
  customProperties: { canStartWorkflow: true },
  path: literal('String', path),
});
const model = (definitionId: string, root: object) => ({ definitionId, name: definitionId, root });

describe('bad input (W10)', () => {
  const host = new BuiltHost();
  beforeAll(async () => {
    buildHost();
    await host.start();
  }, HOST_TEST_MS);
  afterAll(() => host.remove());

  const stored = async (): Promise<number> => (await host.call('GET', API)).json.totalCount as number;
  const published = async (definitionId: string): Promise<boolean> =>
    (await host.call('GET', `${API}/by-definition-id/${definitionId}?versionOptions=Published`)).status === 200;
  const problemOf = (answer: { status: number; json: { errors: Record<string, string[]> } }) => [
    answer.status,
    Object.values(answer.json.errors).flat().join(' '),
  ];

  it('a definition that is no JSON', async () => {
    const before = await stored();
    const answer = await host.call('POST', `${API}/import`, '{ "definitionId": ');
    expect(problemOf(answer)).toEqual([400, expect.stringMatching(/JSON/)]);
    expect(await stored()).toBe(before);
  });

  it('a cron expression that is none, when it is published', async () => {
    const cron = {
      id: 'When',
      type: 'Elsa.Cron',
      customProperties: { canStartWorkflow: true },
      cronExpression: literal('String', 'every now and then'),
    };
    const saved = await host.call('POST', API, { model: model('bad-cron', sequence(cron)), publish: true });
    expect(problemOf(saved)).toEqual([400, expect.stringMatching(/every now and then/)]);
    expect(await published('bad-cron')).toBe(false);
  });

  it('a second endpoint with the same method and path, in one workflow or in another', async () => {
    const twice = model('twice', sequence(endpoint('A', 'same'), endpoint('B', 'same')));
    expect((await host.call('POST', API, { model: twice, publish: true })).status).toBe(400);
    expect(await published('twice')).toBe(false);
    const first = model('first', sequence(endpoint('A', 'mine/{id}')));
    expect((await host.call('POST', API, { model: first, publish: true })).status).toBe(200);
    const second = await host.call('POST', API, {
      model: model('second', sequence(endpoint('A', 'mine/{other}'))),
      publish: true,
    });
    expect(problemOf(second)).toEqual([400, expect.stringMatching(/mine.*in use by another workflow/)]);
    expect(await published('second')).toBe(false);
  });

  it(
    'an expression that never ends: the activity faults, the host goes on',
    async () => {
      const line = {
        id: 'Line',
        type: 'Elsa.WriteLine',
        text: { typeName: 'String', expression: { type: 'JavaScript', value: 'for (;;) {}' } },
      };
      await host.call('POST', API, { model: model('endless', sequence(line)), publish: true });
      const run = await host.call('POST', `${API}/endless/execute`, {});
      const { subStatus, incidents } = run.json.workflowState as {
        subStatus: string;
        incidents: { activityId: string; message: string }[];
      };
      expect([subStatus, incidents[0]!.activityId]).toEqual(['Faulted', 'Line']);
      expect((await host.call('GET', '/health')).status).toBe(200);
    },
    HOST_TEST_MS,
  );

  it('a bookmark or an instance that does not exist', async () => {
    expect((await host.call('POST', '/elsa/api/bookmarks/resume?t=nonsense')).status).toBeGreaterThanOrEqual(400);
    expect((await host.call('GET', '/elsa/api/workflow-instances/none')).status).toBe(404);
    expect((await host.call('POST', '/leave-requests/none/manager', { approved: true, by: 'Max' })).json.code).toBe(
      'WM9003',
    );
    expect((await host.call('POST', '/workflows/none')).json.code).toBe('WM5007');
  });
});
