import { bailOut } from './bail-out.js';
import { primitive, toNumber } from './operators.js';
import type { Run } from './run.js';

export type Intrinsic = (args: readonly unknown[], run: Run) => unknown;
export type Method = (receiver: unknown, args: readonly unknown[], run: Run) => unknown;

const number = (value: unknown): number => (typeof value === 'number' ? value : bailOut());
const text = (value: unknown): string => (typeof value === 'string' ? value : bailOut());
const optional = (value: unknown): number | undefined => (value === undefined ? undefined : number(value));

function one(of: (value: unknown) => unknown): Intrinsic {
  return (args) => (args.length === 1 ? of(args[0]) : bailOut());
}

function ofNumbers(of: (...numbers: number[]) => number): Intrinsic {
  return (args) => of(...args.map(number));
}

/** Functions of the language whose results are the same in every engine. `Math.pow` and its like are not. */
export const intrinsics: ReadonlyMap<string, Intrinsic> = new Map<string, Intrinsic>([
  ['Number', one(toNumber)],
  ['String', one((v) => String(primitive(v)))],
  ['Boolean', one(Boolean)],
  ['isNaN', one((v) => Number.isNaN(toNumber(v)))],
  ['isFinite', one((v) => Number.isFinite(toNumber(v)))],
  ['Number.isInteger', one(Number.isInteger)],
  ['Number.isFinite', one(Number.isFinite)],
  ['Number.isNaN', one(Number.isNaN)],
  ['Array.isArray', one(Array.isArray)],
  ['Math.abs', one((v) => Math.abs(number(v)))],
  ['Math.ceil', one((v) => Math.ceil(number(v)))],
  ['Math.floor', one((v) => Math.floor(number(v)))],
  ['Math.round', one((v) => Math.round(number(v)))],
  ['Math.trunc', one((v) => Math.trunc(number(v)))],
  ['Math.sign', one((v) => Math.sign(number(v)))],
  ['Math.max', ofNumbers(Math.max)],
  ['Math.min', ofNumbers(Math.min)],
]);

/** Texts only: engines know other versions of Unicode. */
const isAscii = /^[\0-\x7f]*$/; // oxlint-disable-line no-control-regex -- the whole range is meant

function ofText(maxArguments: number, of: (receiver: string, args: readonly unknown[]) => unknown): Method {
  return (receiver, args, run) => {
    if (args.length > maxArguments) return bailOut();
    const result = of(text(receiver), args);
    if (typeof result === 'string') run.spend(result.length);
    return result;
  };
}

function ofAscii(of: (receiver: string) => string): Method {
  return ofText(0, (s) => (isAscii.test(s) ? of(s) : bailOut()));
}

/** `includes` and `indexOf` of texts and of lists; objects in a list are never the one that is looked for. */
function search(inText: (s: string, part: string) => unknown, inList: (l: unknown[], v: unknown) => unknown): Method {
  return (receiver, args) => {
    if (args.length !== 1) return bailOut();
    return Array.isArray(receiver) ? inList(receiver, primitive(args[0])) : inText(text(receiver), text(args[0]));
  };
}

const join: Method = (receiver, args, run) => {
  if (!Array.isArray(receiver) || args.length > 1) return bailOut();
  const separator = args[0] === undefined ? ',' : text(args[0]);
  for (const item of receiver) run.spend(separator.length + String(primitive(item)).length);
  return receiver.join(separator);
};

export const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  [
    'includes',
    search(
      (s, part) => s.includes(part),
      (l, v) => l.includes(v),
    ),
  ],
  [
    'indexOf',
    search(
      (s, part) => s.indexOf(part),
      // As the sandbox sees a list from outside: its holes are filled.
      (l, v) => (v === undefined ? l.findIndex((item) => item === undefined) : l.indexOf(v)),
    ),
  ],
  ['join', join],
  ['startsWith', ofText(1, (s, [part]) => s.startsWith(text(part)))],
  ['endsWith', ofText(1, (s, [part]) => s.endsWith(text(part)))],
  ['charAt', ofText(1, (s, [at]) => s.charAt(number(at)))],
  ['slice', ofText(2, (s, [from, to]) => s.slice(optional(from), optional(to)))],
  ['substring', ofText(2, (s, [from, to]) => s.substring(number(from), optional(to)))],
  ['trim', ofAscii((s) => s.trim())],
  ['toLowerCase', ofAscii((s) => s.toLowerCase())],
  ['toUpperCase', ofAscii((s) => s.toUpperCase())],
]);
