import type { Expression, SpreadElement } from 'acorn';
import { isDate } from 'node:util/types';
import { isPlainObject } from '../transfer/plain-object.js';
import { bailOut } from './bail-out.js';
import type { Evaluator } from './compile-expression.js';
import { listOf } from './list-of.js';
import type { Run } from './run.js';

/** Arguments, or elements of a list, with `...list` among them. */
export function compileList(
  nodes: readonly (Expression | SpreadElement | null)[],
  compile: (node: Expression) => Evaluator,
): (run: Run) => unknown[] {
  const items = nodes.map((node) => {
    if (node === null) return bailOut();
    if (node.type === 'SpreadElement') return { value: compile(node.argument), isSpread: true };
    return { value: compile(node), isSpread: false };
  });
  if (!items.some(({ isSpread }) => isSpread)) return (run) => items.map(({ value }) => value(run));
  return (run) => {
    const all: unknown[] = [];
    for (const { value, isSpread } of items)
      if (isSpread) for (const item of listOf(value(run), run)) all.push(item);
      else all.push(value(run));
    return all;
  };
}

/** `...value` in an object: the own members of plain data; nothing for null. */
export function spreadInto(object: Record<string, unknown>, value: unknown, run: Run): void {
  if (value === null || value === undefined || typeof value === 'boolean' || typeof value === 'number') return;
  if (typeof value !== 'object' || Array.isArray(value) || isDate(value) || !isPlainObject(value)) return bailOut();
  for (const name of Object.keys(value)) {
    if (name === '__proto__') bailOut();
    run.spend(name.length + 1);
    object[name] = value[name];
  }
}
