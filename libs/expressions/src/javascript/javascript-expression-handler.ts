import type {
  CompiledExpression,
  Expression,
  ExpressionDescriptor,
  ExpressionFault,
  ExpressionHandler,
} from '@waymark/core';
import type { JavaScriptEvaluator } from './javascript-evaluator.js';

/** The expression syntax `JavaScript`. */
export class JavaScriptExpressionHandler implements ExpressionHandler {
  readonly descriptor: ExpressionDescriptor = {
    type: 'JavaScript',
    displayName: 'JavaScript',
    isSerializable: true,
    isBrowsable: true,
    properties: { MonacoLanguage: 'javascript' },
  };

  constructor(private readonly evaluator: JavaScriptEvaluator) {}

  compile({ value }: Expression): CompiledExpression {
    const run = this.evaluator.compile(toSource(value));
    return (scope) => run(scope);
  }

  check({ value }: Expression): ExpressionFault | undefined {
    return this.evaluator.check(toSource(value));
  }
}

/** Files hold numbers and booleans too where a script was expected. */
function toSource(value: unknown): string {
  if (value == null) return '';
  return typeof value === 'object' ? `(${JSON.stringify(value)})` : String(value);
}
