import { type Answer, serve, lit, out, variable, run, send } from './testing/outgoing-runs.js';

describe('DownloadHttpFile', () => {
  let server: Awaited<ReturnType<typeof serve>>;
  let answer: () => Answer = () => ({});
  beforeAll(async () => {
    server = await serve(() => answer());
  });
  afterAll(() => server.close());
  beforeEach(() => {
    server.requests.length = 0;
    answer = () => ({});
  });

  it('gives the file with its name and type', async () => {
    answer = () => ({
      headers: { 'Content-Type': 'text/csv', 'Content-Disposition': 'attachment; filename="t.csv"', ETag: '"e"' },
      body: 'a,b',
    });
    const { values } = await run(
      send(
        {
          url: lit(`${server.url}/x/other.csv`),
          result: out('File'),
          responseContentBytes: out('Bytes'),
          responseContentHeaders: out('Headers'),
        },
        'Elsa.DownloadHttpFile',
      ),
      {
        variables: [variable('File', 'HttpFile'), variable('Bytes', 'ByteArray'), 'Headers'],
      },
    );
    expect(values.File).toMatchObject({ filename: 't.csv', contentType: 'text/csv', length: 3, eTag: '"e"' });
    expect(Buffer.from(values.Bytes as Uint8Array).toString()).toBe('a,b');
    expect(values.Headers).toMatchObject({ 'Content-Type': ['text/csv'] });
  });

  it.each([
    ['/a/100%.pdf', '100%.pdf'],
    ['/a/%E4.bin', '%E4.bin'],
    ['/a/..%2F..%2Fetc%2Fcron.d%2Fx', 'x'],
    ['/a/..%5C..%5Cx%00', 'x'],
    ['/a/%2E%2E%2F', 'file.bin'],
    ['/', 'file.bin'],
  ])('names the file of %s without folders', async (path, name) => {
    const { values, wec } = await run(send({ url: lit(server.url + path), result: out('V') }, 'Elsa.DownloadHttpFile'));
    expect([wec.incidents, (values.V as { filename: string }).filename]).toEqual([[], name]);
  });

  it('names it after the URL otherwise, and reads content by both names', async () => {
    for (const name of ['content', 'requestContent']) {
      const { values } = await run(
        send(
          {
            url: lit(`${server.url}/x/my%20file.bin`),
            method: lit('POST'),
            [name]: lit('x', 'Object'),
            requestContentType: lit('text/plain'),
            result: out('V'),
          },
          'Elsa.DownloadHttpFile',
        ),
      );
      expect((values.V as { filename: string }).filename).toBe('my file.bin');
    }
    expect(server.requests.map((r) => r.body)).toEqual(['x', 'x']);
  });
});
