import type { CallExpression, Expression, MemberExpression } from 'acorn';
import { callAccessor } from '../accessors.js';
import type { JavaScriptGlobal } from '../globals/javascript-global.js';
import { bailOut } from './bail-out.js';
import type { Evaluator, ExpressionCompiler } from './compile-expression.js';
import { compileList } from './compile-spread.js';
import { dateMethods } from './date-methods.js';
import type { DirectEnvironment } from './direct-environment.js';
import { intrinsics, methods } from './intrinsics.js';
import { compileListMethod, isFresh } from './list-methods.js';
import { admit, copyOut } from './plain-data.js';
import type { Run } from './run.js';
import { SKIPPED } from './skipped.js';

/** Calls of functions that only read: `getX()`, `getVariable("x")`, and a few of the language. */
export function compileCall(node: CallExpression, compiler: ExpressionCompiler): Evaluator {
  const { callee, optional } = node;
  if (optional) return bailOut();
  if (callee.type === 'Identifier') {
    const args = node.arguments.map((a) => (a.type === 'SpreadElement' ? bailOut() : compiler.compile(a)));
    const [first] = node.arguments;
    const text =
      args.length === 1 && first!.type === 'Literal' && typeof first!.value === 'string' ? first!.value : undefined;
    return compileFunction(callee.name, args, compiler, text);
  }
  if (callee.type !== 'MemberExpression') return bailOut();
  return compileStatic(callee, node, compiler) ?? compileMethod(callee, node, compiler);
}

/** @param text the only argument, where it is written out: it needs no evaluation */
function compileFunction(
  name: string,
  args: readonly Evaluator[],
  compiler: ExpressionCompiler,
  text: string | undefined,
): Evaluator {
  const { environment } = compiler;
  environment.calledNames.add(name);
  const global = environment.pureGlobal(name);
  if (global) return compileGlobal(global, args, environment, text);
  const intrinsic = intrinsics.get(name);
  if (intrinsic && environment.isFree(name))
    return (run) =>
      intrinsic(
        args.map((arg) => arg(run)),
        run,
      );
  if (!name.startsWith('get') || args.length > 0 || !environment.isAccessor(name)) return bailOut();
  return (run) => {
    run.callHost();
    const value = callAccessor(run.scope, name, []);
    environment.refuseTyped(value, name, run.scope, true);
    return admit(value, run);
  };
}

function compileGlobal(
  global: JavaScriptGlobal,
  args: readonly Evaluator[],
  environment: DirectEnvironment,
  text: string | undefined,
): Evaluator {
  // Its result is a value of .NET then.
  if (global.name === 'parseGuid' && environment.hasTextType('Guid')) return bailOut();
  const [first, ...others] = args;
  if (!first)
    return (run) => {
      run.callHost();
      return admit(global.invoke(run.scope), run);
    };
  const isVariable = global.name === 'getVariable' && environment.hasTextTypes;
  if (text !== undefined)
    return (run) => {
      run.callHost();
      const value = global.invoke(run.scope, text);
      if (isVariable) environment.refuseTyped(value, text, run.scope);
      return admit(value, run);
    };
  return (run) => {
    const argument = copyOut(first(run), run);
    run.callHost();
    // Nearly always one: no list of them is made.
    const value =
      others.length === 0
        ? global.invoke(run.scope, argument)
        : global.invoke(run.scope, argument, ...others.map((arg) => copyOut(arg(run), run)));
    if (isVariable) environment.refuseTyped(value, String(argument), run.scope);
    return admit(value, run);
  };
}

/** `Math.round(x)`, `Date.now()`. */
function compileStatic(
  { object, property, computed, optional }: MemberExpression,
  node: CallExpression,
  compiler: ExpressionCompiler,
): Evaluator | undefined {
  if (object.type !== 'Identifier' || property.type !== 'Identifier' || computed || optional) return undefined;
  const { environment } = compiler;
  if (!environment.isFree(object.name)) return undefined;
  const name = `${object.name}.${property.name}`;
  const intrinsic = intrinsics.get(name);
  if (!intrinsic && name !== 'Date.now') return undefined;
  environment.calledNames.add(object.name);
  if (!intrinsic) return node.arguments.length === 0 && environment.now ? environment.now : bailOut();
  const args = compileArguments(node, compiler);
  return (run) => intrinsic(args(run), run);
}

/** `text.includes("a")`, `list.map((x) => x.id)`: methods of texts, numbers, lists and dates. */
function compileMethod(
  { object, property, computed, optional }: MemberExpression,
  node: CallExpression,
  compiler: ExpressionCompiler,
): Evaluator {
  if (object.type === 'Super' || property.type !== 'Identifier' || computed) return bailOut();
  const receiver = compiler.compile(object);
  const { name } = property;
  const ofList = compileListMethod(name, node, object, compiler);
  const call = ofList ?? compilePlainMethod(name, node, object, compiler);
  return (run) => {
    const target = receiver(run);
    if (target === SKIPPED || (optional && (target === null || target === undefined))) return SKIPPED;
    return call(target, run);
  };
}

function compilePlainMethod(
  name: string,
  node: CallExpression,
  receiver: Expression,
  compiler: ExpressionCompiler,
): (target: unknown, run: Run) => unknown {
  const method = methods.get(name) ?? dateMethods.get(name) ?? bailOut();
  // What changes a list in its place may change nothing that is seen elsewhere.
  if (name === 'reverse' && !isFresh(receiver)) return bailOut();
  const args = compileArguments(node, compiler);
  return (target, run) => method(target, args(run), run);
}

/** More arguments than this fill the stack of the sandbox. */
const MAX_ARGUMENTS = 1000;

function compileArguments(node: CallExpression, compiler: ExpressionCompiler): (run: Run) => unknown[] {
  const list = compileList(node.arguments, (n) => compiler.compile(n));
  return (run) => {
    const args = list(run);
    return args.length > MAX_ARGUMENTS ? bailOut() : args;
  };
}
