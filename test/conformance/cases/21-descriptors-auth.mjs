// Who may call the API, and what the server tells about itself: activities, expressions, strategies, drivers.
import { W, seq, workflow } from '../lib/build.mjs';
import { request } from '../lib/http.mjs';

const counted = async (t, path) => {
  const r = await t.apiJson('GET', path);
  t.ok(Array.isArray(r?.items), `items of ${path}`);
  t.eq(r.count, r.items.length, `count of ${path}`);
  return r.items;
};
const shortName = (s) =>
  String(s ?? '')
    .split(',')[0]
    .split('.')
    .pop();
/** Calls with headers of our own instead of the runner's credentials. */
const as = (t, headers, method, path, body) =>
  request(method, t.apiBase + path, { body, headers: { Accept: 'application/json', ...headers }, signal: t.signal });
const login = (t, body) => t.api('POST', '/identity/login', { body, auth: false, expect: 'any' });

// [type, kind, display name, inputs, outputs, ports]
const FACTS = [
  ['Elsa.WriteLine', 'Action', 'Write Line', ['Text'], [], []],
  ['Elsa.SetVariable', 'Action', 'Set Variable', ['Variable', 'Value'], [], []],
  ['Elsa.If', 'Action', 'If', ['Condition'], ['Result'], ['Then', 'Else']],
  ['Elsa.While', 'Action', 'While', ['Condition'], [], ['Body']],
  ['Elsa.For', 'Action', 'For', ['Start', 'End', 'Step', 'OuterBoundInclusive'], ['CurrentValue'], ['Body']],
  ['Elsa.ForEach', 'Action', 'For Each', ['Items'], ['CurrentValue'], ['Body']],
  ['Elsa.Switch', 'Action', 'Switch', ['Cases', 'Mode'], [], ['Default']],
  ['Elsa.FlowDecision', 'Action', 'Decision', ['Condition'], [], ['True', 'False']],
  ['Elsa.FlowSwitch', 'Action', 'Switch (flow)', ['Cases', 'Mode'], [], ['Default']],
  ['Elsa.FlowFork', 'Action', 'Fork (flow)', ['Branches'], [], []],
  ['Elsa.FlowJoin', 'Action', 'Join', ['Mode'], [], []],
  ['Elsa.Correlate', 'Action', 'Correlate', ['CorrelationId'], [], []],
  ['Elsa.SetName', 'Action', 'Set Name', ['Value'], [], []],
  ['Elsa.Fault', 'Action', 'Fault', ['Code', 'Category', 'FaultType', 'Message'], [], []],
  ['Elsa.Complete', 'Action', 'Complete', ['Outcomes'], [], []],
  ['Elsa.RunJavaScript', 'Action', 'Run JavaScript', ['Script', 'PossibleOutcomes'], ['Result'], []],
  ['Elsa.Event', 'Trigger', 'Event', ['EventName'], ['Result'], []],
  ['Elsa.PublishEvent', 'Action', 'Publish Event', ['EventName', 'CorrelationId', 'IsLocalEvent', 'Payload'], [], []],
  ['Elsa.RunTask', 'Action', 'Run Task', ['TaskName', 'Payload'], ['TaskId', 'Result'], []],
  [
    'Elsa.ExecuteWorkflow',
    'Task',
    'Execute Workflow',
    ['WorkflowDefinitionId', 'CorrelationId', 'Input', 'WaitForCompletion'],
    ['Result'],
    [],
  ],
  [
    'Elsa.DispatchWorkflow',
    'Action',
    'Dispatch Workflow',
    ['WorkflowDefinitionId', 'CorrelationId', 'Input', 'WaitForCompletion'],
    ['Result'],
    [],
  ],
  [
    'Elsa.BulkDispatchWorkflows',
    'Task',
    'Bulk Dispatch Workflows',
    ['WorkflowDefinitionId', 'Items', 'DefaultItemInputKey', 'CorrelationIdFunction', 'Input', 'WaitForCompletion'],
    [],
    ['ChildCompleted', 'ChildFaulted', 'Completed', 'Canceled', 'Done'],
  ],
  ['Elsa.Delay', 'Action', 'Delay', ['TimeSpan'], [], []],
  ['Elsa.Timer', 'Trigger', 'Timer', ['Interval'], [], []],
  ['Elsa.Cron', 'Trigger', 'Cron', ['CronExpression'], [], []],
  ['Elsa.StartAt', 'Trigger', 'Start at', ['DateTime'], [], []],
  [
    'Elsa.HttpEndpoint',
    'Trigger',
    'HTTP Endpoint',
    [
      'Path',
      'SupportedMethods',
      'Authorize',
      'Policy',
      'RequestTimeout',
      'RequestSizeLimit',
      'FileSizeLimit',
      'AllowedFileExtensions',
      'BlockedFileExtensions',
      'AllowedMimeTypes',
    ],
    ['ParsedContent', 'Files', 'RouteData', 'QueryStringData', 'Headers', 'Result'],
    [],
  ],
  [
    'Elsa.WriteHttpResponse',
    'Action',
    'HTTP Response',
    ['StatusCode', 'Content', 'ContentType', 'ResponseHeaders'],
    [],
    [],
  ],
  [
    'Elsa.WriteFileHttpResponse',
    'Action',
    'HTTP File Response',
    ['Content', 'Filename', 'ContentType', 'EntityTag', 'EnableResumableDownloads'],
    [],
    [],
  ],
  [
    'Elsa.SendHttpRequest',
    'Task',
    'HTTP Request',
    ['Url', 'Method', 'Content', 'ContentType', 'Authorization', 'RequestHeaders'],
    ['StatusCode', 'ParsedContent', 'ResponseHeaders', 'Result'],
    ['UnmatchedStatusCode', 'FailedToConnect', 'Timeout'],
  ],
  [
    'Elsa.FlowSendHttpRequest',
    'Task',
    'HTTP Request (flow)',
    ['Url', 'Method', 'Content', 'ExpectedStatusCodes'],
    ['StatusCode', 'ParsedContent', 'Result'],
    [],
  ],
];

