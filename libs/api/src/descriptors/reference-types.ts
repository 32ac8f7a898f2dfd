/** Where the reference keeps the classes of its activities: `[assembly, namespace, names]`. */
const CLASSES: readonly (readonly [string, string, string])[] = [
  [
    'Elsa.Workflows.Core',
    'Elsa.Workflows.Activities',
    'Break Complete Correlate End Fault Finish For ForEach Fork If Inline NotFoundActivity Parallel ParallelForEach ' +
      'Sequence SetName SetVariable Start Switch While Workflow WriteLine',
  ],
  [
    'Elsa.Workflows.Core',
    'Elsa.Workflows.Activities.Flowchart.Activities',
    'Flowchart FlowDecision FlowFork FlowJoin FlowNode FlowSwitch',
  ],
  ['Elsa.Workflows.Core', 'Elsa.Workflows.Activities.StateMachine.Activities', 'StateMachine'],
  ['Elsa.Workflows.Management', 'Elsa.Workflows.Management.Activities.SetOutput', 'SetOutput'],
  [
    'Elsa.Workflows.Runtime',
    'Elsa.Workflows.Runtime.Activities',
    'BulkDispatchWorkflows DispatchWorkflow Event ExecuteWorkflow PublishEvent RunTask',
  ],
  ['Elsa.Scheduling', 'Elsa.Scheduling.Activities', 'Cron Delay StartAt Timer'],
  [
    'Elsa.Http',
    'Elsa.Http',
    'DownloadHttpFile FlowSendHttpRequest HttpEndpoint SendHttpRequest WriteFileHttpResponse WriteHttpResponse',
  ],
  ['Elsa.Expressions.JavaScript', 'Elsa.Expressions.JavaScript.Activities', 'RunJavaScript'],
];

const UNREGISTERED = 'UnregisteredClrType:';

const BY_TYPE_NAME: ReadonlyMap<string, string> = new Map(
  CLASSES.flatMap(([assembly, namespace, names]) =>
    names
      .split(' ')
      .map((name) => [`Elsa.${name}`, `${UNREGISTERED}${namespace}.${name}, ${assembly}`] as [string, string]),
  ),
);

const WORKFLOW_AS_ACTIVITY = `${UNREGISTERED}Elsa.Workflows.Management.Activities.WorkflowDefinitionActivity.WorkflowDefinitionActivity, Elsa.Workflows.Management`;

/** Name of the reference's class for a stock activity, which its clients may look at; `undefined` for all others. */
export function referenceType(typeName: string, isWorkflow: boolean): string | undefined {
  return isWorkflow ? WORKFLOW_AS_ACTIVITY : BY_TYPE_NAME.get(typeName);
}
