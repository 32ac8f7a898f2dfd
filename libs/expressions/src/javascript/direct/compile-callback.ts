import type { ArrowFunctionExpression, Expression, SpreadElement } from 'acorn';
import { bailOut } from './bail-out.js';
import type { ExpressionCompiler } from './compile-expression.js';
import { compilePattern } from './compile-pattern.js';
import { intrinsics } from './intrinsics.js';
import type { Run } from './run.js';

/** A function that a method of lists calls. Functions are no values here: they cannot be stored, returned or called. */
export type Callback = (run: Run, first: unknown, second?: unknown, third?: unknown) => unknown;

/** What one call costs besides its data, by the length of its text: a script may call it for each of many elements. */
const CHARACTERS_PER_UNIT = 10;

/** The functions of the language that are passed by their names: `.filter(Boolean)`. */
const named: ReadonlySet<string> = new Set(['Boolean', 'Number', 'String']);

/** @param maxParameters the list itself, which comes last, is not among them: it could be changed through it */
export function compileCallback(
  node: Expression | SpreadElement,
  maxParameters: number,
  compiler: ExpressionCompiler,
): Callback {
  if (node.type === 'Identifier') return compileNamed(node.name, compiler);
  if (node.type !== 'ArrowFunctionExpression' || node.async || node.params.length > maxParameters) return bailOut();
  return compileArrow(node, compiler);
}

function compileNamed(name: string, { environment }: ExpressionCompiler): Callback {
  const intrinsic = intrinsics.get(name);
  if (!named.has(name) || !intrinsic || !environment.isFree(name)) return bailOut();
  environment.calledNames.add(name);
  return (run, value) => {
    run.spend(1);
    return intrinsic([value], run);
  };
}

function compileArrow(node: ArrowFunctionExpression, compiler: ExpressionCompiler): Callback {
  const { environment } = compiler;
  const cost = 1 + Math.ceil((node.end - node.start) / CHARACTERS_PER_UNIT);
  return environment.inBlock(() => {
    const [first, second, third] = node.params.map((p) => compilePattern(p, environment));
    const body =
      node.body.type === 'BlockStatement' ? compiler.compileBody(node.body, compiler) : compiler.compile(node.body);
    return (run, a, b, c) => {
      run.spend(cost);
      first?.(a, run);
      second?.(b, run);
      third?.(c, run);
      return body(run);
    };
  });
}
