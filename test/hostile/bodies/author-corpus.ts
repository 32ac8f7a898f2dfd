import { apiRequest, type HostileRequest } from './hostile-request.js';

// Definitions that are small and run at length: what they make of nothing.

const literal = (value: unknown, typeName = 'String') => ({ typeName, expression: { type: 'Literal', value } });
const script = (value: string, typeName = 'Object') => ({ typeName, expression: { type: 'JavaScript', value } });
const line = (text: object = literal('x')) => ({ id: 'L', type: 'Elsa.WriteLine', text });

/** Published, and run to its end, which may be a fault. */
const run = (name: string, root: object): HostileRequest => {
  const definitionId = name.replaceAll(/[ ,]+/g, '-');
  const model = { definitionId, name, root };
  const publish = apiRequest(`authors: import of ${name}`, '/workflow-definitions/import?publish=true', () =>
    JSON.stringify(model),
  );
  return {
    ...apiRequest(`authors: ${name}`, `/workflow-definitions/${definitionId}/execute`, () => '{}'),
    before: [publish],
    mayFault: true,
  };
};
const times = (count: number) => script(`Array.from({ length: ${count} }, (_, i) => i)`);
const forEach = (count: number, body: object, type = 'Elsa.ForEach') => ({ id: 'F', type, items: times(count), body });
const long = script('"a".repeat(5e6)', 'String');
const fault = { id: 'E', type: 'Elsa.Fault', code: long, category: long, faultType: long, message: long };
const caught = (pattern: string, body: object) => ({
  id: 'T',
  type: 'Waymark.Try',
  body,
  catches: [{ errors: [pattern], activity: line() }],
});

const children = (count: number, input?: object) => ({
  id: 'B',
  type: 'Elsa.BulkDispatchWorkflows',
  workflowDefinitionId: literal('quick'),
  waitForCompletion: literal(false, 'Boolean'),
  items: times(count),
  ...(input && { input }),
});

/** Instances with as many waiting branches as a state has room for, and what is done to one of them. */
const CROWDED = 12_000;
const crowded = (name: string, path: string, method = 'POST', body = '{}'): HostileRequest => {
  const branch = {
    id: 'W',
    type: 'Elsa.Event',
    eventName: script("'branch-' + (variables.CurrentValue % 50)", 'String'),
  };
  const model = {
    definitionId: 'crowded',
    name: 'crowded',
    root: forEach(CROWDED, branch, 'Elsa.ParallelForEach'),
  };
  return {
    ...apiRequest(`authors: ${CROWDED} branches: ${name}`, path, () => (method === 'GET' ? '' : body), {
      method,
      ...(method === 'GET' && { type: {} }),
    }),
    before: [
      apiRequest('authors: import of a crowd', '/workflow-definitions/import?publish=true', () =>
        JSON.stringify(model),
      ),
      {
        ...apiRequest('authors: a crowd', '/workflow-definitions/crowded/dispatch', () => '{"instanceId":"crowd-1"}'),
        mayBeRefused: true,
      },
    ],
  };
};

export const authorCorpus: readonly HostileRequest[] = [
  // Each fault was looked for in them one by one.
  run('a loop of faults with 100,000 patterns', {
    ...forEach(30, {
      id: 'O',
      type: 'Waymark.Try',
      body: {
        id: 'T',
        type: 'Waymark.Try',
        body: { id: 'E', type: 'Elsa.Fault', message: literal('x') },
        catches: [{ errors: Array.from({ length: 100_000 }, (_, i) => `never${i}*`), activity: line() }],
      },
      catches: [{ errors: [], activity: { ...line(), id: 'M' } }],
    }),
  }),
  // Commits half-way were made in one turn; the file took three seconds.
  crowded('a start', '/workflow-definitions/crowded/execute'),
  crowded('an event for some', '/events/branch-7/trigger'),
  crowded('the instance', '/workflow-instances/crowd-1', 'GET'),
  crowded('its file', '/workflow-instances/crowd-1/export'),
  crowded('its variables', '/workflow-instances/crowd-1/variables', 'GET'),
  crowded('cancelling it', '/bulk-actions/cancel/workflow-instances', 'POST', '{"ids":["crowd-1"]}'),
  // Any number of stars took longer than the world has been there.
  run('a catch of many wildcards and a long code', caught(`${'*a'.repeat(20)}*b`, fault)),
  run('a fault of long texts', fault),
  run('a wait for an event with a long name', { id: 'E', type: 'Elsa.Event', eventName: long }),
  run('a long correlation id', { id: 'E', type: 'Elsa.Correlate', correlationId: long }),
  // Texts that only the journal keeps: without a bound, a few hundred of them take all of the memory.
  run('600 steps that show 100 kB each', forEach(600, line(script('"y".repeat(1e5) + Math.random()', 'String')))),
  run('30 steps that show 5 MB each', forEach(30, line(script('"y".repeat(5e6) + Math.random()', 'String')))),
  run('30 steps that show lists of 5 MB', {
    ...forEach(30, {
      id: 'S',
      type: 'Elsa.SetOutput',
      outputName: literal('x'),
      outputValue: script('[..."a"].concat(Array.from({ length: 20 }, () => "y".repeat(2e5)))'),
    }),
  }),
  // 2.5 s and half a gigabyte to be refused.
  run('100,000 branches', forEach(100_000, line(), 'Elsa.ParallelForEach')),
  run(
    '20,000 branches that wait',
    forEach(20_000, { id: 'W', type: 'Elsa.Event', eventName: literal('branches') }, 'Elsa.ParallelForEach'),
  ),
  // Each child has a message with all of its input: the process ran out of memory.
  run('3,000 children with a text of 1 MB each', children(3000, script('({ a: "x".repeat(1e6) })'))),
  run('200,000 children', children(200_000)),
  run('40 children with a text of 1 MB each', children(40, script('({ a: "x".repeat(1e6) })'))),
  run(
    '60 events with the same text of 1 MB',
    forEach(60, {
      id: 'P',
      type: 'Elsa.PublishEvent',
      eventName: literal('none'),
      payload: script('"x".repeat(1e6)'),
    }),
  ),
];
