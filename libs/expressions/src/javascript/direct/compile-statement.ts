import type { BlockStatement, Expression, IfStatement, Statement, VariableDeclaration } from 'acorn';
import { bailOut } from './bail-out.js';
import type { Evaluator, ExpressionCompiler } from './compile-expression.js';
import { compilePattern } from './compile-pattern.js';

/** A statement: answers this, or the value that the script returns. */
const CONTINUE = Symbol('continue');

/** The statements of a function within an expression. */
export function compileBody(body: BlockStatement, expressions: ExpressionCompiler): Evaluator {
  return new StatementCompiler('', expressions, true).compileFunctionBody(body);
}

/** Compiles constants, conditions and `return`. */
export class StatementCompiler {
  constructor(
    private readonly source: string,
    private readonly expressions: ExpressionCompiler,
    private readonly isFunction = false,
  ) {}

  compileScript(body: readonly Statement[]): Evaluator {
    const statements = body.filter(({ type }) => type !== 'EmptyStatement');
    const last = statements.at(-1) ?? bailOut();
    const steps = statements.slice(0, -1).map((s) => this.compileStatement(s));
    const end = this.compileLast(last, statements.at(-2));
    if (steps.length === 0) return end;
    return inOrder([...steps, end]);
  }

  /** The statements of a function: what is returned is not copied, since it continues in the script. */
  compileFunctionBody({ body }: BlockStatement): Evaluator {
    const run = inOrder(body.filter(({ type }) => type !== 'EmptyStatement').map((s) => this.compileStatement(s)));
    return (r) => {
      const value = run(r);
      return value === CONTINUE ? undefined : value;
    };
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
    if (!argument) return () => undefined;
    return this.isFunction ? this.expressions.compile(argument) : this.expressions.compileResult(argument);
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
        if (!init) return bailOut();
        const value = this.expressions.compile(init);
        // Declared after its value: what mentions it there, or before, is left to the sandbox.
        const bind = compilePattern(id, this.expressions.environment);
        return (run) => {
          bind(value(run), run);
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
