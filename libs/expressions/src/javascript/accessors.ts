import { type ExpressionScope } from '@waymark/core';
import { pascalize } from '@waymark/core/adapter';

/**
 * The generated functions `get<Name>()` and `set<Name>(value)`: arguments, variables, inputs, outputs of activities, in
 * that order. Names are looked up when the function is called, so an evaluation costs nothing for what it does not use.
 * @throws ReferenceError when nothing in scope has such a name
 */
export function callAccessor(scope: ExpressionScope, identifier: string, args: readonly unknown[]): unknown {
  const accessor = findAccessor(scope, identifier);
  if (!accessor) throw new ReferenceError(`'${identifier}' is not defined`);
  return accessor(args[0] ?? null);
}

export function hasAccessor(scope: ExpressionScope, identifier: string): boolean {
  return findAccessor(scope, identifier) !== undefined;
}

/** The variable that `get<Name>()` reads; `undefined` when it reads something else. */
function variableOfAccessor(scope: ExpressionScope, identifier: string): string | undefined {
  const name = identifier.slice(3);
  if (scope.args && find(Object.keys(scope.args), name) !== undefined) return undefined;
  return findVariable(scope, name);
}

/** Declared type of what a name stands for, where it is a text that may be a value of .NET: of a variable, by its name or its accessor. */
export function typeOfText(scope: ExpressionScope, name: string, isAccessor: boolean): string | undefined {
  const variable = isAccessor ? variableOfAccessor(scope, name) : name;
  return variable === undefined ? undefined : scope.typeOfVariable?.(variable);
}

function findAccessor(scope: ExpressionScope, identifier: string): ((value: unknown) => unknown) | undefined {
  const name = identifier.slice(3);
  if (identifier.startsWith('get')) return findGetter(scope, name);
  const variable = findVariable(scope, name);
  return variable === undefined ? undefined : (value) => scope.setVariable(variable, value);
}

function findGetter(scope: ExpressionScope, name: string): (() => unknown) | undefined {
  const argument = scope.args && find(Object.keys(scope.args), name);
  if (argument !== undefined) return () => scope.args![argument];
  const variable = findVariable(scope, name);
  if (variable !== undefined) return () => scope.getVariable(variable);
  const input = find(scope.inputNames(), name);
  if (input !== undefined) return () => scope.getInput(input);
  const output = findOutput(scope, name);
  return output && (() => scope.getOutputFrom(output.activityName, output.outputName));
}

function findOutput(scope: ExpressionScope, name: string): { activityName: string; outputName: string } | undefined {
  if (!name.includes('From')) return undefined;
  if (scope.outputNamed) return scope.outputNamed(name);
  return scope.activityOutputs().find(({ activityName, outputName }) => {
    const activity = pascalize(activityName);
    return name.endsWith(activity) && name === `${pascalize(outputName)}From${activity}`;
  });
}

/** Variables are spelled like the accessor or with a small first letter, so most scopes need not be listed. */
function findVariable(scope: ExpressionScope, name: string): string | undefined {
  if (scope.hasVariable(name)) return name;
  const small = name.charAt(0).toLowerCase() + name.slice(1);
  return scope.hasVariable(small) ? small : find(scope.variableNames(), name);
}

function find(names: readonly string[], pascalName: string): string | undefined {
  return names.find((n) => n === pascalName) ?? names.find((n) => pascalize(n) === pascalName);
}
