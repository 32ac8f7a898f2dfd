import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import { type BodyClaim, bodyMemory } from '@waymark/runtime/adapter';
import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, JSON_TYPE, line, useServer } from '../module/api-harness.spec.js';

interface Answer {
  readonly status: number | undefined;
  readonly connection: string | undefined;
  readonly json: unknown;
}

const FORM = { 'content-type': 'multipart/form-data; boundary=b' };

/** Sends the beginning of a body of that length, and no more of it. */
function begin(app: INestApplication, path: string, headers: Record<string, string>, length: number) {
  const { port } = app.getHttpServer().address() as AddressInfo;
  const options = { port, host: '127.0.0.1', method: 'POST', path: `/elsa/api${path}`, agent: false };
  const request = http.request({ ...options, headers: { ...headers, 'content-length': length } });
  const sent = new Promise((resolve) => request.write('{', resolve));
  const answer = new Promise<Answer>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const json: unknown = JSON.parse(Buffer.concat(chunks).toString());
        resolve({ status: response.statusCode, connection: response.headers.connection, json });
        request.destroy();
      });
    });
  });
  answer.catch(() => undefined);
  return { request, sent, answer };
}

describe.each(pairsOf(ADAPTERS, 'fastify'))('bodies that do not arrive, on %s', (adapter) => {
  const { app } = useServer(adapter, undefined, { bodyIdleTimeoutMs: 30 });

  it.each([
    ['/identity/login', JSON_TYPE],
    ['/tasks/none/complete', JSON_TYPE],
    ['/workflow-definitions', JSON_TYPE],
    ['/workflow-definitions/none/execute', JSON_TYPE],
    ['/workflow-definitions/import-files', FORM],
    ['/bulk-actions/import/workflow-instances', FORM],
  ])('bodies that do not arrive are answered 408: %s', async (path, headers) => {
    expect(await begin(app(), path, headers, 1000).answer).toEqual({
      status: 408,
      connection: 'close',
      json: { code: 'WM5064', message: expect.stringContaining('30 ms') },
    });
  });
});

describe.each(pairsOf(ADAPTERS, 'fastify'))('memory of bodies on %s', (adapter) => {
  const { app, call } = useServer(adapter);

  it('is not held for bytes that are announced and do not arrive', async () => {
    const begun = Array.from({ length: 20 }, () => begin(app(), '/workflow-definitions', JSON_TYPE, 10_000_000));
    await Promise.all(begun.map(({ sent }) => sent));
    const saved = await call('POST', '/workflow-definitions/import', { root: line('A'), description: 'x'.repeat(5e6) });
    expect(saved.status).toBe(201);
    for (const { request } of begun) request.destroy();
  });

  describe('while there is none', () => {
    let others: BodyClaim;
    beforeEach(() => {
      others = bodyMemory.claim(1);
      others.hold(bodyMemory.limitBytes);
    });
    afterEach(() => others.release());

    it('large bodies are refused with 503, and accepted later', async () => {
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
    });
  });
});
