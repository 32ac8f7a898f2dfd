import { beforeAll, describe, expect, it, test } from '@jest/globals';
import { VirtualClock } from '@waymark/testing';
import { JavaScriptEvaluator } from './javascript-evaluator.js';
import { failureOf, testScope } from './test-scope.spec.js';

const clock = new VirtualClock();
const later = (ms: unknown, value: unknown) =>
  new Promise((resolve) => clock.setTimer(() => resolve(value), Number(ms)));

let evaluator: JavaScriptEvaluator;
beforeAll(async () => {
  evaluator = await JavaScriptEvaluator.create({
    timeoutMs: 2000,
    globals: [{ name: 'later', invoke: (_, ms, value) => later(ms, value) }],
  });
});
const run = (source: string): unknown => evaluator.compile(source)(testScope({ variables: { X: 'x' } }));

/** Tries to leave something behind, and how the next script would see it. */
const leaks: readonly [string, string][] = [
  ['globalThis.leak = 1', 'typeof leak'],
  ['this.leak = 1', 'typeof leak'],
  ['leak = 1', 'typeof leak'],
  ['var leak = 1', 'typeof leak'],
  ['let leak = 1', 'typeof leak'],
  ['const leak = 1; leak', 'typeof leak'],
  ['function leak() {}', 'typeof leak'],
  ['class leak {}', 'typeof leak'],
  ['(0, eval)("var leak = 1")', 'typeof leak'],
  ['(0, eval)("let leak = 1")', 'typeof leak'],
  ['eval("var leak = 1")', 'typeof leak'],
  ['Function("leak = 1")()', 'typeof leak'],
  ['[leak] = [1]', 'typeof leak'],
  ['({ leak } = { leak: 1 })', 'typeof leak'],
  ['Object.prototype.leak = 1', 'typeof ({}).leak'],
  ['({}).__proto__.leak = 1', 'typeof ({}).leak'],
  ['({}).constructor.prototype.leak = 1', 'typeof ({}).leak'],
  ['Object.getPrototypeOf([]).leak = 1', 'typeof [].leak'],
  ['Reflect.set(Object.getPrototypeOf({}), "leak", 1)', 'typeof ({}).leak'],
  ['Object.defineProperty(Object.getPrototypeOf({}), "leak", { value: 1 })', 'typeof ({}).leak'],
  ['Object.setPrototypeOf(Object.getPrototypeOf([]), { leak: 1 })', 'typeof [].leak'],
  ['JSON.leak = 1', 'typeof JSON.leak'],
  ['Math.leak = 1', 'typeof Math.leak'],
  ['Math["leak"] = 1', 'typeof Math.leak'],
  ['const M = Math; M.leak = 1', 'typeof Math.leak'],
  ['[].map.leak = 1', 'typeof [].map.leak'],
  ['getVariable.leak = 1', 'typeof getVariable.leak'],
  ['getX.leak = 1', 'typeof getX.leak'],
  ['getX = () => 1', 'getX() === "x" ? "undefined" : "changed"'],
  ['[getX] = [() => 1]', 'getX() === "x" ? "undefined" : "changed"'],
  ['eval("getX = () => 1")', 'getX() === "x" ? "undefined" : "changed"'],
  ['getVariable = () => 1', 'getVariable("X") === "x" ? "undefined" : "changed"'],
  ['Function("getVariable = () => 1")()', 'getVariable("X") === "x" ? "undefined" : "changed"'],
  ['JSON.stringify = () => 1', 'JSON.stringify("a") === \'"a"\' ? "undefined" : "changed"'],
  ['Symbol.iterator.description.leak = 1', 'typeof Symbol.iterator.description.leak'],
  ['(function* () {})().__proto__.__proto__.leak = 1', 'typeof (function* () {})().leak'],
  ['Object.getPrototypeOf(function* () {}).leak = 1', 'typeof (function* () {}).leak'],
  ['Object.getPrototypeOf(async () => {}).leak = 1', 'typeof (async () => {}).leak'],
  ['Object.getPrototypeOf([][Symbol.iterator]()).leak = 1', 'typeof [][Symbol.iterator]().leak'],
  ['Object.getPrototypeOf(new Map().entries()).leak = 1', 'typeof new Map().entries().leak'],
  ['Object.getPrototypeOf(Int8Array).leak = 1', 'typeof Int8Array.leak'],
  [
    'Object.getOwnPropertyDescriptor(Object.getPrototypeOf({}), "toString").get.leak = 1',
    'typeof Object.getOwnPropertyDescriptor(Object.getPrototypeOf({}), "toString").get.leak',
  ],
];

