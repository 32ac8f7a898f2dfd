import type { ExpressionScope } from './expression-scope.js';

/** A value that is computed when an activity runs: `{ "type": "JavaScript", "value": "a + 1" }` in JSON. */
export interface Expression {
  /** Name of an expression syntax, e.g. `Literal`, `Variable`, `JavaScript`, `Liquid`. Matched exactly. */
  readonly type: string;
  /** Its text, or its value where the type is `Literal` or `Object`. */
  readonly value?: unknown;
}

/** Describes an expression syntax to tools (REST `/descriptors/expression-descriptors`). */
export interface ExpressionDescriptor {
  /** Type name that definitions use, such as `JavaScript`. */
  readonly type: string;
  /** Name for people. */
  readonly displayName: string;
  /** False for syntaxes that exist in code only, such as `Delegate`. */
  readonly isSerializable: boolean;
  /** True if editors should offer the syntax. */
  readonly isBrowsable: boolean;
  /** Hints for editors, e.g. `{ MonacoLanguage: 'javascript' }`. */
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Evaluates one expression syntax. Implementations keep no state of a workflow; compiled forms may be cached. */
export interface ExpressionHandler {
  /** Describes the syntax; its `type` is the name that definitions use. */
  readonly descriptor: ExpressionDescriptor;
  /** If true, inputs with such an expression are neither stored nor journaled. @default false */
  readonly isSensitive?: boolean;
  /**
   * Prepares an expression for repeated evaluation. Called once when a definition is compiled; must not throw for bad
   * source text: the error belongs to the activity that evaluates it.
   */
  compile(expression: Expression): CompiledExpression;
  /**
   * Checks the text without evaluating it, and returns the problems found. Validation of a definition reports them as warnings.
   * @default none is looked for
   */
  check?(expression: Expression): ExpressionFault | undefined;
}

/** A problem in the text of an expression. */
export interface ExpressionFault {
  /** Code of the error that its evaluation throws, or of the warning where it throws none. */
  readonly code: string;
  /** What is wrong, as a sentence. */
  readonly message: string;
}

/**
 * A prepared expression. Returns the value, or a promise of it when the syntax is asynchronous; a synchronous answer
 * costs the engine no promise.
 */
export type CompiledExpression = (scope: ExpressionScope) => unknown;
