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

export const authorCorpus: readonly HostileRequest[] = [
  // Any number of stars took longer than the world has been there.
  run('a catch of many wildcards and a long code', caught(`${'*a'.repeat(20)}*b`, fault)),
  run('a fault of long texts', fault),
  run('a wait for an event with a long name', { id: 'E', type: 'Elsa.Event', eventName: long }),
  run('a long correlation id', { id: 'E', type: 'Elsa.Correlate', correlationId: long }),
  // Texts that only the journal keeps: 1.5 GB of the heap for the first, and no heap is large enough for the second.
  run('3,000 steps that show 100 kB each', forEach(3000, line(script('"y".repeat(1e5) + Math.random()', 'String')))),
  run('400 steps that show 5 MB each', forEach(400, line(script('"y".repeat(5e6) + Math.random()', 'String')))),
  run('300 steps that show lists of 5 MB', {
    ...forEach(300, {
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
];
