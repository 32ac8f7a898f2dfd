import { afterEach, beforeAll, describe, expect, it, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ExpressionFailedError, ExpressionOptionError } from '../errors/expression-errors.js';
import { JavaScriptEvaluator } from './javascript-evaluator.js';
import { JavaScriptExpressionHandler } from './javascript-expression-handler.js';
import { failureOf, testScope, type TestScopeParts } from './test-scope.spec.js';

let evaluator: JavaScriptEvaluator;
beforeAll(async () => {
  evaluator = await JavaScriptEvaluator.create({ timeoutMs: 2000 });
});

const run = (source: string, parts?: TestScopeParts): unknown => evaluator.compile(source)(testScope(parts));

describe('the value of a script', () => {
  test.each<[string, unknown]>([
    ['1 + 1', 2],
    ['1 + 1;', 2],
    ['  "text" // a comment', 'text'],
    ['/* first */ 5', 5],
    ['({ a: 1 })', { a: 1 }],
    ['{ a: 1 }', 1], // a block with a label, as in any JavaScript
    ['[1, "a", true, null]', [1, 'a', true, null]],
    ['a = 3', 3],
    ['const x = 2; return "" + x * 3;', '6'],
    ['const r = 5; r', 5],
    ['const r = 5\nr', 5],
    ['const r = 5; `<${r}>`', '<5>'],
    ['let s = ""; for (const c of ["a", "b"]) s += c; s', 'ab'],
    ['let s = ""; for (const c of ["a", "b"]) s += c;', 'ab'],
    ['if (true) { 5 } else { 6 }', 5],
    ['if (false) return 1; 5', 5],
    ['if (true) return 1; 5', 1],
    ['const x = 5\n+3', null], // one statement, whose value is none
    ['const x = 5 // done; x\n', null],
    ['if (false) return 1 // or; 7\n', null],
    ['switch (2) { case 2: "two" }', 'two'],
    ['function f() { return 4 } f()', 4],
    ['class A { static x = 4 }; A.x', 4],
    ['const { a, ...rest } = { a: 1, b: 2, c: 3 }; rest', { b: 2, c: 3 }],
    ['var f = function () { return 1 };\nvar g = 2;\n[f(), g]', [1, 2]],
    ['const re = /;/; re.test("a;b")', true],
    ['"use strict"; (function () { return this })() === undefined', true],
    ['(function () { return this })() === globalThis', true],
    ['i = 5; for (j of [1, 2]) i += j; i', 8],
    ['return', null],
    ['undefined', null],
    ['null', null],
    ['{}', null],
    [';', null],
    ['// nothing', null],
    ['x?.y', null],
  ])('%j is %j', (source, expected) => {
    expect(run(source.replace('x?.y', '({}).x?.y'))).toEqual(expected);
  });

  it('is the value of a returned promise', async () => {
    expect(await run('Promise.resolve(1).then(x => x + 1)')).toBe(2);
    expect(await run('(async () => { await null; return [1] })()')).toEqual([1]);
    expect(await run('await Promise.resolve(3)')).toBe(3);
    expect(await run('const a = await Promise.resolve(3); const b = await a; return a + b')).toBe(6);
    expect(await run('({ then(resolve) { resolve("thenable") } })')).toBe('thenable');
  });

  it('is the same each time, also when the script changes what it made', () => {
    const script = evaluator.compile('const list = [3, 1, 2]; list.sort(); list.push(list.length); list');
    expect([1, 2, 3].map(() => script(testScope()))).toEqual(Array(3).fill([1, 2, 3, 3]));
  });

  // What docs/expressions.md says.
  test.each<[string, unknown]>([
    ['typeof Intl', 'undefined'],
    ['(1234.5).toLocaleString("de-DE")', '1234.5'],
    ['["ä", "b", "a"].sort((a, b) => a.localeCompare(b)).join("")', 'abä'],
    [
      'const day = new Date(0); day.toLocaleDateString("de-DE", { weekday: "long" }) === day.toLocaleDateString()',
      true,
    ],
  ])('knows no languages: %j is %j', (source, expected) => {
    expect(run(source)).toEqual(expected);
  });

  it('is null for a blank script', () => expect(run(' \n')).toBeNull());
});

