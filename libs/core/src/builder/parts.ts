import type { FunctionReference, WorkflowFunction } from './function-reference.js';
import type { OutputTarget, VariableRef } from './references.js';
import { jsonConstant, writeExpression } from './value.js';
import { WRITE, type Writable, type WriteContext } from './write-context.js';

function part(write: (context: WriteContext, at: string) => unknown): Writable {
  return { [WRITE]: write };
}

/**
 * A wrapped input. The type is that of the property, so it is not said again: what is written must not change with the
 * declaration of a stock activity. @param isConverted false: the input takes any type
 */
export const inputPart = (value: unknown, isConverted = true): Writable =>
  part((context, at) => ({ typeName: null, expression: writeExpression(value, context, at, isConverted) }));

/** A bare expression, such as the condition of a case. */
export const expressionPart = (value: unknown): Writable => part((context, at) => writeExpression(value, context, at));

/** A plain value without an expression. */
export const jsonPart = (value: unknown): Writable => part((_, at) => jsonConstant(value, at));

export const outputPart = (target: OutputTarget<never>): Writable =>
  part((context, at) => {
    context.requireDeclared(target, at);
    return { typeName: 'Object', memoryReference: { id: target.targetId } };
  });

/** The variable that SetVariable names. */
export const variablePart = <T>(variable: VariableRef<T>): Writable =>
  part((context, at) => {
    context.requireDeclared(variable, at);
    return variable.toJson();
  });

/** A function that is not an expression: the body of Inline. */
export const functionPart = (run: WorkflowFunction): Writable =>
  part((context, at): FunctionReference => context.reference(run, at));

/** The id of another activity. */
export const activityIdPart = (activity: object): Writable => part((context, at) => context.idOf(activity, at));

/** The same as the value of an input. */
export const activityIdInputPart = (activity: object): Writable =>
  part((context, at) => ({ typeName: null, expression: { type: 'Literal', value: context.idOf(activity, at) } }));

/** The name of a workflow output, as SetOutput takes it. */
export const outputNamePart = (output: OutputTarget<never>): Writable =>
  part((context, at) => {
    context.requireDeclared(output, at);
    return { typeName: null, expression: writeExpression(output.targetId, context, at) };
  });
