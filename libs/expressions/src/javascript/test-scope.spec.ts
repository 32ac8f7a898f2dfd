import { expect, test } from '@jest/globals';
import type { ExpressionScope } from '@waymark/core';

export interface TestScope extends ExpressionScope {
  readonly variables: Record<string, unknown>;
}

export interface TestScopeParts {
  variables?: Record<string, unknown>;
  /** Declared types of variables. */
  types?: Record<string, string>;
  inputs?: Record<string, unknown>;
  args?: Record<string, unknown>;
  activityInput?: Record<string, unknown>;
  /** By activity name, then output name. */
  outputs?: Record<string, Record<string, unknown>>;
  lastResult?: unknown;
  signal?: AbortSignal;
}

/** A scope on plain objects; what scripts set can be read from `variables`. */
export function testScope(parts: TestScopeParts = {}): TestScope {
  const { variables = {}, inputs = {}, outputs = {} } = parts;
  return {
    variables,
    facts: {
      workflowInstanceId: 'instance-1',
      workflowDefinitionId: 'definition-1',
      workflowDefinitionVersionId: 'version-1',
      workflowDefinitionVersion: 3,
    },
    correlationId: undefined,
    instanceName: undefined,
    getVariable: (name) => (Object.hasOwn(variables, name) ? variables[name] : null) ?? null,
    getVariableById: () => null,
    setVariable: (name, value) => {
      Object.defineProperty(variables, name, { value, enumerable: true, configurable: true, writable: true });
    },
    hasVariable: (name) => Object.hasOwn(variables, name),
    typeOfVariable: (name) => parts.types?.[name],
    variableNames: () => Object.keys(variables),
    getInput: (name) => (Object.hasOwn(inputs, name) ? inputs[name] : null) ?? null,
    inputNames: () => Object.keys(inputs),
    activityInput: parts.activityInput,
    getOutputFrom: (activity, output = 'Result') => {
      if (!Object.hasOwn(outputs, activity)) throw new Error('Activity not found.');
      return outputs[activity]![output] ?? null;
    },
    activityOutputs: () =>
      Object.entries(outputs).flatMap(([activityName, of]) =>
        Object.keys(of).map((outputName) => ({ activityName, outputName })),
      ),
    getLastResult: () => parts.lastResult ?? null,
    args: parts.args,
    signal: parts.signal,
  };
}

/** Runs something that must fail; answers the error. */
export async function failureOf(run: () => unknown): Promise<Error & { code?: string }> {
  try {
    await run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('It did not fail.');
}

// Other specs import this file; its own test belongs to it alone.
if (expect.getState().testPath?.endsWith('test-scope.spec.ts')) {
  test('a test scope keeps what is set', () => {
    const scope = testScope({ variables: { a: 1 } });
    scope.setVariable('b', 2);
    expect(scope.variables).toEqual({ a: 1, b: 2 });
  });
}