describe('values between script and workflow', () => {
  const values: Record<string, unknown> = {
    number: 0.1,
    'a big number': 1e21,
    'no number': NaN,
    infinity: -Infinity,
    text: 'naïve 你好 😀',
    'a text with NUL and half a surrogate pair': 'a\0b\u0001c\ud800d',
    boolean: false,
    'a big integer': 12345678901234567890n,
    date: new Date(1_700_000_000_123),
    bytes: new Uint8Array([0, 1, 127, 128, 255]),
    'nested values': {
      d: new Date(0),
      list: [1n, NaN, undefined, new Uint8Array([0, 200])],
      u: undefined,
      o: { n: null },
    },
    'an object with a member like a mark': { '\u0001': ['d', 0], x: new Date(5) },
    'an empty list and object': { a: [], o: {} },
    'names of all sorts': { 'with space': 1, $id: '#', constructor: 'c', toString: 's', 1: 'number', ünï: 2 },
  };
  test.each(Object.entries(values))('%s crosses both ways', (_, value) => {
    const scope = testScope({ variables: { In: value } });
    expect(evaluator.compile('setOut(getIn()); getIn()')({ ...scope, hasVariable: () => true })).toEqual(value);
    expect(scope.variables.Out).toEqual(value);
  });

  it('values between script and workflow are real in the sandbox', () => {
    const variables = { When: new Date(0), Bytes: Buffer.from('hé'), Big: 5n };
    const source = '[getWhen() instanceof Date, getBytes() instanceof Uint8Array, getBytes().length, typeof getBig()]';
    expect(run(source, { variables })).toEqual([true, true, 3, 'bigint']);
  });

  it('values between script and workflow are copies of the bytes asked for, not the memory behind them', () => {
    const variables = { Bytes: Buffer.from('short') }; // lives in a pool shared with other buffers
    expect(run('getBytes().buffer.byteLength', { variables })).toBe(5);
    expect(run('({ b: getBytes() }).b.buffer.byteLength', { variables })).toBe(5);
  });

  it('values between script and workflow are plain: maps become objects, sets lists, instances what their toJSON says', () => {
    class Money {
      constructor(private readonly amount: number) {}
      toJSON(): unknown {
        return { amount: this.amount };
      }
    }
    const variables = {
      All: { map: new Map([['a', 1]]), set: new Set([1]), money: new Money(5), error: new TypeError('t') },
    };
    expect(run('getAll()', { variables })).toEqual({
      map: { a: 1 },
      set: [1],
      money: { amount: 5 },
      error: { name: 'TypeError', message: 't' },
    });
    expect(run('({ m: new Map([["a", new Map()]]), s: new Set([1]), b: new Number(5) })')).toEqual({
      m: { a: {} },
      s: [1],
      b: 5,
    });
  });

  test.each<[string, string]>([
    ['() => 1', 'a function'],
    ['({ a: [Symbol("s")] })', 'a symbol'],
    ['const o = {}; o.self = o; o', 'circular'],
    ['({ p: Promise.resolve(1) })', 'a promise'],
    ['setVariable("x", { f() {} })', 'a function'],
  ])('%j cannot cross', async (source, reason) => {
    const error = await failureOf(() => run(source));
    expect(error.code).toBe('WM4005');
    expect(error.message).toContain(reason);
  });

  it('cannot be services of the host', async () => {
    class Service {
      readonly secret = 's';
    }
    const error = await failureOf(() => run('getService().secret', { variables: { Service: new Service() } }));
    expect(error).toMatchObject({ code: 'WM4003', cause: { code: 'WM4005' } });
    expect(error.message).toContain('an instance of Service');
  });
});

