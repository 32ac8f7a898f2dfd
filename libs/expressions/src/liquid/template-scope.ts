import { toPlainJson, type ExpressionScope } from '@waymark/core';

/**
 * What a template sees: the roots of the format, read when they are used. Values are handed over as plain data: the
 * template engine calls every function that it finds as a member, and a class instance may hold some.
 */
export function templateScope(scope: ExpressionScope): object {
  const { facts } = scope;
  const root: object = {
    get CorrelationId() {
      return scope.correlationId;
    },
    get WorkflowInstanceId() {
      return facts.workflowInstanceId;
    },
    get WorkflowDefinitionId() {
      return facts.workflowDefinitionId;
    },
    get WorkflowDefinitionVersionId() {
      return facts.workflowDefinitionVersionId;
    },
    get WorkflowDefinitionVersion() {
      return facts.workflowDefinitionVersion;
    },
    Variables: readOnRequest(
      (name) => scope.getVariable(name),
      () => scope.variableNames(),
    ),
    Input: readOnRequest(
      (name) => ownMember(scope.activityInput, name) ?? scope.getInput(name),
      () => [...new Set([...Object.keys(scope.activityInput ?? {}), ...scope.inputNames()])],
    ),
  };
  return root;
}

function ownMember(object: Readonly<Record<string, unknown>> | undefined, name: string): unknown {
  return object && Object.hasOwn(object, name) ? object[name] : undefined;
}

/**
 * An object whose members are looked up one by one. A Drop of liquidjs would do the same, but shows templates the members
 * of its class as well.
 */
function readOnRequest(read: (name: string) => unknown, names: () => readonly string[]): object {
  const find = (key: string | symbol): unknown => {
    if (typeof key !== 'string') return undefined;
    const value = read(key);
    return value == null ? undefined : toPlainJson(value);
  };
  return new Proxy(Object.create(null) as object, {
    get: (_, key) => find(key),
    has: (_, key) => find(key) !== undefined,
    ownKeys: () => [...names()],
    getOwnPropertyDescriptor: (_, key) => {
      const value = find(key);
      return value === undefined ? undefined : { value, enumerable: true, configurable: true };
    },
  });
}
