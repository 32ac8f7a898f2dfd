import { describe, expect, it } from '@jest/globals';
import {
  curlLine,
  endpointBase,
  type EndpointRequest,
  endpointsOf,
  parametersOf,
  urlOf,
  withNew,
} from './http-request.js';
import { inputSchema } from './input-schema.js';

const REQUEST: EndpointRequest = { method: 'GET', parameters: {}, query: '', contentType: 'text/plain', body: '' };
const literal = (value: unknown) => ({ expression: { type: 'Literal', value } });

describe('the form of the inputs of a workflow', () => {
  it('has a field for each, by its type', () => {
    const inputs = [
      { name: 'who', type: 'String', displayName: 'Who', description: 'Asks.' },
      { name: 'many', type: 'System.Int32, System.Private.CoreLib', defaultValue: 3 },
      { name: 'names', type: 'String', isArray: true },
      { name: 'order', type: 'Object' },
    ];
    expect(inputSchema(inputs)?.properties).toEqual({
      who: { type: 'string', title: 'Who', description: 'Asks.' },
      many: { type: 'integer', title: 'many', default: 3 },
      names: { type: 'array', items: { type: 'string' }, title: 'names' },
      order: { title: 'order' },
    });
    expect(inputSchema([])).toBeUndefined();
  });
});

describe('a request to an endpoint', () => {
  it('goes to the server of the page where the application was not told its address', () => {
    expect(endpointBase('http://localhost:3000/workflows/', 'https://wf.example.com')).toBe(
      'https://wf.example.com/workflows/',
    );
    expect(endpointBase('http://localhost:3000/', 'https://wf.example.com')).toBe('https://wf.example.com/');
    expect(endpointBase('https://public.example.com/x/workflows/', 'https://wf.example.com')).toBe(
      'https://public.example.com/x/workflows/',
    );
    expect(endpointBase('http://localhost:30001/workflows/', 'http://localhost:8080')).toBe(
      'http://localhost:30001/workflows/',
    );
    expect(endpointBase(null, 'https://wf.example.com')).toBe('https://wf.example.com/workflows/');
  });

  it('is offered for endpoints with a constant path, wherever they are', () => {
    const inner = {
      id: 'B',
      type: 'Elsa.HttpEndpoint',
      path: literal('b'),
      supportedMethods: literal('["POST","PUT"]'),
    };
    const computed = { id: 'C', type: 'Elsa.HttpEndpoint', path: { expression: { type: 'JavaScript', value: '1' } } };
    const start = { id: 'A', type: 'Elsa.HttpEndpoint', path: literal('a/{id}') };
    const root = { type: 'Elsa.Sequence', activities: [start, { type: 'Elsa.If', then: inner, else: computed }] };
    expect(endpointsOf(root)).toEqual([
      { id: 'A', path: 'a/{id}', methods: ['GET'] },
      { id: 'B', path: 'b', methods: ['POST', 'PUT'] },
    ]);
  });

  it('is offered once for each path that an activity waits at, also where ids repeat', () => {
    const first = { id: 'Step', nodeId: 'Flow:Loop:Step', path: 'step/1', methods: ['GET'] };
    const known = withNew([], [first]);
    expect(withNew(known, [{ ...first }])).toBe(known);
    const next = { ...first, path: 'step/2' };
    const other = { ...first, nodeId: 'Flow:Other:Step' };
    expect(withNew(known, [next, other])).toEqual([first, next, other]);
  });

  it('fills parameters in as text, not as path', () => {
    expect(parametersOf('orders/{id:int}/{*rest}')).toEqual(['id', 'rest']);
    const request = { ...REQUEST, parameters: { id: 'a/b', rest: 'c/d e' }, query: '?x=1' };
    expect(urlOf('http://h/w/', '/orders/{id:int}/{*rest}', request)).toBe('http://h/w/orders/a%2Fb/c/d%20e?x=1');
  });

  it('is quoted correctly for a shell', () => {
    expect(curlLine('http://h/a?x=1&y=2', REQUEST)).toBe("curl -i 'http://h/a?x=1&y=2'");
    const post = { ...REQUEST, method: 'POST', contentType: 'application/json', body: `{"a":"it's"}` };
    expect(curlLine('http://h/a', post)).toBe(
      String.raw`curl -i -X POST 'http://h/a' -H 'Content-Type: application/json' --data-raw '{"a":"it'\''s"}'`,
    );
  });
});