describe('errors', () => {
  test.each<[string, string, number]>([
    ['nope.nope', "ReferenceError: 'nope' is not defined (line 1)", 1],
    ['\n\n  null.x', "TypeError: cannot read property 'x' of null (line 3)", 3],
    ['let a = 1;\nif (a) {\n  a.b.c\n}', "TypeError: cannot read property 'c' of undefined (line 3)", 3],
    ['const a = 1;\nreturn a.b.c', "TypeError: cannot read property 'c' of undefined (line 2)", 2],
    ['getNothing()', "ReferenceError: 'getNothing' is not defined (line 1)", 1],
    ['setNothing(1)', "ReferenceError: 'setNothing' is not defined (line 1)", 1],
  ])('%j throws %j', async (source, message, line) => {
    const error = await failureOf(() => run(source));
    expect(error).toBeInstanceOf(ExpressionFailedError);
    expect(error).toMatchObject({ code: 'WM4003', message, line, language: 'JavaScript' });
  });

  test.each<[string, string, string]>([
    ['throw new RangeError("far")', 'RangeError', 'far'],
    ['throw "text"', 'Error', 'text'],
    ['throw { code: 5 }', 'Error', '{"code":5}'],
    ['throw null', 'Error', 'null'],
    ['class Mine extends Error { name = "Mine" } throw new Mine("m")', 'Mine', 'm'],
    ['Promise.reject(new TypeError("later"))', 'TypeError', 'later'],
    ['(async () => { await null; throw new TypeError("later") })()', 'TypeError', 'later'],
  ])('%j keeps name and message', async (source, errorName, errorMessage) => {
    expect(await failureOf(() => run(source))).toMatchObject({ code: 'WM4003', errorName, errorMessage });
  });

  test.each<[string, number]>([
    ['a b', 1],
    ['\n\n foo(', 3],
    ['const a = 1;\nconst a = 2;', 2],
    ['} {', 1],
  ])('%j is not a script', async (source, line) => {
    const script = evaluator.compile(source);
    for (let i = 0; i < 2; i++)
      expect(await failureOf(() => script(testScope()))).toMatchObject({ code: 'WM4004', line });
  });

  const LONG = `// ${'x'.repeat(5000)}\n`;
  test.each<[string, string, number, number | undefined]>([
    ['1 +', 'Unexpected end of the text', 1, 4],
    ['if (a) {\n  foo(1,\n\n', 'Unexpected end of the text', 2, 9],
    ['a bc', "Unexpected 'bc'", 1, 3],
    ['const x = 1;\nreturn x +;', "Unexpected ';'", 2, 11],
    ['const a = 1;\n}', "Unexpected '}'", 2, 1],
    ['"abc', 'Unterminated string constant', 1, 1],
    [`${LONG}1 +`, 'Unexpected end of the text', 2, 4],
    [`${LONG}1 + ;\n2`, "unexpected token in expression: ';'", 2, undefined],
  ])('the place in %j is one of the text, in a check as in a run', async (source, errorMessage, line, column) => {
    const fault = { code: 'WM4004', errorMessage, line, column };
    const script = evaluator.compile(source);
    expect(await failureOf(() => script(testScope()))).toMatchObject(fault);
    // Long texts are left to the sandbox, which does not read them before they run.
    if (!source.startsWith(LONG)) expect(evaluator.check(source)).toMatchObject(fault);
  });

  it('a syntax error says line and column in its message', () => {
    const message = "The JavaScript expression is not valid: Unexpected 'bc' (line 1, column 3). Correct its text.";
    expect(evaluator.check('a bc')).toMatchObject({ message });
  });

  it('errors of the host show the script name and message, and the caller the error', async () => {
    const cause = Object.assign(new TypeError('host says no'), { secret: 1 });
    const scope = {
      ...testScope(),
      getVariable: () => {
        throw cause;
      },
    };
    expect(await failureOf(() => evaluator.compile('getVariable("x")')(scope))).toMatchObject({
      code: 'WM4003',
      errorName: 'TypeError',
      cause,
    });
    expect(
      evaluator.compile('try { getVariable("x") } catch (e) { [e.name, e.message, e.secret, e instanceof TypeError] }')(
        scope,
      ),
    ).toEqual(['TypeError', 'host says no', undefined, true]);
  });

  it('errors leave variables of `variables` as they were', async () => {
    const variables = { A: 1 };
    await failureOf(() => run('variables.A = 2; throw new Error()', { variables }));
    expect(variables).toEqual({ A: 1 });
  });
});

