import { apiRequest, type HostileRequest } from './hostile-request.js';

// Long lists that meet long lists: what authors may declare, and what starts and requests may bring. Each pair was looked through one by
// one somewhere, or could have been.

const upTo = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const literal = (value: unknown, typeName = 'String') => ({ typeName, expression: { type: 'Literal', value } });
const script = (value: string, type = 'JavaScript') => ({ typeName: 'Object', expression: { type, value } });
const line = (id: string, text: object = literal('x')) => ({ id, type: 'Elsa.WriteLine', text });
const variables = (count: number) =>
  upTo(count, (i) => ({
    id: `v${i}`,
    name: `V${i}`,
    typeName: 'Object',
    value: 'x',
    storageDriverTypeName: 'WorkflowInstanceStorageDriver',
  }));
const inputs = (count: number) =>
  upTo(count, (i) => ({ name: `In${i}`, type: 'Object', storageDriverType: 'WorkflowInstanceStorageDriver' }));

const published = (definitionId: string, members: object): HostileRequest =>
  apiRequest(`wide: import of ${definitionId}`, '/workflow-definitions/import?publish=true', () =>
    JSON.stringify({ definitionId, name: definitionId, ...members }),
  );
const sequence = (...activities: object[]) => ({ id: 'Root', type: 'Elsa.Sequence', activities });
const execution = (definitionId: string, name: string, input: () => object = () => ({})): HostileRequest => ({
  ...apiRequest(`wide: ${name}`, `/workflow-definitions/${definitionId}/execute`, () =>
    JSON.stringify({ input: input() }),
  ),
  mayFault: true,
});
const members = (count: number, prefix: string) => () =>
  Object.fromEntries(upTo(count, (i) => [`${prefix}${i}`, 1] as const));

/** With what is done to it, read of it and run of it, each of which can be sent alone. */
const pair = (definition: HostileRequest, ...then: readonly HostileRequest[]): HostileRequest[] => [
  definition,
  ...then.map((request) => ({ ...request, before: [definition] })),
];

const read = (definitionId: string): HostileRequest[] =>
  [
    ...['', '/export', '/consumers'].map((end) => ['GET', `/workflow-definitions/${definitionId}${end}`] as const),
    ['GET', `/workflow-definitions/by-definition-id/${definitionId}`] as const,
    ['POST', `/scripting/javascript/type-definitions/${definitionId}`] as const,
  ].map(([method, path]) =>
    apiRequest(`wide: ${method} ${path}`, path, () => (method === 'GET' ? '' : '{}'), { method }),
  );

const dictionary = (count: number) =>
  JSON.stringify(Object.fromEntries(upTo(count, (i) => [`h${i}`, { type: 'JavaScript', value: LONG }])));
/** Nearly as long as a script may hold the process. */
const LONG = 'let n = 0; for (let i = 0; i < 3e6; i++) n += i % 7; n > 0';

const machine = (count: number) => ({
  id: 'Root',
  type: 'Elsa.StateMachine',
  initialState: 'S0',
  states: upTo(count, (i) => ({ name: `S${i}` })),
  transitions: upTo(count, (i) => ({
    name: `T${i}`,
    from: 'S0',
    to: `S${count - 1 - i}`,
    condition: literal(i === count - 2, 'Boolean'),
  })),
});

const activity = (i: number) => ({ id: `A${i}`, type: 'Elsa.WriteLine', text: literal('x') });

