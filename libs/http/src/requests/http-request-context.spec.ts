import type { IncomingMessage } from 'node:http';
import type { ActivityExecutionContext } from '@waymark/core';
import { HTTP_REQUEST_CONTEXT, HttpRequestContext } from './http-request-context.js';
import { HttpRequest } from './http-request.js';
import { RequestBody } from './request-body.js';
import { requireRequestContext } from './require-request-context.js';

const raw = (rawHeaders: string[] = [], url = '/a?b=1&b=2') =>
  ({ rawHeaders, headers: {}, method: 'GET', url }) as unknown as IncomingMessage;
const request = new HttpRequest(
  raw(['X-One', '1', 'X-Two', 'a', 'x-two', 'b', 'Cookie', 'c']),
  '/a?b=1&b=2',
  undefined,
);

function contextOf(timeout?: AbortSignal) {
  const target = { isSent: false, send: () => undefined };
  return new HttpRequestContext(
    request,
    new RequestBody(request, undefined, { bytes: 1, defaultBytes: 1, values: 1 }),
    target,
    undefined,
    timeout,
  );
}

function burst(id: string, context?: HttpRequestContext) {
  const workflow = { id, transient: new Map(context ? context.transient : []), cancel: jest.fn() };
  return { ctx: { workflow } as unknown as ActivityExecutionContext, workflow };
}

describe('HttpRequestContext', () => {
  it('is found by activities of the burst', () => {
    const context = contextOf();
    expect(HttpRequestContext.of(burst('i', context).ctx)).toBe(context);
    expect(context.transient).toEqual([[HTTP_REQUEST_CONTEXT, context]]);
    expect(HttpRequestContext.of(burst('i').ctx)).toBeUndefined();
  });

  it('causes a fault with advice when it is missing', () => {
    expect(() => requireRequestContext(burst('i').ctx, { maxKeptAnswerBytes: 1000 })).toThrow(
      expect.objectContaining({ fault: { code: 'NoHttpContext', category: 'HTTP', type: 'System' } }),
    );
  });

  it('discards the answer of a burst that is repeated', () => {
    const context = contextOf();
    HttpRequestContext.of(burst('i', context).ctx)!.response.write({
      status: 201,
      headers: [],
      body: Buffer.from('first'),
    });
    HttpRequestContext.of(burst('child', context).ctx);
    expect(context.response.isWritten).toBe(true);
    HttpRequestContext.of(burst('i', context).ctx);
    expect(context.response.isWritten).toBe(false);
  });

  it('cancels the burst when the time is over', () => {
    const controller = new AbortController();
    const { ctx, workflow } = burst('i', contextOf(controller.signal));
    HttpRequestContext.of(ctx);
    HttpRequestContext.of(ctx);
    controller.abort();
    expect(workflow.cancel).toHaveBeenCalledTimes(1);
  });
});

describe('HttpRequest', () => {
  it('keeps the names of headers and reads them in lower case too', () => {
    expect(request.headers).toEqual({ 'X-One': '1', 'X-Two': ['a', 'b'], Cookie: 'c' });
    expect([request.headers['x-one'], request.headers.cookie]).toEqual(['1', 'c']);
    expect(JSON.stringify(request.headers)).not.toContain('x-one');
  });

  it('is plain data for workflows', () => {
    expect(request.toData()).toMatchObject({
      method: 'GET',
      path: '/a',
      queryString: 'b=1&b=2',
      query: { b: ['1', '2'] },
      contentType: null,
    });
  });

  it('reads single values', () => {
    expect([request.queryValue('b'), request.queryValue('c'), request.queryValue('toString')]).toEqual([
      '1',
      undefined,
      undefined,
    ]);
  });
});
