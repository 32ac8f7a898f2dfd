import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BodyClaim, bodyMemory } from '@waymark/runtime';
import { ADAPTERS, JSON_TYPE, line, useServer } from '../module/api-harness.spec.js';

interface Answer {
  readonly status: number | undefined;
  readonly connection: string | undefined;
  readonly json: unknown;
}

const FORM = { 'content-type': 'multipart/form-data; boundary=b' };

describe.each(ADAPTERS)('bodies that do not come, on %s', (adapter) => {
  const { app, call } = useServer(adapter, undefined, { bodyIdleTimeoutMs: 30 });

  /** Sends the beginning of a body of that length, and no more of it. */
  const begin = (path: string, headers: Record<string, string>, length: number): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { port } = app().getHttpServer().address() as AddressInfo;
      const options = { port, host: '127.0.0.1', method: 'POST', path: `/elsa/api${path}`, agent: false };
      const request = http.request({ ...options, headers: { ...headers, 'content-length': length } });
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const json: unknown = JSON.parse(Buffer.concat(chunks).toString());
          resolve({ status: response.statusCode, connection: response.headers.connection, json });
          request.destroy();
        });
      });
      request.on('error', reject);
      request.write('{');
    });

  it.each([
    ['/identity/login', JSON_TYPE],
    ['/tasks/none/complete', JSON_TYPE],
    ['/workflow-definitions', JSON_TYPE],
    ['/workflow-definitions/none/execute', JSON_TYPE],
    ['/workflow-definitions/import-files', FORM],
    ['/bulk-actions/import/workflow-instances', FORM],
  ])('are given up: %s', async (path, headers) => {
    expect(await begin(path, headers, 1000)).toEqual({
      status: 408,
      connection: 'close',
      json: { code: 'WM5064', message: expect.stringContaining('for 30 ms') },
    });
  });

  it('keep no others out: what they announce takes no memory', async () => {
    const begun = Array.from({ length: 20 }, () => begin('/workflow-definitions', JSON_TYPE, 10_000_000));
    const saved = await call('POST', '/workflow-definitions/import', { root: line('A'), description: 'x'.repeat(5e6) });
    expect(saved.status).toBe(201);
    expect((await Promise.all(begun)).map(({ status }) => status)).toEqual(begun.map(() => 408));
    expect(bodyMemory.heldBytes).toBe(0);
  });

  describe('while the host has no memory for bodies', () => {
    let others: BodyClaim;
    beforeEach(() => {
      others = bodyMemory.claim(1);
      others.hold(bodyMemory.limitBytes);
    });
    afterEach(() => others.release());

    it('are refused with 503, and come in later', async () => {
      const body = { root: line('A'), description: 'x'.repeat(100_000) };
      const refused = await call('POST', '/workflow-definitions/import', body);
      expect([refused.status, refused.headers.get('retry-after'), refused.json.code]).toEqual([503, '1', 'WM5069']);
      const form = new FormData();
      form.append('files', new Blob(['x'.repeat(100_000)]), 'a.json');
      const upload = await call('POST', '/workflow-definitions/import-files', form);
      expect([upload.status, upload.json.code]).toEqual([503, 'WM5069']);
      // Small ones have a share of their own.
      expect((await call('POST', '/tasks/none/complete', { result: 1 })).status).toBe(200);
      others.release();
      expect((await call('POST', '/workflow-definitions/import', body)).status).toBe(201);
      expect(bodyMemory.heldBytes).toBe(0);
    });
  });
});
