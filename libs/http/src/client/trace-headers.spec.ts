import type { ActivityExecutionContext } from '@waymark/core';
import { HTTP_REQUEST_CONTEXT } from '../requests/http-request-context.js';
import { traceHeaders } from './trace-headers.js';

const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('headers of the trace that a request belongs to', () => {
  const during = (headers: Record<string, string>) => {
    const request = { header: (name: string) => headers[name] };
    return {
      workflow: { transient: new Map([[HTTP_REQUEST_CONTEXT, { request }]]) },
    } as unknown as ActivityExecutionContext;
  };

  it('headers of the trace that a request belongs to are passed on', () => {
    expect(traceHeaders(during({ traceparent: PARENT }), [['Accept', 'x']])).toEqual([['traceparent', PARENT]]);
    expect(traceHeaders(during({ traceparent: PARENT, tracestate: 'a=b' }), [])).toEqual([
      ['traceparent', PARENT],
      ['tracestate', 'a=b'],
    ]);
  });

  it('headers of the trace that a request belongs to are those that the activity sets, if it does', () => {
    const ctx = during({ traceparent: PARENT, tracestate: 'a=b' });
    expect(traceHeaders(ctx, [['TraceParent', 'own']])).toEqual([]);
    expect(traceHeaders(ctx, [['Tracestate', 'own']])).toEqual([['traceparent', PARENT]]);
  });

  it.each([
    undefined,
    '',
    'x',
    `${PARENT}\r\nX-Own: 1`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `ff${PARENT.slice(2)}`,
  ])('headers of the trace that a request belongs to are left out for a malformed one: %j', (traceparent) => {
    expect(traceHeaders(during(traceparent === undefined ? {} : { traceparent, tracestate: 'a=b' }), [])).toEqual([]);
  });

  it('headers of the trace that a request belongs to are missing in a burst without a request', () => {
    expect(traceHeaders({ workflow: { transient: new Map() } } as unknown as ActivityExecutionContext, [])).toEqual([]);
  });
});
