import { Redaction } from '@waymark/core/adapter';
import { requestContextOf } from './adapter-exchange.js';

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
