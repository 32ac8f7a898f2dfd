import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { unzipSync } from 'fflate';
import { WorkflowPersistence } from '@waymark/runtime';
import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, deploySeen, useServer } from '../module/api-harness.spec.js';

describe.each(pairsOf(ADAPTERS, 'fastify'))('an archive of many instances on %s', (adapter) => {
  const { call, execute, app } = useServer(adapter, deploySeen);
  const bulk = '/bulk-actions/export/workflow-instances';

  const started = (count: number) =>
    Promise.all(Array.from({ length: count }, async () => (await execute('seen')).id as string));
  /** What is done before each load. */
  const beforeLoad = (task: (nth: number) => Promise<void>) => {
    const { instances } = app().get(WorkflowPersistence);
    const load = instances.load.bind(instances);
    let loads = 0;
    instances.load = async (id) => {
      await task(++loads);
      return load(id);
    };
    return {
      count: () => loads,
      restore: () => {
        instances.load = load;
      },
    };
  };

  it('is written one after the other, without those deleted meanwhile', async () => {
    const ids = await started(5);
    let [loading, most] = [0, 0];
    const loads = beforeLoad(async (nth) => {
      most = Math.max(most, ++loading);
      if (nth === 2) await app().get(WorkflowPersistence).instances.delete([ids[4]!]);
      loading--;
    });
    const archive = await call('POST', bulk, { ids: [...ids, ids[0], 'none'] });
    loads.restore();
    expect([archive.status, most, loads.count()]).toEqual([200, 1, 5]);
    expect(Object.keys(unzipSync(archive.bytes))).toEqual(ids.slice(0, 4).map((id) => `workflow-instance-${id}.json`));
    const one = await call('POST', bulk, { ids: [ids[0], 'none'], includeActivityExecutionLog: true });
    expect(one.json.ActivityExecutionRecords.length).toBeGreaterThan(0);
    expect((await call('POST', bulk, { ids: ['none'] })).status).toBe(204);
    expect((await call('POST', bulk, {})).status).toBe(204);
    const tooMany = Array.from({ length: 10_001 }, (_, n) => `i${n}`);
    expect((await call('POST', bulk, { ids: tooMany })).status).toBe(400);
  });

  it('is not written any further when the client has disconnected', async () => {
    const ids = await started(6);
    let goOn = (): void => {};
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    let reached = (): void => {};
    const isReached = new Promise<void>((resolve) => (reached = resolve));
    const loads = beforeLoad(async (nth) => {
      if (nth !== 3) return;
      reached();
      await gate;
    });
    const connected = once(app().getHttpServer(), 'connection') as Promise<[NodeJS.EventEmitter]>;
    const { client, answered } = ask(`${await app().getUrl()}/elsa/api${bulk}`, { ids });
    const closed = connected.then(([socket]) => once(socket, 'close'));
    await answered;
    await isReached;
    client.destroy();
    await closed;
    goOn();
    // What would be begun next is begun by then.
    for (let turn = 0; turn < 20; turn++) await setImmediate();
    loads.restore();
    expect(loads.count()).toBe(3);
  });
});

/** On a connection of its own. */
function ask(url: string, body: object): { client: ClientRequest; answered: Promise<IncomingMessage> } {
  const headers = { 'content-type': 'application/json' };
  const client = request(url, { method: 'POST', headers, agent: false });
  const answered = new Promise<IncomingMessage>((resolve) => client.once('response', resolve));
  client.on('error', () => undefined);
  client.end(JSON.stringify(body));
  return { client, answered };
}
