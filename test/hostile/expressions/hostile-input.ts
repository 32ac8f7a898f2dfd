import type { ExpressionScope } from '@waymark/core';

export interface HostileInput {
  readonly type: 'JavaScript' | 'Liquid';
  readonly source: string;
}

const lines = Array.from({ length: 2000 }, (_, i) => ({ name: `line ${i * 7919}`, price: i, notes: 'x'.repeat(50) }));
const data: Readonly<Record<string, unknown>> = {
  Text: 'a'.repeat(100_000),
  Mid: 'a'.repeat(10_000),
  Part: 'a'.repeat(5000),
  Words: 'the quick brown fox '.repeat(100),
  List: Array.from({ length: 5000 }, (_, i) => i),
  Texts: Array.from({ length: 200 }, () => 'a'.repeat(100)),
  Order: { lines, a: { b: 'c' } },
  Never: new Date(NaN),
};

/** What the inputs find in their workflow. */
export function hostileScope(): ExpressionScope {
  const variables = new Map(Object.entries(data));
  return {
    facts: {
      workflowInstanceId: 'instance-1',
      workflowDefinitionId: 'definition-1',
      workflowDefinitionVersionId: 'version-1',
      workflowDefinitionVersion: 1,
    },
    correlationId: 'correlation-1',
    instanceName: undefined,
    getVariable: (name) => variables.get(name) ?? null,
    getVariableById: () => null,
    setVariable: (name, value) => void variables.set(name, value),
    hasVariable: (name) => variables.has(name),
    variableNames: () => [...variables.keys()],
    getInput: () => null,
    inputNames: () => [],
    activityInput: undefined,
    getOutputFrom: () => null,
    activityOutputs: () => [],
    getLastResult: () => null,
    args: undefined,
    signal: undefined,
  };
}
