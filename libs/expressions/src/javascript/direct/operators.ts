import { isDate } from 'node:util/types';
import { bailOut } from './bail-out.js';
import type { Run } from './run.js';

type Primitive = string | number | boolean | null | undefined;
export type BinaryOperation = (left: unknown, right: unknown, run: Run) => unknown;

/** Longest text that is converted to a number; longer ones cost more, and are not meant as numbers. */
const MAX_NUMERAL = 50;

export function primitive(value: unknown): Primitive {
  return typeof value === 'object' ? (value === null ? null : bailOut()) : (value as Primitive);
}

export function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && value.length > MAX_NUMERAL) return bailOut();
  return Number(primitive(value));
}

/** Identity of objects is not kept: each read of a variable is another copy in the sandbox. */
function isSame(left: unknown, right: unknown, run: Run): boolean {
  if (typeof left === 'object' && left !== null && typeof right === 'object' && right !== null) return bailOut();
  spendOnTexts(left, right, run);
  return left === right;
}

/** Long texts may differ in their last character only, and be compared once for each element of a list. */
function spendOnTexts(left: unknown, right: unknown, run: Run): void {
  if (typeof left === 'string' && typeof right === 'string' && left.length > 64) run.spend(left.length >> 6);
}

function isEqual(left: unknown, right: unknown, run: Run): boolean {
  if (left === null || left === undefined) return right === null || right === undefined;
  if (right === null || right === undefined) return false;
  if (typeof left === 'object' || typeof right === 'object') return bailOut();
  spendOnTexts(left, right, run);
  if (typeof left === typeof right) return left === right;
  return toNumber(left) === toNumber(right);
}

function add(left: unknown, right: unknown, run: Run): unknown {
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  const a = primitive(left);
  const b = primitive(right);
  if (typeof a !== 'string' && typeof b !== 'string') return Number(a) + Number(b);
  const text = String(a) + String(b);
  run.spend(text.length);
  return text;
}

function compare(of: (a: string | number, b: string | number) => boolean): BinaryOperation {
  return (left, right, run) => {
    spendOnTexts(left, right, run);
    return typeof left === 'string' && typeof right === 'string'
      ? of(left, right)
      : of(toNumber(timeOf(left)), toNumber(timeOf(right)));
  };
}

/** Dates compare and subtract as their time. */
function timeOf(value: unknown): unknown {
  return isDate(value) ? Date.prototype.getTime.call(value) : value;
}

function arithmetic(of: (a: number, b: number) => number): BinaryOperation {
  return (left, right) => of(toNumber(left), toNumber(right));
}

/** Without `**`: engines differ in its last digit. */
export const binaryOperations: ReadonlyMap<string, BinaryOperation> = new Map<string, BinaryOperation>([
  ['===', isSame],
  ['!==', (a, b, run) => !isSame(a, b, run)],
  ['==', isEqual],
  ['!=', (a, b, run) => !isEqual(a, b, run)],
  ['+', add],
  ['-', (a, b) => toNumber(timeOf(a)) - toNumber(timeOf(b))],
  ['*', arithmetic((a, b) => a * b)],
  ['/', arithmetic((a, b) => a / b)],
  ['%', arithmetic((a, b) => a % b)],
  ['&', arithmetic((a, b) => a & b)],
  ['|', arithmetic((a, b) => a | b)],
  ['^', arithmetic((a, b) => a ^ b)],
  ['<<', arithmetic((a, b) => a << b)],
  ['>>', arithmetic((a, b) => a >> b)],
  ['>>>', arithmetic((a, b) => a >>> b)],
  ['<', compare((a, b) => a < b)],
  ['>', compare((a, b) => a > b)],
  ['<=', compare((a, b) => a <= b)],
  ['>=', compare((a, b) => a >= b)],
]);

/** Objects are not callable here, so `typeof` never says `function`. */
export const unaryOperations: ReadonlyMap<string, (value: unknown) => unknown> = new Map<
  string,
  (value: unknown) => unknown
>([
  ['!', (v) => !v],
  ['-', (v) => -toNumber(v)],
  ['+', toNumber],
  ['~', (v) => ~toNumber(v)],
  ['typeof', (v) => typeof v],
  ['void', () => undefined],
]);