describe('evaluation', () => {
  it('answers at once when the sandbox is loaded, and with a promise when it is not', async () => {
    const lazy = new JavaScriptEvaluator();
    const first = lazy.compile('(() => 2)()')(testScope());
    expect(first).toBeInstanceOf(Promise);
    expect(await first).toBe(2);
    expect(lazy.compile('(() => 2)()')(testScope())).toBe(2);
  });

  it('loads the sandbox behind the start of an application, which may end at once', async () => {
    const evaluator = new JavaScriptEvaluator();
    const load = jest.spyOn(evaluator, 'load');
    evaluator.onApplicationBootstrap();
    expect(load).not.toHaveBeenCalled();
    await new Promise((resolve) => setImmediate(resolve));
    expect(load).toHaveBeenCalledTimes(1);
    await evaluator.onModuleDestroy();
    expect(evaluator.compile('(() => 2)()')(testScope())).toBe(2);
    const stopped = new JavaScriptEvaluator();
    const never = jest.spyOn(stopped, 'load');
    stopped.onApplicationBootstrap();
    await stopped.onModuleDestroy();
    await new Promise((resolve) => setImmediate(resolve));
    expect(never).not.toHaveBeenCalled();
  });

  it('logs nothing when the application ends while its first thread is being started', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const ended = new JavaScriptEvaluator({ sandbox: 'worker' });
    const load = jest.spyOn(ended, 'load');
    ended.onApplicationBootstrap();
    await new Promise((resolve) => setImmediate(resolve));
    await ended.onModuleDestroy();
    await ended.onApplicationShutdown();
    await expect(load.mock.results[0]!.value).rejects.toMatchObject({ code: 'WM4011' });
    expect(error).not.toHaveBeenCalled();
    error.mockRestore();
  });

  it('needs no sandbox for what only reads and computes, unless told so', async () => {
    expect(new JavaScriptEvaluator().compile('getX() + 1')(testScope({ variables: { X: 1 } }))).toBe(2);
    const strict = new JavaScriptEvaluator({ sandboxOnly: true }).compile('1 + 1')(testScope());
    expect(strict).toBeInstanceOf(Promise);
    expect(await strict).toBe(2);
  });

  it('does not begin when the signal is aborted', () => {
    const reason = new Error('cancelled');
    expect(() => run('setVariable("x", 1)', { signal: AbortSignal.abort(reason) })).toThrow(reason);
  });

  it('may be nested through a function of the host', async () => {
    const outer: JavaScriptEvaluator = await JavaScriptEvaluator.create({
      globals: [{ name: 'inner', invoke: (scope, source) => outer.compile(String(source))(scope) }],
    });
    const scope = testScope({ variables: { X: 1 } });
    expect(
      outer.compile('let n = getX(); Promise.resolve().then(() => setX(n + 1)); n += inner("getX() + 10"); n')(scope),
    ).toBe(12);
    expect(scope.variables.X).toBe(13);
    expect(await failureOf(() => outer.compile('inner("nope")')(scope))).toMatchObject({ cause: { code: 'WM4003' } });
  });

  it('refuses options that make no sense', () => {
    expect(() => new JavaScriptEvaluator({ memoryMb: 5 })).toThrow(ExpressionOptionError);
    expect(() => new JavaScriptEvaluator({ timeoutMs: 0 })).toThrow('Option "timeoutMs"');
    expect(() => new JavaScriptEvaluator({ stackKb: 1024 })).toThrow('Option "stackKb"');
  });

  it('keeps a limited number of compiled scripts', async () => {
    const small = await JavaScriptEvaluator.create({ cacheSize: 3 });
    for (let round = 0; round < 3; round++)
      for (let i = 0; i < 10; i++) expect(small.compile(`${i} + 1`)(testScope())).toBe(i + 1);
  });
});

describe('a clock', () => {
  let now = Date.UTC(2030, 0, 1);
  let clocked: JavaScriptEvaluator;
  beforeAll(async () => {
    clocked = await JavaScriptEvaluator.create({ clock: { now: () => now } });
  });
  afterEach(() => {
    now += 1000;
  });

  test.each<[string, unknown]>([
    ['Date.now()', Date.UTC(2030, 0, 1)],
    ['new Date().toISOString()', '2030-01-01T00:00:01.000Z'],
    ['new Date(0).getTime()', 0],
    ['Date().includes("2030")', true],
    ['new Date() instanceof Date && new Date().constructor === Date', true],
    ['Date.UTC(1970, 0, 1) + Date.parse("1970-01-01")', 0],
    ['class D extends Date {}; new D().getTime() === Date.now()', true],
    ['Array.prototype.x = Date.now(); [].x', Date.UTC(2030, 0, 1) + 7000],
  ])('%j reads it', (source, expected) => {
    expect(clocked.compile(source)(testScope())).toEqual(expected);
  });
});

describe('the expression handler', () => {
  it('compiles without throwing and evaluates later', async () => {
    const handler = new JavaScriptExpressionHandler(evaluator);
    expect(handler.descriptor).toMatchObject({
      type: 'JavaScript',
      isBrowsable: true,
      properties: { MonacoLanguage: 'javascript' },
    });
    expect(handler.compile({ type: 'JavaScript', value: '1 + 1' })(testScope())).toBe(2);
    expect(handler.compile({ type: 'JavaScript', value: 42 })(testScope())).toBe(42);
    expect(handler.compile({ type: 'JavaScript', value: null })(testScope())).toBeNull();
    expect(handler.compile({ type: 'JavaScript' })(testScope())).toBeNull();
    const broken = handler.compile({ type: 'JavaScript', value: 'a b' });
    expect(await failureOf(() => broken(testScope()))).toMatchObject({ code: 'WM4004' });
  });
});
