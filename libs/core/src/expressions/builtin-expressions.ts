import { WorkflowExecutionError } from '../errors/execution-errors.js';
import { parseJsonText } from '../values/json-text.js';
import type { CompiledExpression, Expression, ExpressionDescriptor, ExpressionHandler } from './expression.js';

function descriptor(
  type: string,
  o: { isSerializable?: boolean; isBrowsable?: boolean; language?: string } = {},
): ExpressionDescriptor {
  return {
    type,
    displayName: type,
    isSerializable: o.isSerializable ?? true,
    isBrowsable: o.isBrowsable ?? false,
    properties: o.language ? { MonacoLanguage: o.language } : {},
  };
}

/** A constant. Objects and arrays are kept as JSON text, as everywhere in the definition format. */
const literal: ExpressionHandler = {
  descriptor: descriptor('Literal'),
  compile: ({ value }) => {
    const constant = typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null);
    return () => constant;
  },
};

/** JSON text, parsed anew for each evaluation so that no two executions share an object. Blank text is null. */
function jsonText(type: string): ExpressionHandler {
  return {
    descriptor: descriptor(type, { language: 'json' }),
    compile: ({ value }) => {
      if (typeof value !== 'string') {
        const text = JSON.stringify(value ?? null);
        return () => JSON.parse(text) as unknown;
      }
      if (value.trim() === '') return () => null;
      let parse: (text: string) => unknown = (text) => {
        const parsed = parseJsonText(text);
        // The text stays the same, so what was within the limits once need not be counted again.
        parse = JSON.parse;
        return parsed;
      };
      return () => parse(value);
    },
  };
}

/** A function of a workflow written in TypeScript: `(scope) => value`. */
const delegate: ExpressionHandler = {
  descriptor: descriptor('Delegate', { isSerializable: false }),
  compile: ({ value }) => {
    if (typeof value === 'function') return value as CompiledExpression;
    return () => {
      throw new WorkflowExecutionError(
        'WM2012',
        'A Delegate expression has no function: the code of this workflow version is not loaded. Deploy it again, or migrate the instance.',
      );
    };
  },
};

/** The current value of a variable, found by id; an unknown one is null, as in Elsa. */
const variable: ExpressionHandler = {
  descriptor: descriptor('Variable', { isBrowsable: true }),
  compile: (expression) => {
    const reference = readReference(expression);
    const id = String(reference?.id ?? '');
    const name = typeof reference?.name === 'string' ? reference.name : undefined;
    return (scope) => scope.getVariableById(id) ?? (name && !id ? scope.getVariable(name) : null);
  },
};

const input: ExpressionHandler = {
  descriptor: descriptor('Input', { isBrowsable: true }),
  compile: (expression) => {
    const name = String(readReference(expression)?.name ?? '');
    return (scope) => scope.getInput(name);
  },
};

const output: ExpressionHandler = {
  descriptor: descriptor('Output', { isSerializable: false }),
  compile: (expression) => {
    const reference = readReference(expression);
    return (scope) =>
      scope.getOutputFrom(String(reference?.activityId ?? ''), reference?.outputName as string | undefined);
  },
};

/** References stand as objects or, as Studio writes them, as JSON text of such an object. */
function readReference({ value }: Expression): Record<string, unknown> | undefined {
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  if (typeof value !== 'string') return undefined;
  try {
    const parsed = parseJsonText(value);
    return typeof parsed === 'object' && parsed !== null
      ? (parsed as Record<string, unknown>)
      : { id: value, name: value };
  } catch {
    return { id: value, name: value };
  }
}

/** The syntaxes that need no library. */
export const builtinExpressions: readonly ExpressionHandler[] = [
  literal,
  jsonText('Object'),
  jsonText('Json'),
  delegate,
  variable,
  input,
  output,
];
