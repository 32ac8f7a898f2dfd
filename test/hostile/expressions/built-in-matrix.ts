import type { HostileInput } from './hostile-input.js';

/** What methods are called on, as the sandbox would have to be given it: long, deep, wide, cyclic, or not what it seems. */
const VALUES = {
  text: '"ab".repeat(2e5)',
  blanks: '" ".repeat(4e5)',
  accents: '"e\\u0301".repeat(2e5)',
  half: '"\\ud800".repeat(4e5)',
  list: 'Array.from({ length: 2e5 }, (_, i) => i)',
  holes: '(() => { const l = []; l.length = 4294967295; l[5] = 1; return l; })()',
  deep: '(() => { let l = []; for (let i = 0; i < 3e4; i++) l = [l]; return l; })()',
  cyclic: '(() => { const l = [1, 2]; l.push(l, { l }); return l; })()',
  wide: 'Object.fromEntries(Array.from({ length: 5e4 }, (_, i) => ["m" + i, i]))',
  getter:
    '({ get length() { return 2 ** 53 - 1; }, get a() { return this; }, toJSON() { return this; }, valueOf() { for (;;); } })',
  proxy:
    'new Proxy([], { get: (t, k) => (k === "length" ? 2 ** 53 - 1 : t[k]), ownKeys: () => Array.from({ length: 1e5 }, (_, i) => "k" + i) })',
  species:
    '(() => { class L extends Array { static get [Symbol.species]() { return function (n) { return new Uint8Array(1e6); }; } } return L.from({ length: 1e5 }, (_, i) => i); })()',
  bytes: 'new Uint8Array(4e6)',
  floats: 'new Float64Array(5e5)',
  map: 'new Map(Array.from({ length: 5e4 }, (_, i) => [i, { i }]))',
  set: 'new Set(Array.from({ length: 1e5 }, (_, i) => i))',
  big: '7n ** 20000n',
  number: '1.7976931348623157e308',
  date: 'new Date(8.64e15)',
  never: 'new Date(NaN)',
  pattern: '/(?:a|b|ab)*c|(a+)+$|\\p{L}{0,99}{0,99}/gu',
  symbol: 'Symbol("s".repeat(1e5))',
  never_ends: '({ *[Symbol.iterator]() { for (;;) yield 1; } })',
  bound: '(function f() { return f; }).bind(null)',
  error: 'Object.assign(new Error("e".repeat(1e5)), { cause: { cause: {} } })',
} as const;

const ARGUMENTS = [
  '',
  'v',
  'v, v',
  '1e9',
  '1e9, v',
  '-1, 1e9',
  '(...all) => all.length',
  '() => v',
  '(a, b) => (a < b ? 1 : -1)',
  '"ab", () => "x".repeat(1e4)',
  '/(a|b|ab)*c/g, "$&$&$`"',
  '/^(?:a?){99}a{99}/g',
  '"NFKD"',
  'undefined, { timeZone: "Europe/Vilnius", numeric: true }',
  'null, 10',
  '"a".repeat(1e5) + "b"',
] as const;

/** Constructors and namespaces whose functions are called, static ones and those of prototypes. */
const OWNERS = (
  'Object Array String Number Boolean BigInt Symbol Math JSON Date RegExp Promise Proxy Reflect Map Set WeakMap WeakSet Error ' +
  'AggregateError ArrayBuffer DataView Uint8Array Uint8ClampedArray Float64Array BigUint64Array Function Iterator Intl Atomics ' +
  'SharedArrayBuffer WeakRef'
).split(' ');

/**
 * Every function that the sandbox has, whichever they are in a later version, on everything with everything. The script finds them by
 * itself: a part of them each time, since one that takes its whole time keeps the others from being tried.
 */
export function* builtInMatrix(): Generator<HostileInput> {
  for (const owner of OWNERS)
    for (const [name, value] of Object.entries(VALUES))
      for (const args of ARGUMENTS)
        for (let part = 0; part < 3; part++)
          yield {
            type: 'JavaScript',
            source:
              `const v = ${value}; const o = globalThis.${owner}; let n = 0, r; /* ${name} */\n` +
              `if (o) for (const [on, names] of [[o, Object.getOwnPropertyNames(o)], [o.prototype, o.prototype ? Object.getOwnPropertyNames(o.prototype) : []]])\n` +
              `  for (const name of names) {\n` +
              `    let f; try { f = on[name]; } catch {}\n` +
              `    if (typeof f !== 'function' || n++ % 3 !== ${part}) continue;\n` +
              `    try { r = f.call(on === o ? on : v, ${args}); } catch {}\n` +
              `    try { r = on === o ? f.call(on, v${args && `, ${args}`}) : r; } catch {}\n` +
              `    try { if (r && typeof r.next === 'function') for (let i = 0; i < 1000 && !r.next().done; i++); } catch {}\n` +
              `  }\n` +
              `typeof r === 'bigint' || typeof r === 'symbol' || typeof r === 'function' ? 0 : r`,
          };
}
