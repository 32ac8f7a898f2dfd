import { apiRequest, form, FORM, filePart, type HostileRequest } from './hostile-request.js';

const dispatch = (name: string, definition: string, count: number, input = '{}'): HostileRequest =>
  apiRequest(name, `/workflow-definitions/${definition}/bulk-dispatch`, () => `{"count":${count},"input":${input}}`);
/** Instances that wait, with ids. */
const named = (count: number): HostileRequest[] =>
  Array.from({ length: count }, (_, i) => ({
    ...apiRequest(`an instance ${i}`, '/workflow-definitions/sleepers/dispatch', () => `{"instanceId":"named-${i}"}`),
    mayBeRefused: true as const,
  }));
const ids = (count: number, prefix = 'id'): string[] => Array.from({ length: count }, (_, i) => `${prefix}-${i}`);
const json = (value: unknown) => () => JSON.stringify(value);

const many = 3000;
const sleepers = (name: string, count = many): HostileRequest => dispatch(`${name}, of`, 'sleepers', count);
const eventFor = (count: number): HostileRequest => ({
  ...apiRequest(`an event for ${count} instances`, '/events/sleepers/trigger', () => '{}'),
  before: [sleepers('an event', count)],
});

/** The first one takes the least time: quick runs send that one, which would hold one turn for too long as well. */
const starts: readonly HostileRequest[] = [
  { ...dispatch('3,000 starts by one request', 'quick', 3000), before: [] },
  { ...dispatch('10,000 starts by one request', 'quick', 10_000), before: [] },
  {
    ...dispatch('10,000 starts with an input of 900 kB each', 'quick', 10_000, `{"a":"${'x'.repeat(900_000)}"}`),
    before: [],
  },
];

/** Here as well. */
const instances: readonly HostileRequest[] = [
  eventFor(1000),
  eventFor(many),
  {
    ...apiRequest(
      `a plan for ${many} instances`,
      '/alterations/submit',
      json({
        alterations: [{ type: 'ModifyVariable', variableId: 'Text', value: 'x' }],
        filter: { definitionIds: ['sleepers'], statuses: ['Running'] },
      }),
    ),
    before: [sleepers('a plan')],
  },
  apiRequest('a dry run for thousands', '/alterations/dry-run', json({ definitionIds: ['sleepers'] })),
  {
    ...apiRequest(
      `cancelling ${many} instances`,
      '/bulk-actions/cancel/workflow-instances',
      json({ definitionId: 'sleepers', versionOptions: 'AllVersions' }),
    ),
    before: [],
  },
  {
    ...apiRequest(
      'deleting thousands of instances',
      '/bulk-actions/delete/workflow-instances/by-id',
      json({ workflowDefinitionIds: ['sleepers'] }),
    ),
    before: [],
  },
  {
    ...apiRequest(
      'exporting 300 instances',
      '/bulk-actions/export/workflow-instances',
      json({ ids: ids(300, 'named') }),
    ),
    before: named(300),
  },
  apiRequest('cancelling 300 by ids', '/bulk-actions/cancel/workflow-instances', json({ ids: ids(300, 'named') })),
];

const step = { type: 'ModifyVariable', variableId: 'Text', value: 'x' };
const alterations: readonly HostileRequest[] = [
  {
    ...apiRequest(
      '20,000 alterations of one instance',
      '/alterations/run',
      json({ alterations: Array(20_000).fill(step), workflowInstanceIds: ['named-0'] }),
    ),
    before: named(1),
  },
  apiRequest(
    'an alteration of 10,000 instances that are not there',
    '/alterations/run',
    json({ alterations: [step], workflowInstanceIds: ids(10_000) }),
  ),
  apiRequest(
    'a plan of 20,000 alterations',
    '/alterations/submit',
    json({ alterations: Array(20_000).fill(step), filter: { definitionIds: ['none'] } }),
  ),
  {
    ...apiRequest(
      '20,000 variables of one instance',
      '/workflow-instances/named-0/variables',
      json({ variables: Array.from({ length: 20_000 }, () => ({ id: 'Text', value: 'x' })) }),
    ),
    before: named(1),
  },
];

const FILTERS: readonly (readonly [path: string, filter: (all: string[]) => object])[] = [
  ['/workflow-instances', (all) => ({ definitionIds: all })],
  ['/workflow-instances', (all) => ({ ids: all, statuses: all.map(() => 'Running') })],
  ['/workflow-instances', (all) => ({ correlationIds: all, subStatuses: all.map(() => 'Faulted') })],
  [
    '/workflow-instances',
    (all) => ({
      timestampFilters: all
        .slice(0, 20_000)
        .map(() => ({ column: 'CreatedAt', operator: 'GreaterThan', timestamp: '2026-01-01' })),
    }),
  ],
  ['/alterations/dry-run', (all) => ({ definitionIds: all, names: all.slice(0, 9) })],
  ['/alterations/dry-run', (all) => ({ workflowInstanceIds: all })],
  [
    '/alterations/dry-run',
    (all) => ({ activityFilters: all.slice(0, 20_000).map((id) => ({ activityId: id })), definitionIds: ['sleepers'] }),
  ],
  ['/bookmark-queue/dead-letters', (all) => ({ ids: all })],
  ['/outbox/dead-letters', (all) => ({ ids: all, definitionIds: all })],
  ['/activity-executions/report', (all) => ({ workflowInstanceId: 'named-0', activityNodeIds: all })],
  ['/bulk-actions/delete/workflow-definitions/by-definition-id', (all) => ({ definitionIds: all.slice(0, 9000) })],
  ['/bulk-actions/publish/workflow-definitions/by-definition-ids', (all) => ({ definitionIds: all.slice(0, 9000) })],
  ['/bulk-actions/retract/workflow-definitions/by-definition-ids', (all) => ({ definitionIds: all.slice(0, 9000) })],
  ['/bulk-actions/cancel/workflow-instances', (all) => ({ ids: all.slice(0, 9000) })],
  ['/bulk-actions/delete/workflow-instances', (all) => ({ ids: all.slice(0, 9000) })],
  ['/bulk-actions/export/workflow-instances', (all) => ({ ids: all.slice(0, 9000) })],
  ['/bulk-actions/export/workflow-definitions', (all) => ({ ids: all.slice(0, 9000) })],
  ['/bulk-actions/replay/outbox/dead-letters', (all) => ({ ids: all.slice(0, 9000) })],
  ['/actions/workflow-definitions/refresh', (all) => ({ definitionIds: all.slice(0, 9000) })],
  ['/alterations/workflows/retry', (all) => ({ workflowInstanceIds: all.slice(0, 9000) })],
];
const filters = FILTERS.map(([path, filter], i) =>
  apiRequest(`${path}: a long filter, ${i}`, path, () => JSON.stringify(filter(ids(45_000)))),
);

