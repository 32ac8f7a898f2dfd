// Bodies that are taken as they are, for routes whose readers do not name all that they read; the fuzz breaks them somewhere.
const literal = (value: unknown, typeName = 'String') => ({ typeName, expression: { type: 'Literal', value } });
const script = (value: string) => ({ typeName: 'Object', expression: { type: 'JavaScript', value } });

/** A definition with most of what there is in one. */
const MODEL = {
  definitionId: 'fuzzed',
  name: 'Fuzzed',
  description: 'a description',
  version: 1,
  variables: [
    {
      id: 'V',
      name: 'V',
      typeName: 'Int32',
      isArray: false,
      value: '1',
      storageDriverTypeName: 'WorkflowStorageDriver',
    },
  ],
  inputs: [{ name: 'In', type: 'String', displayName: 'In', category: 'Inputs', isArray: false, defaultValue: 'x' }],
  outputs: [{ name: 'Out', type: 'Object' }],
  outcomes: ['Done', 'Else'],
  customProperties: { 'Elsa:WorkflowContextProviderTypes': [] },
  options: {
    usableAsActivity: true,
    autoUpdateConsumingWorkflows: true,
    activationStrategyType: 'Elsa.Workflows.ActivationValidators.AllowAlwaysStrategy, Elsa.Workflows.Core',
    activityCategory: 'Fuzzed',
  },
  root: {
    id: 'Flow',
    type: 'Elsa.Flowchart',
    version: 1,
    start: 'A',
    customProperties: { canStartWorkflow: false },
    metadata: { designer: { position: { x: 1, y: 2 } } },
    activities: [
      { id: 'A', type: 'Elsa.WriteLine', text: literal('text') },
      {
        id: 'B',
        type: 'Elsa.SetVariable',
        variable: { id: 'V', name: 'V', typeName: 'Int32' },
        value: script('1 + 1'),
      },
      { id: 'C', type: 'Elsa.Delay', timeSpan: literal('1.00:00:00', 'TimeSpan') },
      { id: 'D', type: 'Elsa.Timer', interval: literal('01:00:00', 'TimeSpan') },
      { id: 'E', type: 'Elsa.Cron', cronExpression: literal('0 0 1 1 *') },
      { id: 'F', type: 'Elsa.HttpEndpoint', path: literal('fuzzed'), supportedMethods: script('["GET"]') },
      { id: 'G', type: 'Elsa.Switch', cases: [{ label: 'one', condition: { type: 'JavaScript', value: 'true' } }] },
      {
        id: 'H',
        type: 'Elsa.ForEach',
        items: script('[1]'),
        body: { id: 'I', type: 'Elsa.Event', eventName: literal('e') },
      },
      { id: 'J', type: 'Elsa.RunTask', taskName: literal('task'), payload: script('({ a: 1 })') },
    ],
    connections: [
      { source: { activity: 'A', port: 'Done' }, target: { activity: 'B', port: 'In' } },
      { source: { activity: 'B', port: 'Done' }, target: { activity: 'A', port: 'In' } },
    ],
  },
};

const ALTERATIONS = [
  { type: 'Migrate', targetVersion: 2, mapping: { activities: { A: 'B' }, variables: { V: 'V' } } },
  { type: 'UndoMigration' },
  { type: 'ModifyVariable', variableId: 'V', value: { a: [1] } },
  { type: 'ScheduleActivity', activityId: 'Wait' },
  { type: 'CancelActivity', activityInstanceId: 'none' },
  { type: 'SkipActivity', activityId: 'Wait', outcomes: ['Done'] },
  { type: 'Cancel' },
];

const EXECUTION = {
  correlationId: 'c',
  name: 'n',
  triggerActivityId: 'A',
  activityHandle: { activityId: 'A' },
  versionOptions: 'Latest',
  input: { In: 'x' },
  variables: { V: 1 },
};

/** Of members that readers take as they are, by name. */
export const SAMPLE_MEMBERS: Readonly<Record<string, readonly unknown[]>> = {
  model: [MODEL],
  alterations: [ALTERATIONS, ...ALTERATIONS.map((one) => [one])],
  input: [{ In: 'x' }, { a: { b: [1, null, 'x'] } }],
  values: [{ comment: 'x', amount: 1 }],
  activities: [{ A: 'B', B: null }],
  variables: [{ V: 'W' }],
};

/** Of whole bodies, by the end of the path. */
export const SAMPLE_BODIES: readonly (readonly [path: RegExp, bodies: readonly unknown[]])[] = [
  [/\/execute$/, [EXECUTION]],
  [/workflow-definitions(\/\{definitionId\})?\/import$/, [MODEL]],
  [
    /import\/workflow-instances$/,
    [
      {
        workflowState: {
          id: 'imported',
          definitionId: 'keep',
          definitionVersionId: 'none',
          definitionVersion: 1,
          status: 'Running',
          subStatus: 'Suspended',
          bookmarks: [],
          incidents: [],
          activityExecutionContexts: [{ id: 'x', scheduledActivityNodeId: 'Root', status: 'Running', properties: {} }],
          completionCallbacks: [],
          input: {},
          output: {},
          properties: {},
          createdAt: '2026-08-01T09:00:00+00:00',
          updatedAt: '2026-08-01T09:00:00+00:00',
        },
        bookmarks: [],
        activityExecutionRecords: [],
        workflowExecutionLogRecords: [],
      },
    ],
  ],
];
