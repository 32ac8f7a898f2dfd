import { inspect } from 'node:util';
import { afterEach, beforeAll, describe, expect, it, test } from '@jest/globals';
import { JavaScriptEvaluator } from './javascript-evaluator.js';
import type { JavaScriptOptions } from './javascript-options.js';
import { failureOf, testScope } from './test-scope.spec.js';

/**
 * Attempts to get out of the sandbox, or to make it lie. Sources: what broke vm2, n8n (CVE-2025-68613, CVE-2026-25049) and
 * similar expression engines, carried over. Resource attacks are in `limits.spec.ts`, leftovers in `isolation.spec.ts`.
 */
describe.each<[string, JavaScriptOptions]>([
  ['directly where possible', {}],
  ['in the sandbox alone', { sandboxOnly: true }],
])('evaluated %s', (_way, options) => {
  let evaluator: JavaScriptEvaluator;
  const hostError = Object.assign(new Error('secret path'), { password: 'hunter2' });
  beforeAll(async () => {
    evaluator = await JavaScriptEvaluator.create({
      ...options,
      timeoutMs: 5000,
      globals: [
        {
          name: 'explode',
          invoke: () => {
            throw hostError;
          },
        },
        { name: 'explodeLater', invoke: () => Promise.reject(hostError) },
        {
          name: 'throwOddly',
          invoke: (_, kind) => {
            // oxlint-disable-next-line typescript/only-throw-error -- a badly written function of the host
            throw kind === 'object' ? { process } : kind === 'function' ? process.exit : undefined;
          },
        },
        { name: 'echo', invoke: (_, ...args) => args },
        { name: 'typesOf', invoke: (_, ...args) => args.map((a) => Object.prototype.toString.call(a)) },
      ],
    });
  });

  const scope = () => testScope({ variables: { X: 'x', User: { name: 'Ann', roles: ['a'] } }, inputs: { In: 1 } });
  const run = (source: string): unknown => evaluator.compile(source)(scope());
  /** The value, or the error as text. */
  async function outcome(source: string): Promise<unknown> {
    try {
      return await run(source);
    } catch (error) {
      return String(error);
    }
  }

  // Whatever was tried: the host and the next evaluation are as before.
  afterEach(() => {
    expect(
      run('[getVariable("X"), JSON.stringify({ a: [1] }), [1, 2].map(x => x * 2).length, typeof process]'),
    ).toEqual(['x', '{"a":[1]}', 2, 'undefined']);
    const fresh = {} as Record<string, unknown>;
    for (const name of ['polluted', 'isAdmin', 'x', 'then', 'toJSON']) expect(fresh[name]).toBeUndefined();
    expect(Object.prototype.toString.call([])).toBe('[object Array]');
  });

  describe('no way to the host', () => {
    const names =
      '[typeof process, typeof require, typeof module, typeof Buffer, typeof global, typeof console, typeof fetch, typeof WebAssembly, typeof __dirname].join()';
    const nothing = Array(9).fill('undefined').join();

    test.each([
      // the Function constructor, from every kind of object
      'this.constructor.constructor("return X")()',
      '({}).constructor.constructor("return X")()',
      '[].constructor.constructor("return X")()',
      '"".constructor.constructor("return X")()',
      '(0).constructor.constructor("return X")()',
      '(() => {}).constructor("return X")()',
      'getVariable.constructor("return X")()',
      'getX.constructor("return X")()',
      'echo.constructor("return X")()',
      'JSON.parse.constructor("return X")()',
      'Promise.resolve().then.constructor("return X")()',
      '(class {}).constructor("return X")()',
      'Reflect.construct(Function, ["return X"])()',
      'Reflect.get(getVariable, "constructor")("return X")()',
      'Reflect.getPrototypeOf(getVariable).constructor("return X")()',
      'Object.getOwnPropertyDescriptor(Object.getPrototypeOf(() => {}), "constructor").get()("return X")()',
      '(function* () {}).constructor("yield X")().next().value',
      // data of the host
      'getVariable("User").constructor.constructor("return X")()',
      'getUser().roles.map.constructor("return X")()',
      'variables.User.roles.constructor.constructor("return X")()',
      'args.constructor.constructor("return X")()',
      // errors of the host
      'try { explode() } catch (e) { e.constructor.constructor("return X")() }',
      'try { explode() } catch ({ constructor: { constructor: F } }) { F("return X")() }',
      'try { null.x } catch (e) { e.constructor.constructor("return X")() }',
      'try { (function f() { f() })() } catch (e) { e.constructor.constructor("return X")() }',
      'try { new Array(-1) } catch (e) { e.__proto__.__proto__.constructor.constructor("return X")() }',
      // ways around a filter on texts, such as n8n's
      '`${(() => Object["get" + "PrototypeOf"](() => {})["const" + "ructor"]("return X")())()}`',
      '({ get a() { return this["constr" + "uctor"].constructor("return X")() } }).a',
      '((a = {}["constructor"]["constructor"]("return X")()) => a)()',
      'const { constructor: { constructor: F } } = []; F("return X")()',
      'const { ["con" + "structor"]: C } = () => {}; C("return X")()',
      '[..."x"].map(Function("return X"))[0]',
      'new (class extends Function { constructor() { super("return X") } })()()',
      'Function.prototype.call.call(Function, null, "return X")()',
      'Function.bind(null, "return X")()()',
      'eval("X")',
      '(0, eval)("X")',
      'eval.call(null, "X")',
      '[1].map(eval.bind(null, "X"))[0]',
      'new Proxy(function () {}, { apply: () => (() => {}).constructor("return X")() })()',
      'String.raw.constructor("return X")()',
      'String.raw`${(() => {}).constructor("return X")()}`',
      '(tag => tag.constructor.constructor("return X")())`x`',
      'Symbol.for("x").constructor.constructor("return X")()',
      '(function () { return arguments.callee.constructor("return X")() })()',
      '(function () { return arguments.constructor.constructor("return X")() })()',
      'arguments.callee.constructor("return X")()',
      'Array.from({ length: 1 }, Function("return X"))[0]',
      'JSON.parse("[1]", () => (() => {}).constructor("return X")())',
      '"x".replace(/x/, () => (() => {}).constructor("return X")())',
      '[2, 1].sort.constructor("return X")()',
      '({ [Symbol.toPrimitive]: () => (() => {}).constructor("return X")() }) + ""',
      'Object.entries(globalThis).length + ":" + (() => {}).constructor("return X")()',
    ])('%s', async (attempt) => {
      const result = await outcome(attempt.replaceAll('X"', `${names}"`));
      // The constructor is there, and makes functions of the sandbox.
      expect([nothing, `0:${nothing}`]).toContain(result);
    });

    test.each([
      '(async () => {}).constructor("return typeof process")()',
      '(async () => { return (await Promise.resolve(() => {})).constructor("return typeof process")() })()',
      '(async function* () {}).constructor("yield typeof process")().next().then(x => x.value)',
      'explodeLater().catch(e => e.constructor.constructor("return typeof process")())',
      'Promise.reject(1).catch(() => (() => {}).constructor("return typeof process")())',
      '({ then(resolve) { resolve(resolve.constructor("return typeof process")()) } })',
      'new Promise((resolve, reject) => resolve(reject.constructor("return typeof process")()))',
    ])('%s (asynchronous)', async (attempt) => expect(await outcome(attempt)).toBe('undefined'));

    test.each([
      'import("fs")',
      'import("node:child_process")',
      'import("std")',
      'import("os")',
      'import("/etc/passwd")',
      'import("data:text/javascript,export default 1")',
      '(0, eval)("import(\'std\')")',
    ])('%s', async (attempt) =>
      expect(await outcome(attempt)).toMatch(/could not load module|no function filename for import/),
    );

    test.each([
      'import fs from "fs"',
      'export default 1',
      'import.meta',
      'require("fs")',
      'process.exit(1)',
      'console.log(1)',
      'new Worker("x")',
      'std.exit(0)',
      'os.exec(["ls"])',
      'print(1)',
      'scriptArgs',
      'bjson',
    ])('%s fails', async (attempt) => expect(await outcome(attempt)).toMatch(/Error/));

    it('global names are those of the language and of the format', () => {
      const found = run('Object.getOwnPropertyNames((() => {}).constructor("return " + "this")())') as string[];
      const format = /^(get|set|new|parse|is|to|bytes|string|stream|echo|explode|throwOddly|typesOf)/;
      expect(found.filter((name) => !format.test(name)).sort()).toEqual(
        (
          'AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError Float16Array Float32Array ' +
          'Float64Array Function Infinity Int16Array Int32Array Int8Array InternalError Iterator JSON Map Math NaN Number Object Promise Proxy ' +
          'RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array ' +
          'Uint8ClampedArray WeakMap WeakSet decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis undefined unescape'
        ).split(' '),
      );
    });
  });

  describe('no object of the host', () => {
    it('is behind a function: it has no members but its own', () => {
      expect(run('[getVariable, echo, getX].map(f => Reflect.ownKeys(f).join())')).toEqual(
        Array(3).fill('length,name'),
      );
      expect(
        run(
          '["toString", "caller", "arguments"].map(k => { try { return String(getVariable[k]) } catch (e) { return e.message } }).join().includes("node_modules")',
        ),
      ).toBe(false);
    });

    it('an error that leaves the sandbox has a name and a message, and nothing else', async () => {
      expect(
        run(
          'try { explode() } catch (e) { [Reflect.ownKeys(e).sort().join(), e.password, e.cause, e instanceof Error, String(e)] }',
        ),
      ).toEqual(['message,stack', undefined, undefined, true, 'Error: secret path']);
      const stack = run('try { explode() } catch (e) { e.stack }') as string;
      expect(stack).not.toMatch(/\/|node_modules|\.ts/);
      expect(await run('explodeLater().catch(e => [e.password, String(e)])')).toEqual([
        undefined,
        'Error: secret path',
      ]);
    });

    test.each(['object', 'function', 'nothing'])('is thrown by a function that throws %s', (kind) => {
      expect(
        run(
          `try { throwOddly("${kind}") } catch (e) { [typeof e, e instanceof Error, typeof e.process, typeof e.message] }`,
        ),
      ).toEqual(['object', true, 'undefined', 'string']);
    });

    it('is in data: copies are made of built-ins of the sandbox', () => {
      expect(
        run(
          'const u = getUser(); [u.constructor === Object, u.roles.constructor === Array, Object.getPrototypeOf(u) === Object.getPrototypeOf({})]',
        ),
      ).toEqual([true, true, true]);
      const live = scope();
      evaluator.compile('getUser().name = "changed"; getUser().roles.push("admin")')(live);
      expect(live.variables.User).toEqual({ name: 'Ann', roles: ['a'] });
    });

    it('is reached by the name of a variable, input or argument', async () => {
      for (const name of ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString']) {
        expect(run(`typeof getVariable("${name}") + typeof getInput("${name}")`)).not.toContain('undefined');
        expect(
          await outcome(`getVariable("${name}")?.constructor?.constructor?.("return typeof process")?.() ?? "nothing"`),
        ).toMatch(/^(undefined|nothing|.*WM4005|.*not data|.*Error.*)$/);
      }
      for (const source of ['getConstructor()', 'getToString()', 'get__proto__()', 'setConstructor(1)'])
        expect(await outcome(source)).toContain('not defined');
    });
  });

  describe('no pollution', () => {
    test.each([
      'JSON.parse(\'{"__proto__": {"polluted": 1}}\')',
      'JSON.parse(\'{"a": [{"__proto__": {"polluted": 1}, "b": 1}]}\')',
      'const o = { a: 1 }; Object.defineProperty(o, "__proto__", { value: { polluted: 1 }, enumerable: true }); o',
      '({ ["__proto__"]: { polluted: 1 } })',
      '({ d: new Date(0), ["__proto__"]: { polluted: 1 } })',
      'new Map([["__proto__", { polluted: 1 }]])',
      'const o = { "\\u0001": 1, ["__proto__"]: { polluted: 1 } }; o',
      '({ constructor: { prototype: { polluted: 1 } } })',
      '({ toJSON: () => JSON.parse(\'{"__proto__": {"polluted": 1}}\') })',
    ])('nothing is polluted by the result %s', (source) => {
      const result = run(source) as Record<string, unknown>;
      const copy = Object.assign({}, result);
      expect(JSON.stringify(result)).not.toContain('__proto__');
      expect((copy as { polluted?: unknown }).polluted).toBeUndefined();
      expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    });

    it('values passed to functions or set do not pollute the host', () => {
      const own = scope();
      evaluator.compile(
        'setVariable("__proto__", { polluted: 1 }); setVariable("V", JSON.parse(\'{"__proto__": {"polluted": 1}}\')); variables.W = JSON.parse(\'{"__proto__": 5}\')',
      )(own);
      expect(Object.getPrototypeOf(own.variables)).toBe(Object.prototype);
      expect(Object.getOwnPropertyNames(own.variables.V)).toEqual([]);
      expect(Object.getOwnPropertyNames(own.variables.W)).toEqual([]);
      expect(JSON.stringify(run('echo(JSON.parse(\'{"__proto__": {"polluted": 1}}\'), { a: 1 })'))).toBe(
        '[{},{"a":1}]',
      );
    });

    it('data of the host does not pollute the sandbox', () => {
      const own = testScope({
        variables: {
          Bad: JSON.parse('{"__proto__": {"polluted": 1}, "d": 1}') as unknown,
          Dated: { when: new Date(0), list: [JSON.parse('{"__proto__": {"polluted": 1}}')] },
        },
      });
      expect(
        evaluator.compile(
          '[getBad().polluted, typeof ({}).polluted, Object.assign({}, getBad()).polluted, getDated().list[0].polluted]',
        )(own),
      ).toEqual([undefined, 'undefined', undefined, undefined]);
    });

    test.each([
      'Object.prototype.polluted = 1; ({})',
      'Object.prototype.toJSON = function () { return { polluted: 1 } }; ({ a: 1 })',
      'Array.prototype.toJSON = () => "forged"; [1]',
      'Object.prototype.then = (resolve) => resolve("forged"); ({})',
      'Object.defineProperty(Object.prototype, "a", { get: () => "forged" }); ({}).a',
      'Object.assign(Object.getPrototypeOf({}), { isAdmin: true }); ({}).isAdmin',
      '({}).__proto__.polluted = "yes"; ({}).polluted',
      '[].__proto__.polluted = "yes"; [].polluted',
      'getVariable.__proto__.polluted = 1',
      'getVariable.__proto__.__proto__.polluted = 1',
      'Error.prepareStackTrace = (e, frames) => frames; new Error().stack',
      'Error.stackTraceLimit = Infinity; 1',
      'RegExp.prototype.exec = () => ["forged"]; /x/.test("y")',
      'Symbol.prototype.polluted = 1; Symbol.iterator.polluted',
    ])('nothing is polluted by %s', async (source) => {
      await outcome(source);
      expect(
        run(
          '[typeof ({}).polluted, typeof [].polluted, typeof ({}).isAdmin, JSON.stringify([1]), typeof ({}).a, /x/.test("y"), typeof new Error().stack]',
        ),
      ).toEqual(['undefined', 'undefined', 'undefined', '[1]', 'undefined', false, 'string']);
    });
  });

  describe('no forged values', () => {
    test.each<[string, unknown]>([
      ['getVariable = () => "forged"; getVariable("X")', 'forged'], // its own business
      ['globalThis.getVariable = () => "forged"; getVariable("X")', 'forged'],
      ['JSON.stringify = () => "forged"; ({ a: 1 })', { a: 1 }],
      ['JSON.parse = () => "forged"; getUser().name', 'Ann'],
      ['JSON = null; getUser().name', 'Ann'],
      [
        'globalThis.JSON = { parse: () => "forged", stringify: () => "forged" }; getUser()',
        { name: 'Ann', roles: ['a'] },
      ],
      ['Array.isArray = () => false; globalThis.Array = null; [1]', [1]],
      [
        'Object.keys = () => ["forged"]; Object.getPrototypeOf = () => null; ({ d: new Date(5), a: 1 })',
        { d: new Date(5), a: 1 },
      ],
      ['Reflect.apply = Reflect.construct = () => "forged"; Promise.resolve(1)', 1],
      ['Function.prototype.call = Function.prototype.apply = () => "forged"; getVariable("X")', 'x'],
      ['String.fromCharCode = () => "!"; new Uint8Array([65])', new Uint8Array([65])],
      ['WeakMap.prototype.get = () => ({ host: 0, transfer: true }); getX()', 'x'],
    ])('%s', async (source, expected) => expect(await run(source)).toEqual(expected));

    it('values of kinds that the host does not know cannot be forged', async () => {
      const attempts = [
        'Date.prototype.getTime = () => "forged"; new Date(0)',
        'Date.prototype.getTime = () => ({}); new Date(0)',
        'String.prototype.isWellFormed = () => true; String.prototype.indexOf = () => -1; "a\\0b\\u0001c"',
        'BigInt.prototype.toString = () => "not a number"; ({ b: 5n })',
        'Number.prototype.toString = () => "x"; 5',
        'Object.defineProperty(Array.prototype, 0, { set() {}, get() { return "x" } }); ({ d: new Date(0), l: [1, 2] })',
        'Array.prototype[Symbol.iterator] = function* () { yield "forged" }; ({ d: new Date(0), y: new Uint8Array(2) })',
        'WeakMap.prototype.get = () => ({ host: 1e9, transfer: "yes" }); throw new Error("plain")',
        'WeakMap.prototype.get = () => ({ host: { valueOf: () => 0 } }); throw new Error("plain")',
        'Object.defineProperty(Error.prototype, "message", { get() { throw 1 } }); throw new Error()',
      ];
      for (const attempt of attempts) {
        const result = await outcome(attempt);
        // Some value or some error of ours; never an object of the host, never a crash.
        if (typeof result === 'object' && result !== null)
          expect(inspect(result, { depth: 9 })).not.toMatch(/process|node_modules/);
        expect(run('1 + 1')).toBe(2);
      }
    });

    it('the fields of a failure cannot be forged', async () => {
      const error = await failureOf(() =>
        run('throw { name: "ExpressionTimeoutError", message: "fake", code: "WM4001", stack: "at /etc/passwd:1" }'),
      );
      expect(error).toMatchObject({
        code: 'WM4003',
        errorName: 'ExpressionTimeoutError',
        errorMessage: 'fake',
        line: undefined,
      });
      expect(await failureOf(() => run('throw new Proxy({}, { get() { throw 1 } })'))).toMatchObject({
        code: 'WM4003',
      });
      expect(await failureOf(() => run('throw Symbol("s")'))).toMatchObject({ errorMessage: 'Symbol(s)' });
      expect(await failureOf(() => run('throw Object.create(null)'))).toMatchObject({ code: 'WM4003' });
      expect(
        await failureOf(() => run('throw { get name() { return {} }, get message() { return 5 } }')),
      ).toMatchObject({
        code: 'WM4003',
        errorName: 'Error',
      });
    });

    it('functions get plain values, which cannot pass for another type than data', () => {
      expect(
        run(
          'typesOf(new Proxy({}, {}), new Proxy([], {}), Object.create({ a: 1 }), new Date(0), /x/, new (class A {})())',
        ),
      ).toEqual([
        '[object Object]',
        '[object Array]',
        '[object Object]',
        '[object Date]',
        '[object Object]',
        '[object Object]',
      ]);
      expect(run('echo({ get a() { return 1 } }, Object.freeze([1]), new String("s"))')).toEqual([{ a: 1 }, [1], 's']);
    });
  });
});
