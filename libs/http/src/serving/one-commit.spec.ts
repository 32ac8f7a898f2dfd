import { FastifyAdapter } from '@nestjs/platform-fastify';
import { endpoint, respond, startApp, type TestServer } from './testing/http-test-app.js';

describe('a request that a workflow answers at once', () => {
  let server: TestServer;
  beforeAll(async () => {
    // The pulse of the node would ask the store as well.
    server = await startApp(new FastifyAdapter(), {}, {}, { pollIntervalMs: 2 ** 30 });
  });
  afterAll(() => server.app.close());

  it('costs one commit and asks the store nothing', async () => {
    await server.publish([endpoint('In', 'direct/{id}'), respond('Out', 'done')]);
    await server.call('GET', '/workflows/direct/1');
    const { persistence } = server;
    const commit = jest.spyOn(persistence, 'commit');
    const { definitions, instances, bookmarks, triggers, queue, outbox } = persistence;
    const asked = [
      jest.spyOn(definitions, 'find'),
      jest.spyOn(instances, 'load'),
      jest.spyOn(instances, 'count'),
      jest.spyOn(instances, 'findMany'),
      jest.spyOn(bookmarks, 'findMany'),
      jest.spyOn(triggers, 'findMany'),
      jest.spyOn(queue, 'enqueue'),
      jest.spyOn(outbox, 'add'),
    ];
    const answer = await server.call('GET', '/workflows/direct/2');
    expect([answer.status, answer.text]).toEqual([200, 'done']);
    expect(commit).toHaveBeenCalledTimes(1);
    expect(asked.map((spy) => spy.mock.calls)).toEqual(asked.map(() => []));
    jest.restoreAllMocks();
  });
});
