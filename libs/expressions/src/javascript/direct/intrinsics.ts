import { findLastText, findText, replaceAllTexts, replaceFirstText, splitText } from '../../budget/find-text.js';
import { bailOut } from './bail-out.js';
import { listOf } from './list-of.js';
import { primitive, toNumber } from './operators.js';
import { copyOut } from './plain-data.js';
import type { Run } from './run.js';
import { isPlainObject } from '../transfer/plain-object.js';

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

function ofObject(of: (name: string, value: unknown) => unknown): Intrinsic {
  return ([object, ...others], run) => {
    if (others.length > 0 || typeof object !== 'object' || object === null) return bailOut();
    if (Array.isArray(object) || !isPlainObject(object)) return bailOut();
    return Object.keys(object).map((name) => {
      run.spend(name.length + 1);
      return of(name, object[name]);
    });
  };
}

/** Of the copy that would leave the script, so that nothing is called that is not data. */
function stringify(args: readonly unknown[], run: Run): string | undefined {
  const [value, replacer, space] = args;
  if (args.length > 3 || (replacer !== undefined && replacer !== null)) return bailOut();
  if (space !== undefined && !(typeof space === 'number' && space <= 10)) return bailOut();
  // Dates ask for a method, and big numbers of blanks for room.
  const text = JSON.stringify(copyOut(value, run), null, space) as string | undefined;
  if (text !== undefined) run.spend(text.length);
  return text;
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
  ['Object.keys', ofObject((name) => name)],
  ['Object.values', ofObject((_, value) => value)],
  ['Object.entries', ofObject((name, value) => [name, value])],
  ['JSON.stringify', stringify],
]);

/** Texts only: engines know other versions of Unicode. */
const isAscii = /^[\0-\x7f]*$/; // oxlint-disable-line no-control-regex -- the whole range is meant

/** Methods that look at no more of a text than they answer. */
function ofText(maxArguments: number, of: (receiver: string, args: readonly unknown[]) => unknown): Method {
  return (receiver, args, run) => {
    if (args.length > maxArguments) return bailOut();
    run.spend(1);
    const result = of(text(receiver), args);
    if (typeof result === 'string') run.spend(result.length);
    return result;
  };
}

/** Methods that look at all of a text, and of their first argument: paid before they run, and whatever they answer. */
function throughText(maxArguments: number, of: (receiver: string, args: readonly unknown[]) => unknown): Method {
  const method = ofText(maxArguments, of);
  return (receiver, args, run) => {
    const [part] = args;
    run.spend((text(receiver).length + (typeof part === 'string' ? part.length : 0)) >> 4);
    return method(receiver, args, run);
  };
}

/** Methods that compare the beginning or the end of a text. */
function throughPart(of: (receiver: string, part: string) => boolean): Method {
  return (receiver, args, run) => {
    if (args.length !== 1) return bailOut();
    const part = text(args[0]);
    run.spend(1 + (part.length >> 6));
    return of(text(receiver), part);
  };
}

function ofAscii(of: (receiver: string) => string): Method {
  return throughText(0, (s) => (isAscii.test(s) ? of(s) : bailOut()));
}

/** `includes` and `indexOf` of texts and of lists; objects in a list are never the one that is looked for. */
function search(inText: (s: string, part: string) => unknown, inList: (l: unknown[], v: unknown) => unknown): Method {
  return (receiver, args, run) => {
    if (args.length !== 1) return bailOut();
    const [value] = args;
    // It may be looked for once for each element of another list, and be nearly equal to each element of this one.
    const length = typeof value === 'string' ? value.length : 0;
    if (Array.isArray(receiver)) {
      run.spend(1 + ((receiver.length * (1 + (length >> 6))) >> 2));
      return inList(receiver, primitive(value));
    }
    run.spend(1 + ((text(receiver).length + length) >> (length > 16 ? 4 : 6)));
    return inText(text(receiver), text(value));
  };
}

const join: Method = (receiver, args, run) => {
  if (!Array.isArray(receiver) || args.length > 1) return bailOut();
  const separator = args[0] === undefined ? ',' : text(args[0]);
  for (const item of receiver) run.spend(separator.length + String(primitive(item)).length);
  return receiver.join(separator);
};

const sliceText = ofText(2, (s, [from, to]) => s.slice(optional(from), optional(to)));

function sliceList(list: readonly unknown[], args: readonly unknown[], run: Run): unknown[] {
  if (args.length > 2) return bailOut();
  const part = listOf(list, run).slice(optional(args[0]), optional(args[1]));
  run.spend(part.length);
  return part;
}