describe('an evaluation leaves nothing behind', () => {
  test.each(leaks)('%s', async (leave, look) => {
    try {
      await run(leave);
    } catch {
      // Refused is as good as without effect.
    }
    expect(run(look)).toBe('undefined');
  });

  it('an evaluation leaves nothing behind for the next one of the same script', () => {
    const count = 'arguments.callee.count = (arguments.callee.count || 0) + 1; arguments.callee.count || 0';
    const tagged = '(s => { s.raw.n = (s.raw.n || 0) + 1; s.n = 1; return s.raw.n || 0 })`a`';
    const regex = '/a/g.exec("aa").index + [..."aa".matchAll(/a/g)].length';
    for (const [source, value] of [
      [count, 0],
      [tagged, 0],
      [regex, 2],
      ['var n = (n || 0) + 1; n', 1],
    ] as const) {
      const script = evaluator.compile(source);
      expect([1, 2, 3].map(() => script(testScope()))).toEqual([value, value, value]);
    }
  });

  it('everything that a script can reach is frozen', () => {
    const walk = `
      const roots = [Function("return " + "this")(), function* () {}, async function () {}, async function* () {}, () => {}, class {},
        (function* () {})(), (async function* () {})(), [], {}, /x/, "", 1, true, 1n, Symbol(), new Error(), new Date(), new Map(), new Set(),
        new Map().keys(), new Set().keys(), [].keys(), ""[Symbol.iterator](), "".matchAll(/x/g), /x/[Symbol.matchAll](""), Promise.resolve(), new Uint8Array(1),
        new DataView(new ArrayBuffer(1)), new WeakMap(), new WeakSet(), Iterator.from({ next() {} }), [].values().map(x => x), [].values().flatMap(x => []),
        (function () { return arguments })(), getX, getVariable];
      const own = new Set([...roots.slice(1, -2), Object.getPrototypeOf(roots[6]), Object.getPrototypeOf(roots[7])]), seen = new Set(), bad = [], queue = roots.map(r => [typeof r === "object" || typeof r === "function" ? r : Object.getPrototypeOf(r), ""]);
      while (queue.length) {
        const [o, path] = queue.pop();
        if ((typeof o !== "object" && typeof o !== "function") || o === null || seen.has(o)) continue;
        seen.add(o);
        const fresh = own.has(o) || path.startsWith("fresh");
        if (!fresh && !Object.isFrozen(o)) bad.push(path);
        queue.push([Object.getPrototypeOf(o), path + ".__proto"]);
        for (const k of Reflect.ownKeys(o)) {
          const d = Object.getOwnPropertyDescriptor(o, k);
          const at = (fresh && k === "proto" + "type" ? "fresh" : path) + "." + String(k);
          queue.push([d.value, at], [d.get, at + ":get"], [d.set, at + ":set"]);
        }
      }
      [seen.size, bad]`;
    const [size, bad] = run(walk) as [number, string[]];
    // Objects made by the walk itself: members of the fresh roots, and prototypes of its own functions.
    expect(bad.filter((path) => !/^\.(prototype|callee|lastIndex)/.test(path))).toEqual([]);
    expect(size).toBeGreaterThan(700);
  });

  it('jobs that it leaves in the queue run before it ends, with its own scope', async () => {
    const scopes = [testScope(), testScope()];
    evaluator.compile('Promise.resolve().then(() => setVariable("a", 1)); 0')(scopes[0]!);
    evaluator.compile('setVariable("b", 1)')(scopes[1]!);
    expect(scopes.map((s) => s.variables)).toEqual([{ a: 1 }, { b: 1 }]);
  });

  it('forgets calls to the host that are still pending', async () => {
    const first = testScope();
    evaluator.compile('later(20).then(() => setVariable("late", 1)); 0')(first);
    expect(clock.pending).toHaveLength(1);
    await clock.advance(60);
    expect(first.variables).toEqual({});
    expect(run('1 + 1')).toBe(2);
  });

  it('evaluations that wait for the host keep apart', async () => {
    const scopes = [30, 10, 20].map((ms) => testScope({ variables: { Ms: ms } }));
    const script = evaluator.compile(
      'const ms = getMs(); variables.Got; await later(ms); variables.Got = ms; setVariable("s", getMs()); return ms',
    );
    const results = Promise.all(scopes.map((s) => script(s)));
    expect(clock.pending).toHaveLength(3);
    await clock.advance(30);
    expect(await results).toEqual([30, 10, 20]);
    expect(scopes.map((s) => s.variables)).toEqual([30, 10, 20].map((ms) => ({ Ms: ms, Got: ms, s: ms })));
  });
});

