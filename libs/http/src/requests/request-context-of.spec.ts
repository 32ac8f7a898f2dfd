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
