import { lit, obj, run, send, line, serve, type Answer } from './testing/outgoing-runs.js';

describe('a kept connection that breaks', () => {
  let server: Awaited<ReturnType<typeof serve>>;
  let answer: (count: number) => Answer;
  beforeAll(async () => {
    server = await serve((_seen, count) => answer(count));
  });
  afterAll(() => server.close());
  beforeEach(() => {
    server.requests.length = 0;
  });
  const request = (method: string, headers: object) =>
    run(
      send({
        url: lit(server.url),
        method: lit(method),
        requestHeaders: obj(headers),
        failedToConnect: line('F', 'failed'),
      }),
    );

  it.each([
    ['sends a POST once', 'POST', {}, 1, ['failed']],
    ['sends a PATCH once', 'patch', {}, 1, ['failed']],
    ['repeats a GET once', 'GET', {}, 2, []],
    ['repeats a DELETE once', 'DELETE', {}, 2, []],
    ['repeats a POST that the server knows again', 'POST', { 'idempotency-key': 'k' }, 2, []],
  ])('%s', async (_, method, headers, times, lines) => {
    answer = (count) => ({ reset: count === 2 });
    await request(method, headers);
    expect((await request(method, headers)).lines).toEqual(lines);
    expect(server.requests).toHaveLength(1 + times);
  });
});
