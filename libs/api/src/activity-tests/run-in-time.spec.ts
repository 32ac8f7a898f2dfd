import http from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { VirtualClock } from '@waymark/testing';
import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, ApiServer, JSON_TYPE } from '../module/api-harness.spec.js';

const variable = { id: 'n', name: 'N', typeName: 'Int32', isArray: false };
const loop = {
  id: 'Loop',
  type: 'Elsa.While',
  condition: { typeName: 'Boolean', expression: { type: 'Literal', value: true } },
  body: {
    id: 'Line',
    type: 'Elsa.WriteLine',
    text: { typeName: 'String', expression: { type: 'Literal', value: 'again' } },
  },
};

describe.each(pairsOf(ADAPTERS, 'express'))('an activity that is tried out and does not end, on %s', (adapter) => {
  let api: ApiServer;
  let lines: number;
  let clock: VirtualClock;
  let request: object;

  beforeEach(async () => {
    lines = 0;
    clock = new VirtualClock();
    api = await ApiServer.start(adapter, {}, { clock, writeLine: () => lines++ });
    const { id } = await api.deploy('looping', loop, { variables: [variable] });
    request = { workflowDefinitionHandle: { definitionVersionId: id }, activityHandle: { activityId: 'Loop' } };
  });
  afterEach(() => api.close());

  const untilItRuns = async () => {
    while (lines === 0) await setImmediate();
  };
  const expectItStands = async () => {
    const before = lines;
    for (let turn = 0; turn < 100; turn++) await setImmediate();
    expect(lines).toBe(before);
  };

  it('is given up after a while', async () => {
    const tested = api.call('POST', '/tests/activities', request);
    await untilItRuns();
    await clock.advance(30_000);
    const { status, json } = await tested;
    expect([status, json.code]).toEqual([409, 'WM5090']);
    await expectItStands();
  });

  it('is given up when its client leaves', async () => {
    const url = `${await api.app.getUrl()}/elsa/api/tests/activities`;
    const client = http.request(url, { method: 'POST', headers: JSON_TYPE, agent: false });
    client.on('error', () => undefined);
    client.end(JSON.stringify(request));
    await untilItRuns();
    client.destroy();
    for (let seen = -1; seen !== lines;) {
      seen = lines;
      for (let turn = 0; turn < 100; turn++) await setImmediate();
    }
    await expectItStands();
  });
});