export default {
  group: 'descriptors-auth',
  description: 'credentials, descriptors, features',
  cases: [
    {
      name: 'a request without credentials changes nothing',
      requires: ['auth'],
      async run(t) {
        await t.deploy(workflow(t.id(), seq('S', [W('W', 'x')])));
        t.eq((await as(t, {}, 'POST', `/workflow-definitions/${t.id()}/execute`, {})).status, 401, 'execute');
        t.eq((await as(t, {}, 'DELETE', `/workflow-definitions/${t.id()}`)).status, 401, 'delete');
        t.eq((await t.definition(t.id())).definitionId, t.id(), 'still there');
        t.eq((await t.instancesOf(t.id())).length, 0, 'instances');
      },
    },
    {
      name: 'login as nobody is not authenticated',
      requires: ['login'],
      async run(t) {
        const r = await login(t, { username: t.uid, password: 'x' });
        t.eq([r.status, r.json?.isAuthenticated, r.json?.accessToken ?? null], [200, false, null], 'answer');
      },
    },
    {
      name: 'a refresh token gives new tokens',
      requires: ['login'],
      async run(t) {
        const { user, password } = t.env.login;
        const l = (await login(t, { username: user, password })).json;
        const r = await as(t, { Authorization: `Bearer ${l.refreshToken}` }, 'POST', '/identity/refresh-token', {});
        t.eq([r.status, r.json?.isAuthenticated], [200, true], 'answer');
        t.eq(
          (await as(t, { Authorization: `Bearer ${r.json.accessToken}` }, 'GET', '/workflow-definitions')).status,
          200,
          'a call with the new token',
        );
      },
    },
    ...FACTS.map(([type, kind, displayName, inputs, outputs, ports]) => ({
      name: `activities: ${type}`,
      async run(t) {
        const a = await t.apiJson('GET', `/descriptors/activities/${type}`);
        t.eq(
          [a.typeName, a.name, a.namespace, a.kind, a.displayName],
          [type, type.slice(5), 'Elsa', kind, displayName],
          'descriptor',
        );
        t.ok(a.version >= 1 && a.category && a.description, 'version, category, description');
        for (const [what, want] of [
          ['inputs', inputs],
          ['outputs', outputs],
          ['ports', ports],
        ]) {
          const names = a[what].map((x) => x.name);
          for (const n of want) t.includes(names, n, what);
        }
        for (const i of a.inputs) t.ok(i.name && i.typeName && i.uiHint, `input ${JSON.stringify(i).slice(0, 200)}`);
      },
    })),
    {
      name: 'expressions',
      async run(t) {
        const items = await counted(t, '/descriptors/expression-descriptors');
        const by = Object.fromEntries(items.map((x) => [x.type, x]));
        for (const n of ['Literal', 'Object', 'Variable', 'Input']) t.ok(by[n], `${n} is missing`);
        for (const x of items)
          t.ok(
            x.displayName &&
              typeof x.isSerializable === 'boolean' &&
              typeof x.isBrowsable === 'boolean' &&
              x.properties &&
              typeof x.properties === 'object',
            `descriptor ${JSON.stringify(x)}`,
          );
      },
    },
    {
      name: 'incident strategies',
      async run(t) {
        const items = await counted(t, '/descriptors/incident-strategies');
        const names = items.map((x) =>
          shortName(x.typeName)
            .toLowerCase()
            .replace(/strategy$/, ''),
        );
        for (const n of ['fault', 'continuewithincidents']) t.includes(names, n, 'strategies');
        for (const x of items) t.ok(x.displayName, `descriptor ${JSON.stringify(x)}`);
      },
    },
    {
      name: 'log persistence strategies',
      async run(t) {
        const names = (await counted(t, '/descriptors/log-persistence-strategies')).map((x) => shortName(x.typeName));
        for (const n of ['Include', 'Exclude', 'Inherit']) t.includes(names, n, 'strategies');
      },
    },
  ],
};
