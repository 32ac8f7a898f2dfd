import type { BlockStatement, Expression, IfStatement, Statement, VariableDeclaration } from 'acorn';
import type { ExpressionScope } from '@waymark/core';
import type { JavaScriptGlobal, ScriptFunctions } from '../globals/javascript-global.js';
import { findMentionedNames } from '../script/mentioned-names.js';
import { bailOut } from './bail-out.js';
import { type Evaluator, ExpressionCompiler } from './compile-expression.js';
import { DirectEnvironment } from './direct-environment.js';
import { parseScript } from './parse-script.js';
import { Run } from './run.js';

/** Answer of {@link DirectScript.evaluate}: the sandbox has to evaluate the script. */
export const LEFT_TO_SANDBOX = Symbol('left to the sandbox');

/** A statement: answers {@link CONTINUE}, or the value that the script returns. */
const CONTINUE = Symbol('continue');

/** A script that was left to the sandbox so often in a row is tried seldom: the attempt was for nothing each time. */
const MAX_FAILURES = 20;
const TRIED_AGAIN_EVERY = 100;

/**
 * A script that only reads and computes: constants, conditions, and an expression of plain data. It is evaluated here, at
 * a hundredth of what a call into the sandbox costs, with the very result of the sandbox. Whatever else a script may do,
 * now or when it meets a value that is no plain data, is left to the sandbox, which evaluates the script from its start;
 * that is safe since nothing here changes anything.
 *
 * 1. A script becomes closures over a list of known syntax, never code: there is nothing to break out of.
 * 2. No member of a prototype is read, nothing is assigned, and no function is called that is not listed.
 * 3. Nothing loops; {@link Run} bounds the data.
 */
export class DirectScript {
  private failures = 0;

  private constructor(
    private readonly run: Evaluator,
    private readonly calledNames: readonly string[],
  ) {}

  /** `undefined` when the sandbox has to evaluate the script. */
  static compile(source: string, globals: ReadonlyMap<string, JavaScriptGlobal>): DirectScript | undefined {
    const program = parseScript(source);
    if (!program) return undefined;
    try {
      const environment = new DirectEnvironment(globals, findMentionedNames(source));
      const compiler = new StatementCompiler(source, new ExpressionCompiler(environment));
      const run = compiler.compileScript(program.body as Statement[]);
      return new DirectScript(run, [...environment.calledNames]);
    } catch {
      return undefined;
    }
  }

  /** The value, or {@link LEFT_TO_SANDBOX}. Never throws. */
  evaluate(scope: ExpressionScope, functions: ScriptFunctions | undefined): unknown {
    if (this.failures >= MAX_FAILURES && ++this.failures % TRIED_AGAIN_EVERY !== 0) return LEFT_TO_SANDBOX;
    if (functions && this.calledNames.some((name) => Object.hasOwn(functions, name))) return LEFT_TO_SANDBOX;
    try {
      const value = this.run(new Run(scope));
      this.failures = 0;
      return value ?? null;
    } catch {
      // Errors of the host as well: in the sandbox they come with a line, and a script may even catch them.
      this.failures++;
      return LEFT_TO_SANDBOX;
    }
  }
}

class StatementCompiler {
  constructor(
    private readonly source: string,
    private readonly expressions: ExpressionCompiler,
  ) {}

  compileScript(body: readonly Statement[]): Evaluator {
    const statements = body.filter(({ type }) => type !== 'EmptyStatement');
    const last = statements.at(-1) ?? bailOut();
    const steps = statements.slice(0, -1).map((s) => this.compileStatement(s));
    const end = this.compileLast(last, statements.at(-2));
    if (steps.length === 0) return end;
    return inOrder([...steps, end]);
  }

  private compileLast(last: Statement, before: Statement | undefined): Evaluator {
    if (last.type === 'ExpressionStatement') {
      // Without a semicolon before it, the sandbox finds out in another way where the last expression begins.
      if (before && this.source[before.end - 1] !== ';' && !/[\w"'{!~]/.test(this.source[last.start]!)) bailOut();
      return this.expressions.compileResult(last.expression);
    }
    if (last.type === 'ReturnStatement') return this.compileReturn(last.argument);
    if (last.type !== 'IfStatement') return bailOut();
    const end = this.compileIf(last);
    return (run) => {
      const value = end(run);
      return value === CONTINUE ? undefined : value;
    };
  }

  private compileStatement(node: Statement): Evaluator {
    switch (node.type) {
      case 'VariableDeclaration':
        return this.compileDeclaration(node);
      case 'ReturnStatement':
        return this.compileReturn(node.argument);
      case 'IfStatement':
        return this.compileIf(node);
      case 'BlockStatement':
        return this.compileBlock(node);
      default:
        return bailOut();
    }
  }

  private compileReturn(argument: Expression | null | undefined): Evaluator {
    return argument ? this.expressions.compileResult(argument) : () => undefined;
  }

  private compileIf({ test, consequent, alternate }: IfStatement): Evaluator {
    const condition = this.expressions.compile(test);
    const then = this.compileStatement(consequent);
    const otherwise = alternate ? this.compileStatement(alternate) : () => CONTINUE;
    return (run) => (condition(run) ? then(run) : otherwise(run));
  }

  private compileBlock({ body }: BlockStatement): Evaluator {
    return this.expressions.environment.inBlock(() => inOrder(body.map((s) => this.compileStatement(s))));
  }

  private compileDeclaration({ kind, declarations }: VariableDeclaration): Evaluator {
    if (kind !== 'const' && kind !== 'let') return bailOut();
    return inOrder(
      declarations.map(({ id, init }) => {
        if (id.type !== 'Identifier' || !init) return bailOut();
        const value = this.expressions.compile(init);
        // Declared after its value: what mentions it there, or before, is left to the sandbox.
        const slot = this.expressions.environment.declare(id.name) ?? bailOut();
        return (run) => {
          run.locals[slot] = value(run);
          return CONTINUE;
        };
      }),
    );
  }
}

function inOrder(steps: readonly Evaluator[]): Evaluator {
  return (run) => {
    for (const step of steps) {
      const value = step(run);
      if (value !== CONTINUE) return value;
    }
    return CONTINUE;
  };
}