describe('ordinary code works', () => {
  test.each<[string, unknown]>([
    ['const e = new Error("m"); e.name = "Mine"; e.message = "new"; String(e)', 'Mine: new'],
    ['class Mine extends Error { constructor() { super("m"); this.name = "Mine" } } String(new Mine())', 'Mine: m'],
    ['const o = {}; o.toString = () => "mine"; `${o}`', 'mine'],
    ['const o = {}; o.valueOf = () => 5; o + 1', 6],
    ['const o = {}; o.constructor = 1; o.hasOwnProperty = 2; Object.keys(o)', ['constructor', 'hasOwnProperty']],
    [
      'const counts = {}; for (const w of ["toString", "a", "a"]) counts[w] = (Object.hasOwn(counts, w) ? counts[w] : 0) + 1; counts',
      { toString: 1, a: 2 },
    ],
    ['Object.assign({}, { toString: 1, x: 2 })', { toString: 1, x: 2 }],
    ['const d = new Date(0); d.toJSON = () => "mine"; JSON.stringify(d)', '"mine"'],
    ['const a = [1]; a.toString = () => "mine"; String(a)', 'mine'],
    ['[a, b] = [1, 2]; a + b', 3],
    ['({ x } = { x: 3 }); x', 3],
    ['let all = ""; for ([k, v] of Object.entries({ p: 1 })) all += k + v; all', 'p1'],
    ['class A { constructor() { this.x = 1 } toString() { return "A" + this.x } } `${new A()}`', 'A1'],
    ['class A extends Array { last() { return this[this.length - 1] } } A.from([1, 2]).last()', 2],
    ['function F() { this.x = 1 } F.prototype.get = function () { return this.x }; new F().get()', 1],
    ['Array.prototype.last = function () { return this[this.length - 1] }; [1, 2].last()', 2],
    ['String.prototype.shout = function () { return this.toUpperCase() + "!" }; getX().shout()', 'X!'],
    ['getX.call(null) + getVariable.apply(null, ["X"])', 'xx'],
    ['globalThis.shared = 5; shared + 1', 6],
    ['Math.double = x => 2 * x; Math.double(4)', 8],
    ['Object.defineProperty({}, "x", { get: () => 5 }).x', 5],
    ['const p = new Proxy({}, { get: (_, k) => k }); p.any', 'any'],
    ['const o = Object.create({ inherited: 1 }); o.inherited = 2; o.inherited', 2],
    ['const o = { __proto__: { a: 1 } }; o.a', 1],
    ['const m = new Map(); m.set("a", 1); [...m]', [['a', 1]]],
    ['[..."ab"].entries().map(([i, c]) => i + c).toArray()', ['0a', '1b']],
    ['function* g() { yield* [1, 2] } [...g()]', [1, 2]],
    ['try { null.x } catch (e) { e instanceof TypeError && e.constructor === TypeError && e.name }', 'TypeError'],
    ['const text = "this and prototype of globalThis"; text.length', 32],
  ])('%s', (source, expected) => {
    for (let i = 0; i < 2; i++) expect(run(source)).toEqual(expected);
  });

  it('functions of the host work in a script that has a context of its own', async () => {
    const scope = testScope({ variables: { X: { list: [2, 1] }, When: new Date(7) }, args: { a: 1 } });
    const source =
      'Array.prototype.first = function () { return this[0] }; variables.X.list.sort(); const w = await later(1, getWhen()); return [variables.X.list.first(), w instanceof Date, args.a, Array.isArray(getX().list)]';
    const result = evaluator.compile(source)(scope);
    await clock.advance(1);
    expect(await result).toEqual([1, true, 1, true]);
    expect(scope.variables.X).toEqual({ list: [1, 2] });
    expect(await failureOf(() => evaluator.compile('Array.prototype.x = 1; getNone()')(scope))).toMatchObject({
      code: 'WM4003',
      line: 1,
    });
  });
});