/** So many small definitions, and what is done to all of them. */
const definitions: readonly HostileRequest[] = [
  apiRequest(
    'import of 500 definitions',
    '/workflow-definitions/import-files?publish=true',
    () =>
      form([
        filePart(
          'all.json',
          JSON.stringify(
            ids(500, 'small').map((id) => ({
              id: `v-${id}`,
              definitionId: id,
              name: id,
              root: { type: 'Elsa.Sequence', activities: [{ type: 'Elsa.WriteLine', id: 'W', text: 'x' }] },
            })),
          ),
        ),
      ]),
    { type: FORM },
  ),
  apiRequest(
    'export of 500 definitions',
    '/bulk-actions/export/workflow-definitions',
    json({ ids: ids(500, 'v-small') }),
  ),
  apiRequest('refreshing all definitions', '/actions/workflow-definitions/refresh', json({})),
  apiRequest('reloading all definitions', '/actions/workflow-definitions/reload', json({})),
  apiRequest(
    'retracting 500 definitions',
    '/bulk-actions/retract/workflow-definitions/by-definition-ids',
    json({ definitionIds: ids(500, 'small') }),
  ),
  apiRequest(
    'deleting 500 definitions',
    '/bulk-actions/delete/workflow-definitions/by-definition-id',
    json({ definitionIds: ids(500, 'small') }),
  ),
];

const event = (i: number, name: string) =>
  `{"type":"Elsa.Event","id":"E${i}","customProperties":{"canStartWorkflow":true},"eventName":{"typeName":"String","expression":{"type":"Literal","value":"${name}-${i}"}}}`;
const endpointAt = (i: number, path: string) =>
  `{"type":"Elsa.HttpEndpoint","id":"H${i}","customProperties":{"canStartWorkflow":true},"path":{"typeName":"String","expression":{"type":"Literal","value":${JSON.stringify(path)}}},"supportedMethods":{"typeName":"Object","expression":{"type":"Object","value":"[\\"GET\\",\\"PUT\\",\\"POST\\",\\"DELETE\\"]"}}}`;
const published = (name: string, definitionId: string, activities: () => string[]): HostileRequest =>
  apiRequest(
    name,
    '/workflow-definitions/import?publish=true',
    () => `{"definitionId":"${definitionId}","root":{"type":"Elsa.Sequence","activities":[${activities().join(',')}]}}`,
  );
const upTo =
  <T>(count: number, make: (i: number) => T) =>
  () =>
    Array.from({ length: count }, (_, i) => make(i));

/** Each is evaluated, compared with those of the version before, and taken into tables. */
const triggers: readonly HostileRequest[] = [
  ...['first', 'second'].map((name) =>
    published(
      `990 triggers, ${name}`,
      'triggers',
      upTo(990, (i) => event(i, name)),
    ),
  ),
  published(
    '9,990 triggers',
    'many-triggers',
    upTo(9990, (i) => event(i, 'many')),
  ),
  published(
    '2,000 endpoints with four methods each',
    'endpoints',
    upTo(2000, (i) => endpointAt(i, `e/${i}/{id}`)),
  ),
  published(
    '240 endpoints with four methods each',
    'endpoints',
    upTo(240, (i) => endpointAt(i, `e/${i}/{id}`)),
  ),
  published(
    '200 endpoints with an expression each',
    'expressions',
    upTo(200, (i) => endpointAt(i, `x/${i}/{x:regex(^.{{0,99}}.{{0,99}}.{{0,99}}.{{0,99}}${i}$)}`)),
  ),
  published(
    '20 endpoints with an expression each',
    'expressions',
    upTo(20, (i) => endpointAt(i, `x/${i}/{x:regex(^.{{0,99}}.{{0,99}}.{{0,99}}.{{0,99}}${i}$)}`)),
  ),
  published('a cron expression of 3 MB', 'cron', () => [
    `{"type":"Elsa.Cron","id":"C","customProperties":{"canStartWorkflow":true},"cronExpression":{"typeName":"String","expression":{"type":"Literal","value":"${Array(1_000_000).fill('1-0').join(',')} * * * *"}}}`,
  ]),
];

/** Work on all that a request names or selects: one list for each kind. */
export const bulkCorpora: readonly (readonly HostileRequest[])[] = [
  starts,
  instances,
  alterations,
  filters,
  definitions,
  triggers,
];
