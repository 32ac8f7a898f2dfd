import type { CallExpression, Expression, SpreadElement } from 'acorn';
import { bailOut } from './bail-out.js';
import { type Callback, compileCallback } from './compile-callback.js';
import type { ExpressionCompiler } from './compile-expression.js';
import { listOf } from './list-of.js';
import { readMember } from './members.js';
import type { Run } from './run.js';

type ListMethod = (list: readonly unknown[], call: Callback, run: Run) => unknown;

const methods: ReadonlyMap<string, ListMethod> = new Map<string, ListMethod>([
  ['map', (list, call, run) => list.map((item, i) => call(run, item, i))],
  ['filter', (list, call, run) => list.filter((item, i) => call(run, item, i))],
  ['find', (list, call, run) => list.find((item, i) => call(run, item, i))],
  ['findIndex', (list, call, run) => list.findIndex((item, i) => call(run, item, i))],
  ['findLast', (list, call, run) => list.findLast((item, i) => call(run, item, i))],
  ['findLastIndex', (list, call, run) => list.findLastIndex((item, i) => call(run, item, i))],
  ['some', (list, call, run) => list.some((item, i) => call(run, item, i))],
  ['every', (list, call, run) => list.every((item, i) => call(run, item, i))],
  ['flatMap', (list, call, run) => list.flatMap((item, i) => flattened(call(run, item, i), run))],
]);

function flattened(value: unknown, run: Run): unknown {
  return Array.isArray(value) ? listOf(value, run) : value;
}

/** Methods of lists that take a function; `undefined` for other methods. */
export function compileListMethod(
  name: string,
  node: CallExpression,
  receiver: Expression,
  compiler: ExpressionCompiler,
): ((target: unknown, run: Run) => unknown) | undefined {
  const args = node.arguments;
  if (name === 'reduce') return compileReduce(args, compiler);
  if (name === 'sort' || name === 'toSorted')
    return compileSort(args, name === 'toSorted' || isFresh(receiver), compiler);
  const method = methods.get(name);
  if (!method) return undefined;
  if (args.length !== 1) return bailOut();
  const call = compileCallback(args[0]!, 2, compiler);
  return (target, run) => method(listOf(target, run), call, run);
}

function compileReduce(
  args: CallExpression['arguments'],
  compiler: ExpressionCompiler,
): (target: unknown, run: Run) => unknown {
  const [reducer, seed] = args;
  if (!reducer || args.length > 2 || seed?.type === 'SpreadElement') return bailOut();
  const call = compileCallback(reducer, 3, compiler);
  const initial = seed && compiler.compile(seed);
  return (target, run) => {
    const list = listOf(target, run);
    if (initial) return fold(list, 0, initial(run), call, run);
    // Without elements it is an error.
    return list.length === 0 ? bailOut() : fold(list, 1, list[0], call, run);
  };
}

function fold(list: readonly unknown[], from: number, initial: unknown, call: Callback, run: Run): unknown {
  let result = initial;
  for (let i = from; i < list.length; i++) result = call(run, result, list[i], i);
  return result;
}

/**
 * Sorting by a key: as texts, or `(a, b) => a.key - b.key`. Other comparisons are left to the sandbox: where they contradict
 * themselves, each engine has an order of its own.
 * @param isFree nothing else in the script holds the list, so nothing sees that it is a copy that is sorted
 */
function compileSort(
  args: CallExpression['arguments'],
  isFree: boolean,
  compiler: ExpressionCompiler,
): (target: unknown, run: Run) => unknown {
  if (!isFree || args.length > 1) return bailOut();
  const [comparison] = args;
  if (!comparison) return (target, run) => sortTexts(listOf(target, run), run);
  const { key, isDescending } = keyOf(comparison, compiler);
  return (target, run) => {
    const keyed = listOf(target, run).map((item) => ({ item, key: numberOf(key(run, item)) }));
    keyed.sort(isDescending ? (a, b) => b.key - a.key : (a, b) => a.key - b.key);
    return keyed.map(({ item }) => item);
  };
}

function numberOf(key: unknown): number {
  return typeof key === 'number' && Number.isFinite(key) ? key : bailOut();
}

function sortTexts(list: unknown[], run: Run): unknown[] {
  for (const item of list) {
    if (typeof item !== 'string' && typeof item !== 'number') bailOut();
    run.spend(String(item).length);
  }
  // oxlint-disable-next-line typescript/require-array-sort-compare -- as texts, as the script says
  return list.sort();
}

/** The key of `(a, b) => a.key - b.key`: both sides must be the same but for the parameter. */
function keyOf(
  node: Expression | SpreadElement,
  compiler: ExpressionCompiler,
): { key: Callback; isDescending: boolean } {
  if (node.type !== 'ArrowFunctionExpression' || node.async || node.params.length !== 2) return bailOut();
  const [a, b] = node.params;
  const { body } = node;
  if (a?.type !== 'Identifier' || b?.type !== 'Identifier' || a.name === b.name) return bailOut();
  if (body.type !== 'BinaryExpression' || body.operator !== '-' || body.left.type === 'PrivateIdentifier')
    return bailOut();
  const [left, right] = [pathOf(body.left), pathOf(body.right)];
  const names = left?.names.join('.');
  if (!left || !right || names !== right.names.join('.')) return bailOut();
  const isDescending = left.root === b.name && right.root === a.name;
  if (!isDescending && (left.root !== a.name || right.root !== b.name)) return bailOut();
  // Declared as everywhere, so that names that mean something else are left to the sandbox.
  compiler.environment.inBlock(() => [a, b].map(({ name }) => compiler.environment.declare(name) ?? bailOut()));
  const key: Callback = (run, item) => {
    run.spend(1 + left.names.length);
    return left.names.reduce((value: unknown, name) => readMember(value, name, run), item);
  };
  return { key, isDescending };
}

/** `a.b.c`. */
function pathOf(node: Expression): { readonly root: string; readonly names: readonly string[] } | undefined {
  if (node.type === 'Identifier') return { root: node.name, names: [] };
  if (node.type !== 'MemberExpression' || node.computed || node.optional || node.property.type !== 'Identifier')
    return undefined;
  const object = node.object.type === 'Super' ? undefined : pathOf(node.object);
  return object && { root: object.root, names: [...object.names, node.property.name] };
}

const makesList: ReadonlySet<string> = new Set(
  'map filter flatMap sort toSorted slice concat flat split keys values entries reverse toReversed'.split(' '),
);

/** True when the value of an expression is a list that nothing else in the script can see. */
export function isFresh(node: Expression): boolean {
  if (node.type === 'ParenthesizedExpression') return isFresh(node.expression);
  if (node.type === 'ArrayExpression') return true;
  if (node.type !== 'CallExpression') return isCopy(node);
  const { callee } = node;
  if (
    callee.type === 'MemberExpression' &&
    callee.property.type === 'Identifier' &&
    makesList.has(callee.property.name)
  )
    return true;
  return isCopy(node);
}

/** What a function of the workflow answers is a copy, all of it: `getOrder().lines`. */
function isCopy(node: Expression): boolean {
  if (node.type === 'ParenthesizedExpression' || node.type === 'ChainExpression') return isCopy(node.expression);
  if (node.type === 'MemberExpression') return node.object.type !== 'Super' && isCopy(node.object);
  return node.type === 'CallExpression' && node.callee.type === 'Identifier';
}
