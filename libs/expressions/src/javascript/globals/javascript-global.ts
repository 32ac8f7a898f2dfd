import type { ExpressionScope } from '@waymark/core';

/**
 * A function that scripts can call by name. It runs in the host: arguments arrive as plain data (Date, bigint and
 * Uint8Array included), and so goes the result; a promise becomes a promise of the script. An error that it throws
 * reaches the script as its name and message only.
 */
export interface JavaScriptGlobal {
  /** A JavaScript identifier. */
  readonly name: string;
  /**
   * The function only reads, and may be called once more than a script says: expressions that do nothing else than read
   * and compute can then be evaluated without the sandbox, many times as fast. Its arguments and results are the same.
   * @default false
   */
  readonly isPure?: boolean;
  /** Called for each call of a script, with its arguments. */
  invoke(scope: ExpressionScope, ...args: unknown[]): unknown;
}

/** Functions for the scripts of one evaluation, e.g. `setOutcome` of RunJavaScript. */
// oxlint-disable-next-line typescript/no-explicit-any -- what a script passes is the script's choice
export type ScriptFunctions = Readonly<Record<string, (...args: any[]) => unknown>>;