const concat: Method = (receiver, args, run) => {
  if (typeof receiver === 'string') {
    // Paid before it is put together: one long text may stand among the arguments a thousand times.
    for (const arg of [receiver, ...args]) run.spend(text(arg).length);
    return receiver + args.map(text).join('');
  }
  const all = listOf(receiver, run);
  for (const arg of args)
    if (Array.isArray(arg)) for (const item of listOf(arg, run)) all.push(item);
    else all.push(arg);
  run.spend(all.length);
  return all;
};

/** `$` means something in a replacement. */
function replacement(value: unknown): string {
  return text(value).includes('$') ? bailOut() : text(value);
}

/** A text for each place that is replaced may be as long as all of what this may build: it is measured first. */
function replaceAll(s: string, [part, by]: readonly unknown[]): string {
  const put = replacement(by);
  const places = text(part) === '' ? s.length + 1 : s.length / text(part).length;
  return places * put.length > MAX_BUILT ? bailOut() : replaceAllTexts(s, text(part), put);
}

/** Characters; far more than what may be answered. */
const MAX_BUILT = 1_000_000;

function width(value: unknown): number {
  const length = number(value);
  return length <= 10_000 ? length : bailOut();
}

export const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  [
    'includes',
    search(
      (s, part) => findText(s, part) >= 0,
      (l, v) => l.includes(v),
    ),
  ],
  [
    'indexOf',
    search(
      (s, part) => findText(s, part),
      // As the sandbox sees a list from outside: its holes are filled.
      (l, v) => (v === undefined ? l.findIndex((item) => item === undefined) : l.indexOf(v)),
    ),
  ],
  ['join', join],
  ['startsWith', throughPart((s, part) => s.startsWith(part))],
  ['endsWith', throughPart((s, part) => s.endsWith(part))],
  ['charAt', ofText(1, (s, [at]) => s.charAt(number(at)))],
  [
    'slice',
    (receiver, args, run) =>
      Array.isArray(receiver) ? sliceList(receiver, args, run) : sliceText(receiver, args, run),
  ],
  [
    'at',
    (receiver, [at, ...others], run) => {
      const list = typeof receiver === 'string' ? receiver : Array.isArray(receiver) ? receiver : bailOut();
      run.spend(1);
      return others.length > 0 ? bailOut() : (list.at(number(at)) as unknown);
    },
  ],
  ['concat', concat],
  [
    'flat',
    (receiver, args, run) => {
      if (args.length > 0) return bailOut();
      return listOf(receiver, run).flatMap((item) => (Array.isArray(item) ? listOf(item, run) : item));
    },
  ],
  ['reverse', (receiver, args, run) => (args.length > 0 ? bailOut() : listOf(receiver, run).reverse())],
  [
    'split',
    (receiver, args, run) => {
      if (args.length !== 1) return bailOut();
      run.spend(text(receiver).length + text(args[0]).length);
      const parts = splitText(text(receiver), text(args[0]));
      run.spend(parts.length);
      return parts;
    },
  ],
  ['replace', throughText(2, (s, [part, by]) => replaceFirstText(s, text(part), replacement(by)))],
  ['replaceAll', throughText(2, replaceAll)],
  [
    'padStart',
    ofText(2, (s, [length, fill]) => s.padStart(width(length), fill === undefined ? undefined : text(fill))),
  ],
  ['padEnd', ofText(2, (s, [length, fill]) => s.padEnd(width(length), fill === undefined ? undefined : text(fill)))],
  ['lastIndexOf', throughText(1, (s, [part]) => findLastText(s, text(part)))],
  [
    'toString',
    (receiver, args) =>
      args.length > 0 || receiver === null || receiver === undefined ? bailOut() : String(primitive(receiver)),
  ],
  [
    'toFixed',
    (receiver, [digits, ...others]) => {
      const places = digits === undefined ? 0 : number(digits);
      const value = number(receiver);
      // Where every engine has all digits.
      if (others.length > 0 || !Number.isInteger(places) || places < 0 || places > 20 || !(Math.abs(value) < 1e15))
        return bailOut();
      return value.toFixed(places);
    },
  ],
  ['substring', ofText(2, (s, [from, to]) => s.substring(number(from), optional(to)))],
  ['trim', ofAscii((s) => s.trim())],
  ['toLowerCase', ofAscii((s) => s.toLowerCase())],
  ['toUpperCase', ofAscii((s) => s.toUpperCase())],
]);