export const wideCorpus: readonly HostileRequest[] = [
  ...pair(
    published('wide-variables', {
      variables: variables(20_000),
      root: sequence(
        line('All', script('{% for v in Variables %}{{ v[0] }}{% endfor %}', 'Liquid')),
        line('Keys', script('{{ Variables | keys | size }}', 'Liquid')),
        line('Some', script(`[${upTo(9000, (i) => `getV${i}()`).join(',')}].length`)),
        line('None', script(`${upTo(300, (i) => `typeof getNone${i}FromA`).join(';')};1`)),
      ),
    }),
    execution('wide-variables', 'a run with 20,000 variables'),
    ...read('wide-variables'),
  ),
  ...pair(
    published('wide-dynamic', {
      root: sequence(line('Set', script('for (let i = 0; i < 20000; i++) setVariable("W" + i, i); 1'))),
    }),
    execution('wide-dynamic', 'a run that sets 20,000 variables'),
  ),
  ...pair(
    published('wide-inputs', {
      inputs: inputs(9000),
      root: sequence({ id: 'W', type: 'Elsa.Event', eventName: literal('wide') }),
    }),
    execution('wide-inputs', '9,000 declared inputs, and 60,000 others', members(60_000, 'other')),
    execution('wide-inputs', '9,000 declared inputs in another casing', members(9000, 'IN')),
    ...read('wide-inputs'),
  ),
  ...pair(
    published('wide-strict', {
      inputs: inputs(2000),
      options: { strictConversions: true },
      root: sequence(line('L')),
    }),
    execution(
      'wide-strict',
      '2,000 declared inputs of a strict definition, and 60,000 others',
      members(60_000, 'other'),
    ),
    execution('wide-strict', '2,000 declared inputs in another casing, strictly', members(2000, 'IN')),
  ),
  published('wide-machines', { root: machine(40_000) }),
  ...pair(published('wide-machine', { root: machine(4900) }), execution('wide-machine', 'a state with 4,900 ways out')),
  ...pair(
    published('wide-switch', {
      root: sequence({
        id: 'S',
        type: 'Elsa.Switch',
        cases: upTo(60, (i) => ({ label: `c${i}`, condition: { type: 'JavaScript', value: `${LONG} && false` } })),
      }),
    }),
    execution('wide-switch', 'a switch of 60 scripts that take their time'),
  ),
  ...pair(
    published('wide-headers', {
      root: sequence({
        id: 'S',
        type: 'Elsa.SendHttpRequest',
        url: literal('http://127.0.0.1:1/'),
        requestHeaders: { typeName: 'HttpHeaders', expression: { type: 'Object', value: dictionary(40) } },
      }),
    }),
    execution('wide-headers', 'a request with 40 headers that take their time'),
  ),
  ...pair(
    published('wide-templates', {
      root: sequence({
        id: 'S',
        type: 'Elsa.Switch',
        cases: upTo(40, (i) => ({
          label: `c${i}`,
          condition: { type: 'Liquid', value: '{% for i in (1..9000) %}{% assign x = i | plus: 1 %}{% endfor %}false' },
        })),
      }),
    }),
    execution('wide-templates', 'a switch of 40 templates that take their time'),
  ),
  ...pair(
    published('wide-inner', {
      inputs: inputs(5000),
      outputs: upTo(5000, (i) => ({ name: `Out${i}`, type: 'Object' })),
      options: { usableAsActivity: true },
      root: sequence(line('L')),
    }),
    published('wide-outer', { root: sequence({ id: 'I', type: 'WideInner' }) }),
    execution('wide-outer', 'a workflow used as an activity with 5,000 inputs and outputs'),
    ...read('wide-outer'),
  ),
  ...pair(
    published('wide-chart', {
      root: {
        id: 'Root',
        type: 'Elsa.Flowchart',
        start: 'A0',
        activities: upTo(3000, activity),
        connections: upTo(30_000, (i) => ({
          source: { activity: `A${i % 3000}`, port: 'Done' },
          target: { activity: `A${(i * 7 + 1) % 3000}` },
        })),
      },
    }),
    ...read('wide-chart'),
  ),
  ...pair(
    published('wide-parallel', { root: { id: 'Root', type: 'Elsa.Parallel', activities: upTo(9900, activity) } }),
    execution('wide-parallel', 'a run of 9,900 activities beside each other'),
    ...read('wide-parallel'),
  ),
  ...pair(
    published('wide-fork', {
      root: {
        id: 'Root',
        type: 'Elsa.Flowchart',
        start: 'A0',
        activities: upTo(4000, activity),
        connections: upTo(3999, (i) => ({
          source: { activity: 'A0', port: 'Done' },
          target: { activity: `A${i + 1}` },
        })),
      },
    }),
    execution('wide-fork', 'an activity with 3,999 ways out'),
  ),
  ...pair(
    published('wide-outcomes', { outcomes: upTo(20_000, (i) => `o${i}`), root: sequence(line('L')) }),
    ...read('wide-outcomes'),
  ),
  ...pair(
    published('wide-crons', {
      root: sequence(
        ...upTo(900, (i) => ({
          id: `C${i}`,
          type: 'Elsa.Cron',
          customProperties: { canStartWorkflow: true },
          cronExpression: literal(`0 ${i % 60} 0 29 2 MON`),
          timeZone: literal('Europe/Vilnius'),
        })),
      ),
    }),
  ),
  ...[
    published('wide-waits', {
      variables: variables(20_000),
      root: sequence(line('Fill', script(`for (let i = 0; i < 9000; i++) setVariable("V" + i, "y"); 1`)), {
        id: 'W',
        type: 'Elsa.Event',
        eventName: literal('wide'),
      }),
    }),
    {
      ...apiRequest(
        'wide: an instance that waits',
        '/workflow-definitions/wide-waits/dispatch',
        () => '{"instanceId":"wide-1"}',
      ),
      mayBeRefused: true as const,
    },
    published('wide-waits', {
      variables: variables(20_000),
      root: sequence({ id: 'W', type: 'Elsa.Event', eventName: literal('wide') }),
    }),
    apiRequest('wide: a migration of 20,000 variables, tried', '/alterations/migrations/dry-run', () =>
      JSON.stringify({ targetVersion: 2, workflowInstanceIds: ['wide-1'] }),
    ),
    apiRequest('wide: a migration of 20,000 variables', '/alterations/run', () =>
      JSON.stringify({ alterations: [{ type: 'Migrate', targetVersion: 2 }], workflowInstanceIds: ['wide-1'] }),
    ),
    apiRequest('wide: variables of an instance with 20,000', '/workflow-instances/wide-1/variables', () => '', {
      method: 'GET',
      type: {},
    }),
  ],
  apiRequest('wide: due times of a leap day that is a Monday', '/descriptors/activities/Elsa.Cron/due-times', () =>
    JSON.stringify({ payload: { cronExpression: '59 59 23 29 2 MON', timeZone: 'America/New_York' }, count: 50 }),
  ),
  apiRequest('wide: due times in a long list', '/descriptors/activities/Elsa.Cron/due-times', () =>
    JSON.stringify({
      payload: { cronExpression: `${Array(320).fill('59').join(',')} 23 29 2 5#5`, timeZone: 'Pacific/Apia' },
      count: 50,
    }),
  ),
  apiRequest('wide: a journal filter of 60,000 types', '/workflow-instances/wide-1/journal', () =>
    JSON.stringify({ filter: { excludedActivityTypes: upTo(60_000, (i) => `type ${i}`) } }),
  ),
];
