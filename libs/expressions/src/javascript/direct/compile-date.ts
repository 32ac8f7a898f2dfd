import { isDate } from 'node:util/types';
import type { NewExpression } from 'acorn';
import { bailOut } from './bail-out.js';
import type { Evaluator, ExpressionCompiler } from './compile-expression.js';

/** Texts that every engine reads in the same way: with the zone UTC, or a date alone, which is in UTC. */
const iso = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z)?$/;

/** `new Date()`, `new Date(ms)` and `new Date("2026-01-31")`. */
export function compileNewDate({ callee, arguments: args }: NewExpression, compiler: ExpressionCompiler): Evaluator {
  const { environment } = compiler;
  if (callee.type !== 'Identifier' || callee.name !== 'Date' || !environment.isFree('Date')) return bailOut();
  environment.calledNames.add('Date');
  const [argument] = args;
  if (!argument) {
    const now = environment.now ?? bailOut();
    return () => new Date(now());
  }
  if (args.length > 1 || argument.type === 'SpreadElement') return bailOut();
  const value = compiler.compile(argument);
  return (run) => toDate(value(run));
}

function toDate(value: unknown): Date {
  const ms = typeof value === 'number' ? value : isDate(value) ? Date.prototype.getTime.call(value) : parse(value);
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? bailOut() : date;
}

function parse(value: unknown): number {
  return typeof value === 'string' && iso.test(value) ? Date.parse(value) : bailOut();
}
