import type { ExpressionScope } from './expression-scope.js';

/** A value that is computed when an activity runs: `{ "type": "JavaScript", "value": "a + 1" }` in JSON. */
export interface Expression {
  /** Name of an expression syntax, e.g. `Literal`, `Variable`, `JavaScript`, `Liquid`. Matched exactly. */
  readonly type: string;
  /** Its text, or its value where the type is `Literal` or `Object`. */
  readonly value?: unknown;
}

/** What tools learn about an expression syntax (REST `/descriptors/expression-descriptors`). */
export interface ExpressionDescriptor {
  /** Type name that definitions use, such as `JavaScript`. */
  readonly type: string;
  /** Name for people. */
  readonly displayName: string;
  /** False for syntaxes that exist in code only, such as `Delegate`. */
  readonly isSerializable: boolean;
  /** True when an editor should offer the syntax. */
  readonly isBrowsable: boolean;
  /** Hints for editors, e.g. `{ MonacoLanguage: 'javascript' }`. */
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Evaluates one expression syntax. Implementations keep no state of a workflow; compiled forms may be cached. */
export interface ExpressionHandler {
  /** What tools see of the type; its `type` is what definitions name. */
  readonly descriptor: ExpressionDescriptor;
  /** True: inputs with such an expression are neither stored nor journaled. @default false */
  readonly isSensitive?: boolean;
  /**
   * Prepares an expression for repeated evaluation. Called once when a definition is compiled; must not throw for bad
   * source text: the error belongs to the activity that evaluates it.
   */
  compile(expression: Expression): CompiledExpression;
  /**
   * What is wrong with the text, as far as that shows before it is evaluated. Validation of a definition names it; it is published
   * all the same. @default nothing is looked for
   */
  check?(expression: Expression): ExpressionFault | undefined;
}

/** What is wrong with the text of an expression. */
export interface ExpressionFault {
  /** Code of the error that its evaluation throws. */
  readonly code: string;
  /** What is wrong, as a sentence. */
  readonly message: string;
}

/**
 * A prepared expression. Returns the value, or a promise of it when the syntax is asynchronous; a synchronous answer
 * costs the engine no promise.
 */
export type CompiledExpression = (scope: ExpressionScope) => unknown;
