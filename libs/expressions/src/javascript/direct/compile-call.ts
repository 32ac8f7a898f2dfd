import type { CallExpression, MemberExpression } from 'acorn';
import { callAccessor } from '../accessors.js';
import { bailOut } from './bail-out.js';
import type { Evaluator, ExpressionCompiler } from './compile-expression.js';
import { intrinsics, methods, type Intrinsic } from './intrinsics.js';
import { admit, copyOut } from './plain-data.js';
import type { Run } from './run.js';

/** Calls of functions that only read: `getX()`, `getVariable("x")`, and a few of the language. */
export function compileCall(node: CallExpression, compiler: ExpressionCompiler): Evaluator {
  const { callee, optional } = node;
  if (optional) return bailOut();
  const args = node.arguments.map((a) => (a.type === 'SpreadElement' ? bailOut() : compiler.compile(a)));
  if (callee.type === 'Identifier') return compileFunction(callee.name, args, compiler);
  if (callee.type !== 'MemberExpression') return bailOut();
  return compileStatic(callee, args, compiler) ?? compileMethod(callee, args, compiler);
}

function compileFunction(name: string, args: readonly Evaluator[], compiler: ExpressionCompiler): Evaluator {
  const { environment } = compiler;
  environment.calledNames.add(name);
  const global = environment.pureGlobal(name);
  if (global) {
    const [first] = args;
    if (first && args.length === 1) return (run) => admit(global.invoke(run.scope, copyOut(first(run), run)), run);
    return (run) => admit(global.invoke(run.scope, ...args.map((arg) => copyOut(arg(run), run))), run);
  }
  const intrinsic = intrinsics.get(name);
  if (intrinsic && environment.isFree(name)) return callIntrinsic(intrinsic, args);
  if (!name.startsWith('get') || args.length > 0 || !environment.isAccessor(name)) return bailOut();
  return (run) => admit(callAccessor(run.scope, name, []), run);
}

/** `Math.round(x)`. */
function compileStatic(
  { object, property, computed, optional }: MemberExpression,
  args: readonly Evaluator[],
  { environment }: ExpressionCompiler,
): Evaluator | undefined {
  if (object.type !== 'Identifier' || property.type !== 'Identifier' || computed || optional) return undefined;
  const intrinsic = intrinsics.get(`${object.name}.${property.name}`);
  if (intrinsic) environment.calledNames.add(object.name);
  return intrinsic && environment.isFree(object.name) ? callIntrinsic(intrinsic, args) : undefined;
}

function callIntrinsic(intrinsic: Intrinsic, args: readonly Evaluator[]): Evaluator {
  return (run) => intrinsic(valuesOf(args, run), run);
}

/** `text.includes("a")`: methods of texts and lists. */
function compileMethod(
  { object, property, computed, optional }: MemberExpression,
  args: readonly Evaluator[],
  compiler: ExpressionCompiler,
): Evaluator {
  if (object.type === 'Super' || property.type !== 'Identifier' || computed || optional) return bailOut();
  const method = methods.get(property.name) ?? bailOut();
  const receiver = compiler.compile(object);
  // A receiver that an optional chain skipped is neither a text nor a list.
  return (run) => method(receiver(run), valuesOf(args, run), run);
}

function valuesOf(args: readonly Evaluator[], run: Run): unknown[] {
  return args.map((arg) => arg(run));
}
