import type { ExpressionScope } from '../../expressions/expression-scope.js';
import type {
  ActivityJson,
  InputJson,
  VariableDefinition,
  WorkflowDefinition,
} from '../../definitions/workflow-definition.js';

// Short builders for definitions in tests: plain JSON, except that expressions are functions.

type Value = InputJson | string | number | boolean | null | undefined;
type Code = (scope: ExpressionScope) => unknown;

export const lit = (value: unknown): InputJson => ({ typeName: null, expression: { type: 'Literal', value } });
export const json = (value: unknown): InputJson => ({
  typeName: null,
  expression: { type: 'Object', value: JSON.stringify(value) },
});
export const code = (run: Code): InputJson => ({ typeName: null, expression: { type: 'Delegate', value: run } });
/** The value of a variable, by name. */
export const get = (name: string): InputJson => code((s) => s.getVariable(name));
const input = (value: Value | Code): InputJson | undefined => {
  if (typeof value === 'function') return code(value);
  return value === undefined || (typeof value === 'object' && value !== null) ? (value ?? undefined) : lit(value);
};
export const out = (id: string) => ({ typeName: 'Object', memoryReference: { id } });

export function act(
  type: string,
  id: string,
  members: Record<string, unknown> = {},
  custom: Record<string, unknown> = {},
): ActivityJson {
  return { type: type.includes('.') ? type : `Elsa.${type}`, id, ...members, customProperties: custom };
}

export const W = (id: string, text: Value | Code = id) => act('WriteLine', id, { text: input(text) });
export const event = (id: string, o: { start?: boolean; result?: unknown } = {}) =>
  act('Event', id, { eventName: lit(id), result: o.result }, { canStartWorkflow: o.start ?? false });
export const seq = (id: string, activities: ActivityJson[], variables: VariableDefinition[] = []) =>
  act('Sequence', id, { activities, variables });
export const parallel = (id: string, activities: ActivityJson[]) => act('Parallel', id, { activities });
export const fork = (id: string, branches: ActivityJson[], joinMode = 'WaitAll') =>
  act('Fork', id, { branches, joinMode });
export const iff = (id: string, condition: boolean | Code, then?: ActivityJson, otherwise?: ActivityJson) =>
  act('If', id, { condition: input(condition), then, else: otherwise });
export const whileLoop = (id: string, condition: boolean | Code, body?: ActivityJson) =>
  act('While', id, { condition: input(condition), body });
export const forLoop = (
  id: string,
  start: Value,
  end: Value,
  body?: ActivityJson,
  o: { step?: Value; inclusive?: boolean; currentValue?: unknown } = {},
) =>
  act('For', id, {
    start: input(start),
    end: input(end),
    step: input(o.step),
    outerBoundInclusive: input(o.inclusive),
    currentValue: o.currentValue,
    body,
  });
export const forEach = (id: string, items: unknown, body?: ActivityJson) =>
  act('ForEach', id, { items: typeof items === 'function' ? code(items as Code) : json(items), body });
export const parallelForEach = (id: string, items: unknown, body?: ActivityJson) =>
  act('ParallelForEach', id, { items: code(typeof items === 'function' ? (items as Code) : () => items), body });
export const setVar = (id: string, name: string, value: Value | Code) =>
  act('SetVariable', id, { variable: { id: `${name}-id`, name }, value: input(value) });
export const setOutput = (id: string, name: string, value: Value | Code) =>
  act('SetOutput', id, { outputName: lit(name), outputValue: input(value) });
export const complete = (id: string, ...outcomes: string[]) =>
  act('Complete', id, outcomes.length ? { outcomes: code(() => (outcomes.length > 1 ? outcomes : outcomes[0])) } : {});
export const fault = (id: string, message = id) => act('Fault', id, { message: lit(message), code: lit('E1') });
export const decision = (id: string, condition: boolean | Code) =>
  act('FlowDecision', id, { condition: input(condition) });
export const flowSwitch = (id: string, cases: [string, boolean | Code][], mode = 'MatchFirst') =>
  act('FlowSwitch', id, {
    cases: cases.map(([label, when]) => ({ label, condition: input(when)!.expression })),
    mode: lit(mode),
  });
export const join = (id: string, mode?: string) =>
  act('FlowJoin', id, { mode: mode === undefined ? undefined : lit(mode) });

/** Edges are written `A->B` or `A:True->B`. */
export function flow(
  id: string,
  activities: ActivityJson[],
  edges: string[],
  custom: Record<string, unknown> = {},
): ActivityJson {
  const connections = edges.map((edge) => {
    const [, activity, port, target] = /^(\w+)(?::(.+?))?->(\w+)$/.exec(edge) ?? [];
    if (!target) throw new Error(`bad edge ${edge}`);
    return { source: { activity, port: port ?? 'Done' }, target: { activity: target, port: 'In' } };
  });
  return act('Flowchart', id, { activities, connections }, custom);
}

export const chain = (id: string, activities: ActivityJson[]) =>
  flow(
    id,
    activities,
    activities.slice(1).map((a, i) => `${activities[i]!.id}->${a.id}`),
  );

export function variable(
  name: string,
  typeName = 'Object',
  value?: unknown,
  storage: string | null = 'WorkflowInstanceStorageDriver',
): VariableDefinition {
  return { id: `${name}-id`, name, typeName, isArray: false, value, storageDriverTypeName: storage };
}

export function workflow(
  root: ActivityJson,
  o: Partial<WorkflowDefinition> & { definitionId?: string } = {},
): WorkflowDefinition {
  const definitionId = o.definitionId ?? 'test';
  return {
    id: `${definitionId}-v1`,
    definitionId,
    version: 1,
    name: definitionId,
    createdAt: new Date(0),
    isLatest: true,
    isPublished: true,
    isReadonly: false,
    isSystem: false,
    materializerName: 'Json',
    variables: [],
    inputs: [],
    outputs: [],
    outcomes: [],
    customProperties: {},
    options: {},
    root,
    ...o,
  };
}

/** A use of a workflow as an activity. */
export const sub = (id: string, child: WorkflowDefinition, members: Record<string, unknown> = {}) =>
  act(`App.${child.definitionId}`, id, {
    ...members,
    workflowDefinitionId: child.definitionId,
    workflowDefinitionVersionId: child.id,
  });
