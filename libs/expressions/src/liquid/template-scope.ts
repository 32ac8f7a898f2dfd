import { type ExpressionScope } from '@waymark/core';
import { toPlainJson } from '@waymark/core/adapter';
import { isDate } from 'node:util/types';
import { anyCasingView } from './any-casing-view.js';
import { ZonedDate } from './zoned-date.js';

/** What a reader tells of its data: whether objects in it are read in any casing. */
type DataWalk = Parameters<typeof toPlainJson>[1];

/** Roots of the format that are single values. */
export const facts: Readonly<Record<string, (scope: ExpressionScope) => unknown>> = {
  CorrelationId: (scope) => scope.correlationId,
  WorkflowInstanceId: (scope) => scope.facts.workflowInstanceId,
  WorkflowDefinitionId: (scope) => scope.facts.workflowDefinitionId,
  WorkflowDefinitionVersionId: (scope) => scope.facts.workflowDefinitionVersionId,
  WorkflowDefinitionVersion: (scope) => scope.facts.workflowDefinitionVersion,
};

/** All that a template can read. */
export const ROOTS: readonly string[] = ['Variables', 'Input', ...Object.keys(facts)];

/** `Variables.Name`, as plain data: the template engine calls every function that it finds as a member. */
export function readVariable(scope: ExpressionScope, name: string, walk?: DataWalk): unknown {
  return toData(scope.getVariable(name), walk);
}

/** `Input.Name`, of the current activity or else of the workflow. */
export function readInput(scope: ExpressionScope, name: string, walk?: DataWalk): unknown {
  return toData(ownMember(scope.activityInput, name) ?? scope.getInput(name), walk);
}

function toData(value: unknown, walk?: DataWalk): unknown {
  if (value === null || value === undefined) return undefined;
  // Nearly all are numbers, texts and plain objects: asking the engine costs as much as the rest of this.
  const mayBeDate = typeof value === 'object' && Object.getPrototypeOf(value) !== Object.prototype;
  return mayBeDate && isDate(value) && !Number.isNaN(value.getTime())
    ? new ZonedDate(value.getTime(), 0)
    : toPlainJson(value, walk);
}

/** The same for the engine, which looks for own members only. */
function viewed(read: typeof readVariable): (scope: ExpressionScope, name: string) => unknown {
  return (scope, name) => {
    const walk = { hasAnyCasing: false };
    const data = read(scope, name, walk);
    return walk.hasAnyCasing ? anyCasingView(data) : data;
  };
}

const viewVariable = viewed(readVariable);
const viewInput = viewed(readInput);

/** What a template sees: the roots of the format, read when they are used. */
export function templateScope(scope: ExpressionScope): object {
  return {
    CorrelationId: scope.correlationId,
    WorkflowInstanceId: scope.facts.workflowInstanceId,
    WorkflowDefinitionId: scope.facts.workflowDefinitionId,
    WorkflowDefinitionVersionId: scope.facts.workflowDefinitionVersionId,
    WorkflowDefinitionVersion: scope.facts.workflowDefinitionVersion,
    Variables: readOnRequest(
      (name) => viewVariable(scope, name),
      () => scope.variableNames(),
    ),
    Input: readOnRequest(
      (name) => viewInput(scope, name),
      () => [...new Set([...Object.keys(scope.activityInput ?? {}), ...scope.inputNames()])],
    ),
  };
}

function ownMember(object: Readonly<Record<string, unknown>> | undefined, name: string): unknown {
  return object && Object.hasOwn(object, name) ? object[name] : undefined;
}

/**
 * An object whose members are looked up one by one. A Drop of liquidjs would do the same, but shows templates the members
 * of its class as well.
 */
function readOnRequest(read: (name: string) => unknown, names: () => readonly string[]): object {
  // The engine asks twice for each member, and templates ask in loops. They change nothing in between.
  const found = new Map<string, unknown>();
  const find = (key: string | symbol): unknown => {
    if (typeof key !== 'string') return undefined;
    const known = found.get(key);
    if (known !== undefined || found.has(key)) return known;
    const value = read(key);
    found.set(key, value);
    return value;
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
