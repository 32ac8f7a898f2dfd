import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OwnHost } from './own-host.js';

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
  const host = new OwnHost();
  beforeAll(() => host.start(), HOST_TEST_MS);
  afterAll(() => host.remove());

  const stored = async (): Promise<number> => (await host.call('GET', API)).json.totalCount as number;
  const published = async (definitionId: string): Promise<boolean> =>
    (await host.call('GET', `${API}/by-definition-id/${definitionId}?versionOptions=Published`)).status === 200;
  const problemOf = (answer: { status: number; json: { errors: Record<string, string[]> } }) => [
    answer.status,
    Object.values(answer.json.errors).flat().join(' '),
  ];

  it('a definition that is not JSON', async () => {
    const before = await stored();
    const answer = await host.call('POST', `${API}/import`, '{ "definitionId": ');
    expect(problemOf(answer)).toEqual([400, expect.stringMatching(/JSON/)]);
    expect(await stored()).toBe(before);
  });

  it('a malformed cron expression, when it is published', async () => {
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

  it('a stimulus that its trigger cannot be matched by', async () => {
    for (const stimulus of [undefined, null, 5, 'x', [], {}, { path: 1, method: {} }]) {
      const sent = await host.call('POST', '/elsa/api/stimuli', { name: 'Elsa.HttpEndpoint', stimulus });
      expect([stimulus, ...problemOf(sent)]).toEqual([stimulus, 400, expect.stringMatching(/'Elsa.HttpEndpoint'/)]);
      expect(Object.keys(sent.json.errors)).toEqual(['stimulus']);
    }
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
    'an expression that never ends: the activity faults, the host continues',
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

  const texts: [string, string][] = [
    ['with U+0000', 'a\0b'],
    ['that is too long', 'x'.repeat(701)],
  ];
  it.each(texts)('an id or a name %s: nothing is saved, nothing runs', async (_, text) => {
    const line = { id: 'Line', type: 'Elsa.WriteLine', text: literal('String', 'ran') };
    const before = await stored();
    const instances = (await host.call('GET', '/elsa/api/workflow-instances')).json.totalCount as number;
    for (const bad of [model(text, sequence(line)), { ...model('named', sequence(line)), name: text }])
      for (const publish of [false, true]) {
        const saved = await host.call('POST', API, { model: bad, publish });
        expect(problemOf(saved)).toEqual([400, expect.stringMatching(/cannot be stored/)]);
        const imported = await host.call('POST', `${API}/import`, JSON.stringify({ ...bad, isPublished: publish }));
        expect(problemOf(imported)).toEqual([400, expect.stringMatching(/cannot be stored/)]);
      }
    expect(await stored()).toBe(before);
    const known = model('texts', sequence({ ...line, id: 'Line' }));
    expect((await host.call('POST', API, { model: known, publish: true })).status).toBe(200);
    for (const request of [{ correlationId: text }, { name: text }])
      expect(problemOf(await host.call('POST', `${API}/texts/execute`, request))).toEqual([
        400,
        expect.stringMatching(/cannot be stored/),
      ]);
    for (const request of [{ correlationId: text }, { instanceId: text }])
      expect((await host.call('POST', `${API}/texts/dispatch`, request)).status).toBe(400);
    expect((await host.call('POST', '/elsa/api/events/any/trigger', { correlationId: text })).status).toBe(400);
    expect((await host.call('GET', '/elsa/api/workflow-instances')).json.totalCount).toBe(instances);
  });

  it.each(texts)('a text %s finds nothing', async (_, text) => {
    const written = encodeURIComponent(text);
    expect((await host.call('GET', `/elsa/api/workflow-instances/${written}`)).status).toBe(404);
    expect((await host.call('GET', `${API}/by-definition-id/${written}`)).status).toBe(404);
    for (const query of ['correlationId', 'searchTerm', 'definitionId'])
      expect((await host.call('GET', `/elsa/api/workflow-instances?${query}=${written}`)).json.totalCount).toBe(0);
    expect((await host.call('POST', `/elsa/api/tasks/${written}/complete`, {})).status).toBeLessThan(500);
    expect((await host.call('POST', `/elsa/api/events/${written}/trigger`, {})).status).toBeLessThan(500);
    expect((await host.call('GET', `/workflows/${written}`)).status).toBe(404);
  });

  it('an id of the longest kind can be published, read and run', async () => {
    const definitionId = 'ž'.repeat(255);
    const line = { id: 'Line', type: 'Elsa.WriteLine', text: literal('String', 'ran') };
    expect((await host.call('POST', API, { model: model(definitionId, sequence(line)) })).status).toBe(200);
    const url = `${API}/${encodeURIComponent(definitionId)}`;
    expect((await host.call('POST', `${url}/publish`, {})).status).toBe(200);
    const run = await host.call('POST', `${url}/execute`, { correlationId: '漢'.repeat(700) });
    expect(run.json.workflowState.subStatus).toBe('Finished');
  });

  it('an endpoint whose path is too long, when it is published', async () => {
    const long = model('long-path', sequence(endpoint('A', 'p'.repeat(700))));
    const saved = await host.call('POST', API, { model: long, publish: true });
    expect(problemOf(saved)).toEqual([400, expect.stringMatching(/cannot be stored/)]);
  });

  it('an activity that sets such a text faults, and its instance can be read', async () => {
    for (const value of ['"a" + String.fromCharCode(0)', '"x".repeat(701)']) {
      const correlate = {
        id: 'Correlate',
        type: 'Elsa.Correlate',
        correlationId: { typeName: 'String', expression: { type: 'JavaScript', value } },
      };
      const input = { In: 'a\0b' };
      await host.call('POST', API, { model: model('correlates', sequence(correlate)), publish: true });
      const run = await host.call('POST', `${API}/correlates/execute`, { input });
      const { id, subStatus, incidents } = run.json.workflowState as {
        id: string;
        subStatus: string;
        incidents: { activityId: string }[];
      };
      expect([subStatus, incidents[0]!.activityId]).toEqual(['Faulted', 'Correlate']);
      expect((await host.call('GET', `/elsa/api/workflow-instances/${id}`)).status).toBe(200);
    }
  });

  it('a bookmark or an instance that does not exist', async () => {
    expect((await host.call('POST', '/elsa/api/bookmarks/resume?t=nonsense')).status).toBeGreaterThanOrEqual(400);
    expect((await host.call('GET', '/elsa/api/workflow-instances/none')).status).toBe(404);
    expect((await host.call('POST', '/leave-requests/none/manager', { approved: true, by: 'Max' })).json.code).toBe(
      'WM9003',
    );
    expect((await host.call('POST', '/workflows/none')).json.code).toBe('WM5007');
  });
});
