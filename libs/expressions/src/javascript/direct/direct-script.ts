import type { Statement } from 'acorn';
import type { ExpressionScope } from '@waymark/core';
import type { JavaScriptGlobal, ScriptFunctions } from '../globals/javascript-global.js';
import { findMentionedNames } from '../script/mentioned-names.js';
import { type Evaluator, ExpressionCompiler } from './compile-expression.js';
import { compileBody, StatementCompiler } from './compile-statement.js';
import { DirectEnvironment } from './direct-environment.js';
import { parseScript } from './parse-script.js';
import { Run } from './run.js';

/** Answer of {@link DirectScript.evaluate}: the sandbox has to evaluate the script. */
export const LEFT_TO_SANDBOX = Symbol('left to the sandbox');

/** A script that was left to the sandbox so often in a row is tried seldom: the attempt was for nothing each time. */
const MAX_FAILURES = 20;
const TRIED_AGAIN_EVERY = 100;

/**
 * A script that only reads and computes: constants, conditions, and an expression of plain data. It is evaluated here, at
 * a hundredth of what a call into the sandbox costs, with the very result of the sandbox. Whatever else a script may do,
 * now or when it meets a value that is not plain data, is left to the sandbox, which evaluates the script from its start;
 * that is safe since nothing here changes anything.
 *
 * 1. A script becomes closures over a list of known syntax, never code: there is nothing to break out of.
 * 2. No member of a prototype is read, nothing is assigned, and no function is called that is not listed. Functions of
 *    scripts are no values: they stand where a method of lists calls them, and nowhere else.
 * 3. Nothing loops but over the elements of a list; {@link Run} bounds the data, and what is done with it.
 */
export class DirectScript {
  private failures = 0;

  private constructor(
    private readonly run: Evaluator,
    private readonly calledNames: readonly string[],
    private readonly hasLocals: boolean,
  ) {}

  /** `undefined` when the sandbox has to evaluate the script. */
  static compile(
    source: string,
    globals: ReadonlyMap<string, JavaScriptGlobal>,
    now?: () => number,
  ): DirectScript | undefined {
    const program = parseScript(source);
    if (!program) return undefined;
    try {
      const environment = new DirectEnvironment(globals, findMentionedNames(source), now);
      const compiler = new StatementCompiler(source, new ExpressionCompiler(environment, compileBody));
      const run = compiler.compileScript(program.body as Statement[]);
      return new DirectScript(run, [...environment.calledNames], environment.hasSlots);
    } catch {
      return undefined;
    }
  }

  /** The value, or {@link LEFT_TO_SANDBOX}. Never throws. */
  evaluate(scope: ExpressionScope, functions: ScriptFunctions | undefined): unknown {
    if (this.failures >= MAX_FAILURES && ++this.failures % TRIED_AGAIN_EVERY !== 0) return LEFT_TO_SANDBOX;
    if (functions && this.calledNames.some((name) => Object.hasOwn(functions, name))) return LEFT_TO_SANDBOX;
    try {
      const value = this.run(new Run(scope, this.hasLocals));
      this.failures = 0;
      return value ?? null;
    } catch {
      // Errors of the host as well: in the sandbox they come with a line, and a script may even catch them.
      this.failures++;
      return LEFT_TO_SANDBOX;
    }
  }
}
