import type { IncomingMessage } from 'node:http';
import { Redaction } from '@waymark/core/adapter';
import { requestContextOf } from './adapter-exchange.js';
import { HttpRequest } from './http-request.js';
import { HttpRequestContext } from './http-request-context.js';
import { RequestBody } from './request-body.js';
import { storeRequest } from './stored-request.js';

it.each(['express', 'fastify'])(
  'a workflow that another endpoint runs sees the request of that without its credentials, on %s',
  (adapter) => {
    const rawHeaders = [
      'Authorization',
      'ApiKey of-the-administrator',
      'Cookie',
      'sid=1',
      'X-Api-Key',
      'k',
      'X-Own',
      'a',
    ];
    const headers = { authorization: 'ApiKey of-the-administrator', cookie: 'sid=1', 'x-api-key': 'k', 'x-own': 'a' };
    const raw = { rawHeaders, headers, method: 'POST', url: '/elsa/api/workflow-definitions/d/execute?a=1' };
    const native = adapter === 'express' ? raw : { raw, originalUrl: raw.url };
    const { request } = requestContextOf(native, {});
    expect(request.headers).toEqual({ 'X-Own': 'a' });
    expect(['authorization', 'cookie', 'x-api-key', 'x-own'].map((name) => request.header(name))).toEqual([
      undefined,
      undefined,
      undefined,
      'a',
    ]);
    expect(request.toData()).toMatchObject({ method: 'POST', query: { a: '1' } });
    expect(JSON.stringify(request.toData())).not.toContain('administrator');
    // The endpoint itself, and its guards, still have them.
    expect(raw.headers.authorization).toBe('ApiKey of-the-administrator');
  },
);

it('a workflow that another endpoint runs does not see credentials in the query, and headers that the host counts among them', () => {
  const rawHeaders = ['X-Acme-Login', 'ann', 'X-Own', 'a'];
  const headers = { 'x-acme-login': 'ann', 'x-own': 'a' };
  const raw = { rawHeaders, headers, method: 'POST', url: '/elsa/api/execute?a=1&access_token=secret&b=%20&t=5' };
  const hides = new Redaction({ add: ['x-acme-login'], remove: ['access_token'] });
  const { request } = requestContextOf(raw, {}, hides);
  expect(request.headers).toEqual({ 'X-Own': 'a' });
  expect(request.header('x-acme-login')).toBeUndefined();
  expect([request.queryString, request.query]).toEqual(['a=1&b=%20&t=5', { a: '1', b: ' ', t: '5' }]);
  expect(requestContextOf(raw, {}).request.headers).toEqual({ 'X-Acme-Login': 'ann', 'X-Own': 'a' });
});

const ADDRESSED = {
  rawHeaders: [
    ...['X-Original-URI', '/workflows/x?access_token=CANARY1&a=1', 'Referer', 'https://ann:CANARY2@host/x?b=2'],
    ...['x-forwarded-uri', '/x?access_token=CANARY3', 'X-Own', '/x?access_token=own'],
  ],
  headers: {
    'x-original-uri': '/workflows/x?access_token=CANARY1&a=1',
    referer: 'https://ann:CANARY2@host/x?b=2',
    'x-forwarded-uri': '/x?access_token=CANARY3',
    'x-own': '/x?access_token=own',
  },
  method: 'POST',
  url: '/workflows/x?access_token=CANARY1&a=1',
};

it('a workflow that another endpoint runs does not see credentials in headers that repeat the URL', () => {
  const { request } = requestContextOf(ADDRESSED, {});
  expect(JSON.stringify([request.toData(), request.headers, request.raw.headers])).not.toContain('CANARY');
  expect(request.header('x-original-uri')).toMatch(/^\/workflows\/x\?.*a=1$/);
  expect(request.header('x-own')).toBe('/x?access_token=own');
});

describe('a request that is handed over', () => {
  const stored = (redaction: Redaction | undefined) => {
    const request = new HttpRequest(ADDRESSED as unknown as IncomingMessage, ADDRESSED.url, undefined);
    const body = new RequestBody(request, undefined, { bytes: 0, defaultBytes: 0, values: 0 });
    return storeRequest(new HttpRequestContext(request, body, {} as never), redaction);
  };

  it('is stored without the credentials in headers that repeat its URL', async () => {
    const kept = await stored(new Redaction());
    expect(JSON.stringify(kept)).not.toContain('CANARY');
    expect(kept!.headers.referer).toMatch(/@host\/x\?b=2$/);
    expect(kept!.headers['x-own']).toBe('/x?access_token=own');
    expect(kept!.rawHeaders).toHaveLength(ADDRESSED.rawHeaders.length);
  });

  it('is stored as it came where messages are encrypted', async () => {
    expect(await stored(undefined)).toMatchObject({ rawHeaders: ADDRESSED.rawHeaders, headers: ADDRESSED.headers });
  });
});
