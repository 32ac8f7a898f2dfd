import { lit, obj, run, send, serve, type Answer, type Seen } from './testing/outgoing-runs.js';

describe('headers of a request that belong to its connection', () => {
  let server: Awaited<ReturnType<typeof serve>>;
  let answer: (seen: Seen) => Answer = () => ({});
  beforeAll(async () => {
    server = await serve((seen) => answer(seen));
  });
  afterAll(() => server.close());
  beforeEach(() => {
    server.requests.length = 0;
    answer = () => ({});
  });
  const received = obj({
    'Content-Length': '17',
    'transfer-encoding': 'chunked',
    Connection: 'upgrade',
    Upgrade: 'websocket',
    'Keep-Alive': 'timeout=1',
    Trailer: 'X-Sum',
    'X-Own': '1',
  });
  const names = ({ rawHeaders }: Seen) => rawHeaders.filter((_, i) => i % 2 === 0).sort();

  it('headers of the connection are left to the client where a relay passes on what it got, in a GET', async () => {
    const { wec } = await run(send({ url: lit(server.url), requestHeaders: received }));
    expect(wec.subStatus).toBe('Finished');
    expect(server.requests.map(names)).toEqual([['Connection', 'Host', 'X-Own']]);
  });

  it('headers of the connection are left to the client with content', async () => {
    await run(
      send({
        url: lit(server.url),
        method: lit('POST'),
        content: lit('four', 'Object'),
        contentType: lit('text/plain'),
        requestHeaders: received,
      }),
    );
    const [seen] = server.requests;
    expect([names(seen!), seen!.headers['content-length'], seen!.headers.connection, seen!.body]).toEqual([
      ['Connection', 'Content-Length', 'Content-Type', 'Host', 'X-Own'],
      '4',
      'keep-alive',
      'four',
    ]);
  });

  it('names of hosts are that of the request, and that of another one after a redirect', async () => {
    const other = await serve(() => ({}));
    try {
      answer = ({ path }) =>
        path === '/'
          ? { status: 307, headers: { Location: '/here' } }
          : { status: 307, headers: { Location: other.url } };
      await run(send({ url: lit(server.url), requestHeaders: obj({ host: 'shop.example' }) }));
      expect(server.requests.map(({ headers }) => headers.host)).toEqual(['shop.example', 'shop.example']);
      expect(other.requests.map(({ headers }) => headers.host)).toEqual([new URL(other.url).host]);
    } finally {
      other.close();
    }
  });
});
