import type { JavaScriptGlobal } from './javascript-global.js';

/** What scripts see of their workflow, apart from the generated accessors. */
export const workflowGlobals: readonly JavaScriptGlobal[] = [
  { name: 'getWorkflowDefinitionId', isPure: true, invoke: (scope) => scope.facts.workflowDefinitionId },
  { name: 'getWorkflowDefinitionVersionId', isPure: true, invoke: (scope) => scope.facts.workflowDefinitionVersionId },
  { name: 'getWorkflowDefinitionVersion', isPure: true, invoke: (scope) => scope.facts.workflowDefinitionVersion },
  { name: 'getWorkflowInstanceId', isPure: true, invoke: (scope) => scope.facts.workflowInstanceId },
  { name: 'getCorrelationId', isPure: true, invoke: (scope) => scope.correlationId ?? null },
  {
    name: 'setCorrelationId',
    invoke: (scope, id) => {
      scope.correlationId = optionalText(id);
    },
  },
  { name: 'getWorkflowInstanceName', isPure: true, invoke: (scope) => scope.instanceName ?? null },
  {
    name: 'setWorkflowInstanceName',
    invoke: (scope, name) => {
      scope.instanceName = optionalText(name);
    },
  },
  { name: 'getVariable', isPure: true, invoke: (scope, name) => scope.getVariable(String(name)) },
  { name: 'setVariable', invoke: (scope, name, value) => scope.setVariable(String(name), value ?? null) },
  { name: 'getInput', isPure: true, invoke: (scope, name) => scope.getInput(String(name)) },
  {
    name: 'getOutputFrom',
    isPure: true,
    invoke: (scope, activity, output) =>
      scope.getOutputFrom(String(activity), output == null ? undefined : String(output)),
  },
  { name: 'getLastResult', isPure: true, invoke: (scope) => scope.getLastResult() },
];

function optionalText(value: unknown): string | undefined {
  return value == null ? undefined : String(value);
}
