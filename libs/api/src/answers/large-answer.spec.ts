import { gunzipSync } from 'node:zlib';
import { request } from 'node:http';
import { ADAPTERS, deploySeen, useServer } from '../module/api-harness.spec.js';

describe.each(ADAPTERS)('large answers on %s', (adapter) => {
  const { app, call } = useServer(adapter, deploySeen);
  const DESCRIPTORS = '/descriptors/activities?refresh=true';

  /** Without the decoding that `fetch` does. */
  const ask = async (path: string, headers: Record<string, string>) => {
    const url = `${await app().getUrl()}/elsa/api${path}`;
    return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>((resolve, reject) => {
      request(url, { headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      })
        .on('error', reject)
        .end();
    });
  };

  it('large answers are compressed for clients that take it', async () => {
    const plain = await ask(DESCRIPTORS, {});
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(plain.headers.vary).toContain('Accept-Encoding');
    const small = await ask(DESCRIPTORS, { 'accept-encoding': 'br, gzip;q=0.5' });
    expect(small).toMatchObject({ status: 200, headers: { 'content-encoding': 'gzip' } });
    expect(small.headers['content-type']).toBe(plain.headers['content-type']);
    expect(small.headers.etag).toBe(plain.headers.etag);
    expect(gunzipSync(small.body)).toEqual(plain.body);
    expect(small.body.length).toBeLessThan(plain.body.length / 4);
    expect((await ask(DESCRIPTORS, { 'accept-encoding': 'gzip;q=0' })).headers).not.toHaveProperty('content-encoding');
  });

  it('large answers are answered 304 to a client that has them', async () => {
    const first = await ask(DESCRIPTORS, {});
    const again = await ask(DESCRIPTORS, { 'if-none-match': String(first.headers.etag), 'accept-encoding': 'gzip' });
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, first.headers.etag]);
    expect((await ask(DESCRIPTORS, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('large answers keep their status, and small answers and streams are not changed', async () => {
    const name = 'x'.repeat(4000);
    const root = {
      type: 'Elsa.WriteLine',
      id: 'A',
      text: { typeName: 'String', expression: { type: 'Literal', value: name } },
    };
    const { status, json } = await call('POST', '/workflow-definitions/import', { root });
    expect(status).toBe(201);
    const small = await ask('/package/version', { 'accept-encoding': 'gzip' });
    expect(small.headers).not.toHaveProperty('content-encoding');
    const file = await ask(`/workflow-definitions/${json.definitionId}/export`, { 'accept-encoding': 'gzip' });
    expect([file.status, file.headers['content-encoding']]).toEqual([200, undefined]);
    expect(JSON.parse(file.body.toString()).definitionId).toBe(json.definitionId);
  });
});
