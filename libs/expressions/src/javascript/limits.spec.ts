import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, beforeEach, describe, expect, it, jest, test } from '@jest/globals';
import { amountOf, drawnSampleOf, isThorough, sampleOf } from '../../../../test/support/depth.js';
import { JavaScriptEvaluator } from './javascript-evaluator.js';
import { failureOf, testScope } from './test-scope.spec.js';

jest.setTimeout(60_000);

/** What each script here uses up. A quick run has fewer of them, and lets each of them have less. */
const TIMEOUT_MS = isThorough ? 300 : 100;
/** Every which script a quick run takes: each of them uses up its limit. */
const SHARE = 16;
let hurried: JavaScriptEvaluator;
/** For breaches of other limits, which take a while on a busy machine. */
let patient: JavaScriptEvaluator;
const create = (timeoutMs: number, blockingMs?: number): Promise<JavaScriptEvaluator> =>
  JavaScriptEvaluator.create({
    timeoutMs,
    blockingMs,
    globals: [
      { name: 'never', invoke: () => new Promise(() => {}) },
      { name: 'soon', invoke: (_, value) => new Promise((resolve) => setTimeout(resolve, 5, value)) },
      { name: 'bigText', invoke: (_, length) => 'x'.repeat(Number(length)) },
      { name: 'refuse', invoke: () => Promise.reject(new RangeError('no')) },
    ],
  });
beforeAll(async () => {
  hurried = await create(TIMEOUT_MS);
  patient = await create(30_000);
});
const run = (source: string, evaluator = patient): unknown => evaluator.compile(source)(testScope());

/**
 * What the next evaluation comes to. Where the machine stood still for as long as a script may take, the evaluation is ended by its own time,
 * and the one after it counts. One that is ended before, such as by the time of another script, fails.
 */
async function next(source: string, evaluator: JavaScriptEvaluator): Promise<unknown> {
  for (;;) {
    const begun = performance.now();
    try {
      return await run(source, evaluator);
    } catch (error) {
      const isLate = performance.now() - begun >= TIMEOUT_MS;
      if ((error as { code?: string }).code !== 'WM4001' || !isLate) throw error;
    }
  }
}

/** The error of a script, with what must hold after each breach: it came in time, and the next evaluation works. */
async function breachOf(source: string, evaluator = patient): Promise<Error & { code?: string }> {
  const error = await failureOf(() => run(source, evaluator));
  expect(await next('[1, 2].map(x => x + 1)', evaluator)).toEqual([2, 3]);
  return error;
}

/** The same for the time limit. That a script is ended by it, and not later by another limit, says the code of the error. */
const timeoutOf = (source: string): Promise<Error & { code?: string }> => breachOf(source, hurried);

/** What it costs in time of the processor, in milliseconds: what else the machine does is not counted. */
async function cpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('time', () => {
  test.each(
    sampleOf(
      [
        'for (;;) {}',
        'while (true) { try { for (;;) {} } catch {} finally { continue } }',
        '(async () => { for (;;) await null })()',
        'const o = { get x() { for (;;) {} } }; o',
        'const o = { toJSON() { for (;;) {} } }; new Map([[1, o]])',
        '({ then() { for (;;) {} } })',
        'throw { get message() { for (;;) {} } }',
        '/^(a+)+$/.test("a".repeat(40) + "b")',
        'Array.from({ length: 1e5 }, (_, i) => i).sort(() => { for (;;) {} })',
        'Array.prototype.x = 1; for (;;) {}',
        'eval("for (;;) {}")',
        'Function("for (;;) {}")()',
        'variables.X = { get a() { for (;;) {} } }',
        'new Proxy({}, { ownKeys() { for (;;) {} } })',
      ],
      SHARE,
    ),
  )('ends %s', async (source) =>
    expect(await timeoutOf(source)).toMatchObject({ code: 'WM4001', timeoutMs: TIMEOUT_MS }),
  );

  // Every turn keeps one promise more: on a fast machine the memory ends before the time.
  test('the limit of time or memory ends promises that wait for one another forever', async () => {
    const { code } = await timeoutOf('const f = () => Promise.resolve().then(f); f()');
    expect(['WM4001', 'WM4002']).toContain(code);
  });

  // Each call of the host looks at the time as well; what it says then is no error of the script.
  test.each(['for (;;) newGuid()', 'for (;;) DateTime.Now.ToString("D", "lt-LT")', 'for (;;) { getX() }'])(
    'ends %s',
    async (source) => {
      const scope = testScope({ variables: { X: 1 } });
      expect(await failureOf(() => hurried.compile(source)(scope))).toMatchObject({ code: 'WM4001' });
      expect(await next('1 + 1', hurried)).toBe(2);
    },
  );

  it('is shorter for a script that holds the process than for one that waits', async () => {
    // Both waits are longer than the process may be held, which is long enough for a machine that does something else as well.
    const blockingMs = isThorough ? 300 : 150;
    const evaluator = await JavaScriptEvaluator.create({
      timeoutMs: 20_000,
      blockingMs,
      globals: [
        { name: 'later', invoke: () => new Promise((resolve) => setTimeout(resolve, blockingMs + 100, 'later')) },
      ],
    });
    expect(await run('const a = await later(); return a + await later()', evaluator)).toBe('laterlater');
    for (const source of ['for (;;) {}', 'await later(); for (;;) {}', '[].includes.call({ length: 2 ** 53 - 1 }, 1)'])
      expect(await failureOf(() => run(source, evaluator))).toMatchObject({
        code: 'WM4001',
        timeoutMs: blockingMs,
        option: 'blockingMs',
      });
  });

  // Built-ins that loop without ever looking at the interrupt flag.
  test.each(
    sampleOf(
      [
        'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)',
        '[].includes.call({ length: 2 ** 53 - 1 }, 1)',
        'const a = []; a.length = 4294967295; a.forEach(() => {})',
        '"a".repeat(4e6).indexOf("a".repeat(2e6) + "b")',
        'const s = "x".repeat(4e6), a = s + "a", b = s + "b"; Array.from({ length: 1e5 }, (_, i) => (i % 2 ? a : b)).sort()',
        'const u = new Uint8Array(4e6); for (;;) u.copyWithin(1, 0)',
        'const u = new Uint8Array(4e6); for (;;) u.fill(1)',
        'const s = "a".repeat(1e6); for (;;) s.indexOf("b")',
        'const k = "a".repeat(2e6), o = {}; for (;;) o[k + "b"]',
        'const x = 3n ** 250000n; for (;;) (x * x) % 7n',
        '(3n ** 600000n).toString()',
      ],
      SHARE,
    ),
  )('ends %s', async (source) => expect(await timeoutOf(source)).toMatchObject({ code: 'WM4001' }));

  // What looks at the text before it runs.
  test.each<[string, string]>(
    sampleOf(
      [
        ['spaces', `1${' '.repeat(300_000)}+ 1`],
        ['semicolons', `1${';'.repeat(300_000)}a b`],
        ['names', `${'a '.repeat(100_000)}`],
        ['a long name', `${'a'.repeat(500_000)} b`],
        ['dots and spaces', `a.${' '.repeat(300_000)}b c`],
        ['assignments', `a=1;${' \n'.repeat(100_000)}a b`],
        ['brackets', `${'Object['.repeat(50_000)}`],
        ['comments', `${'/* */'.repeat(50_000)} a b`],
        ['open comments', `${'/*'.repeat(100_000)}`],
        ['statements', `${'a();\n'.repeat(50_000)}for (;;) { b `],
        ['variables', `${'variables["a" '.repeat(30_000)}`],
      ],
      SHARE,
    ),
  )('the limit of time ends parsing of a text full of %s', async (_, source) => {
    const cpuMs = await cpuMsOf(async () => {
      const error = await breachOf(`${source}\n)`, hurried);
      expect(['WM4001', 'WM4002', 'WM4004']).toContain(error.code);
    });
    // Usually below one second. A look back from each place of the text would be minutes.
    expect(cpuMs).toBeLessThan(30_000);
  });

  it('includes waiting for the host', async () => {
    expect(await timeoutOf('never()')).toMatchObject({ code: 'WM4001' });
    expect(await timeoutOf('await never(); return 1')).toMatchObject({ code: 'WM4001' });
  });

  it('includes waiting also after garbage was collected', async () => {
    const { signal } = new AbortController();
    const waiting = failureOf(() => hurried.compile('never()')(testScope({ signal })));
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    for (let i = 0; i < amountOf(3); i++) {
      await new Promise((resolve) => setImmediate(resolve));
      collect();
    }
    expect(await waiting).toMatchObject({ code: 'WM4001' });
  });

  it('is not spent on a promise that nothing settles', async () => {
    // Were the time waited for, the test would not end before its own limit.
    const evaluator = await JavaScriptEvaluator.create({ timeoutMs: 600_000 });
    expect(await breachOf('new Promise(() => {})', evaluator)).toMatchObject({ code: 'WM4001' });
  });

  it('is counted for each evaluation alone', async () => {
    // All together take longer than one may, and each has nearly all of that time in reserve.
    const evaluator = await JavaScriptEvaluator.create({ timeoutMs: isThorough ? 1000 : 400 });
    for (let i = 0; i < (isThorough ? 25 : 10); i++)
      expect(await run('const end = Date.now() + 50; while (Date.now() < end); "done"', evaluator)).toBe('done');
  });

  it('ends with the signal of the scope', async () => {
    const controller = new AbortController();
    const result = patient.compile('never()')(testScope({ signal: controller.signal }));
    const reason = new Error('cancelled');
    controller.abort(reason);
    await expect(result).rejects.toBe(reason);
  });
});

describe('memory', () => {
  // A script that has filled the memory costs the module; a new one is loaded for the next script.
  beforeEach(() => patient.load());

  test.each(
    sampleOf(
      [
        'const a = []; for (;;) a.push(new Array(1000).fill(1))',
        'let s = "x"; for (;;) s += s',
        '"x".repeat(1e9)',
        'new Array(1e8).fill(0)',
        'new Uint8Array(1e9)',
        'Array.from({ length: 1e8 }, () => ({}))',
        'const m = new Map(); for (let i = 0; ; i++) m.set(i, [i])',
        'let o = {}; for (;;) o = { o, x: new Array(100) }',
        '"x".repeat(4e6).split("")',
        '"a".repeat(4e6).replaceAll("a", "bbbbbbbbbb")',
        'JSON.stringify(new Array(2e6).fill("text"))',
        'bigText(2e7)',
        'bigText(1e9)',
        'for (let i = 0; ; i++) setVariable("v" + i, "x".repeat(1e6))',
        'const p = []; for (;;) p.push(new Promise(() => {}))',
        'Object.prototype.x = 1; const a = []; for (;;) a.push(new Array(1000).fill(1))',
        'for (;;) { try { const a = []; for (;;) a.push(a.concat(a, [1])) } catch (e) { throw e } }',
      ],
      SHARE,
    ),
  )('is limited in %s', async (source) => {
    const error = await breachOf(source);
    expect(['WM4002', 'WM4003']).toContain(error.code);
    if (error.code === 'WM4003') expect(error.message).toMatch(/invalid|too|length/i);
  });

  it('the memory of the process does not grow', async () => {
    await breachOf('const a = []; for (;;) a.push(new Array(1000).fill(1))');
    const before = process.memoryUsage().rss;
    for (let i = 0; i < amountOf(5, 2); i++) await breachOf('const a = []; for (;;) a.push(new Array(1000).fill(1))');
    expect(process.memoryUsage().rss - before).toBeLessThan(150e6);
  });

  it('is enough for many evaluations', () => {
    const script = patient.compile(
      'const o = { list: Array.from({ length: 1000 }, (_, i) => ({ i })) }; o.self = o; o.list.length',
    );
    for (let i = 0; i < amountOf(2000); i++) expect(script(testScope())).toBe(1000);
  });

  it('is enough for many scripts', () => {
    for (let i = 0; i < amountOf(3000); i++)
      expect(run(`const text = "${'x'.repeat(500)}"; ${i} + text.length`)).toBe(i + 500);
  });

  it('is not held by promises that are not awaited', () => {
    const script = patient.compile('const big = "x".repeat(1e4) + Math.random(); never().then(() => big); 0');
    for (let i = 0; i < amountOf(3000); i++) expect(script(testScope())).toBe(0);
  });

  it('is given back by contexts of their own', () => {
    for (let i = 0; i < amountOf(300); i++)
      expect(run('Array.prototype.big = new Array(1e4).fill(1); [].big.length')).toBe(1e4);
  });
});

describe('stack', () => {
  test.each(
    sampleOf(
      [
        '(function f() { f() })()',
        'const f = () => [1].map(f); f()',
        'let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; JSON.stringify(o)',
        'const o = { get x() { return this.x } }; o.x',
        'const p = new Proxy({}, { get(t, k, r) { return r[k] } }); p.x',
        `${'('.repeat(1e5)}1${')'.repeat(1e5)}`,
        `${'['.repeat(1e5)}${']'.repeat(1e5)}`,
        'eval("(".repeat(1e5))',
        'class A { static [Symbol.hasInstance](x) { return x instanceof A } } ({}) instanceof A',
      ],
      SHARE,
    ),
  )('is limited in case %#: %j', async (source) =>
    expect(await breachOf(source)).toMatchObject({ code: 'WM4002', limit: 'stack' }),
  );

  // The parser of QuickJS makes a syntax error of it, where the stack of the host is not full first.
  test.each([`${'('.repeat(3000)}1${')'.repeat(3000)}`, 'eval("(".repeat(3000))', 'Function("[".repeat(3000))'])(
    'is limited while a text is parsed, case %#',
    async (source) => {
      const small = await JavaScriptEvaluator.create({ stackKb: 32 });
      expect(await breachOf(source, small)).toMatchObject({ code: 'WM4002', limit: 'stack' });
    },
  );

  it('is enough for usual recursion', () => expect(run('const f = n => n === 0 ? 0 : 1 + f(n - 1); f(200)')).toBe(200));

  it('the depth of data is limited on its way in and out', async () => {
    let deep: unknown = null;
    for (let i = 0; i < 150; i++) deep = { deep, list: [deep === null] };
    const scope = testScope({ variables: { Deep: deep } });
    expect(patient.compile('setCopy(getDeep()); getDeep()')({ ...scope, hasVariable: () => true })).toEqual(deep);
    for (let i = 0; i < 100; i++) deep = [deep];
    scope.setVariable('Deep', deep);
    expect(await failureOf(() => patient.compile('getDeep()')(scope))).toMatchObject({ code: 'WM4003' });
    expect(
      await failureOf(() => patient.compile('let d = null; for (let i = 0; i < 300; i++) d = [d]; d')(scope)),
    ).toMatchObject({ code: 'WM4005' });
  });

  it('an evaluation may begin with a nearly full stack of the host', async () => {
    const script = patient.compile('const f = n => n === 0 ? 0 : 1 + f(n - 1); f(100)');
    const descend = (): unknown => {
      try {
        return descend();
      } catch {
        return failureOf(() => script(testScope())).catch(() => undefined);
      }
    };
    await descend();
    expect(await run('1 + 1')).toBe(2);
  });
});

describe('a sandbox that had to be stopped by force', () => {
  it('is replaced, and the scripts that waited in it fail', async () => {
    const waiting = failureOf(() => run('await soon(1); return 1', hurried));
    expect(await failureOf(() => run('[].includes.call({ length: 2 ** 53 - 1 }, 1)', hurried))).toMatchObject({
      code: 'WM4001',
    });
    expect(await waiting).toMatchObject({ code: 'WM4001' });
    expect(await next('1 + 1', hurried)).toBe(2);
  });

  it('says nothing on the console', async () => {
    const spies = (['log', 'error', 'warn'] as const).map((name) =>
      jest.spyOn(console, name).mockImplementation(() => {}),
    );
    await timeoutOf('[].includes.call({ length: 2 ** 53 - 1 }, 1)');
    await breachOf('const a = []; for (;;) a.push(bigText(1000))');
    await timeoutOf('const o = { toJSON() { return bigText(1e7) } }; for (;;) new Map([[1, bigText(1e6)]])');
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    for (const spy of spies) spy.mockRestore();
  });
});

describe('promises of the host', () => {
  it('promises of the host are awaited, whether they are fulfilled or rejected', async () => {
    expect(await run('const x = await soon([1]); return x')).toEqual([1]);
    expect(await run('Promise.all([soon(1), soon(2)])')).toEqual([1, 2]);
    expect(await run('soon()')).toBeNull();
    expect(await run('const [none, nothing] = [await soon(), await soon(null)]; return [none, nothing]')).toEqual([
      undefined,
      null,
    ]);
    expect(await run('refuse().catch(e => e.name + ": " + e.message)')).toBe('RangeError: no');
    expect(await failureOf(() => run('refuse()'))).toMatchObject({
      code: 'WM4003',
      errorName: 'RangeError',
      cause: { message: 'no' },
    });
    expect(await failureOf(() => run('await soon(1); nope()'))).toMatchObject({
      code: 'WM4003',
      errorName: 'ReferenceError',
    });
  });

  it('promises of the host do not excuse a script from its limits afterwards', async () => {
    expect(await timeoutOf('await soon(1); for (;;) {}')).toMatchObject({ code: 'WM4001' });
    expect(await breachOf('await soon(1); const a = []; for (;;) a.push(new Array(1000).fill(1))')).toMatchObject({
      code: 'WM4002',
    });
    expect(await timeoutOf('await soon(1); [].includes.call({ length: 2 ** 53 - 1 }, 1)')).toMatchObject({
      code: 'WM4001',
    });
    expect(await timeoutOf('await soon(1); await new Promise(() => {})')).toMatchObject({ code: 'WM4001' });
  });

  it('promises of the host do not continue among the jobs of a script that was stopped', async () => {
    let settle!: (value: string) => void;
    const gate = new Promise((resolve) => (settle = resolve));
    let begin!: () => void;
    const hasBegun = new Promise<void>((resolve) => (begin = resolve));
    const evaluator = await JavaScriptEvaluator.create({
      timeoutMs: 20_000,
      // Of the processor's time, in which an engine that is new compiles as well.
      blockingMs: 500,
      globals: [{ name: 'gate', invoke: () => (begin(), gate) }],
    });
    const waiting = failureOf(() => run('await gate(); return "own"', evaluator));
    // On a busy machine its turn may come after that of the endless one, and it would not be among the jobs that are stopped.
    await hasBegun;
    const endless = '(async () => { for (;;) await null })()';
    expect(await failureOf(() => run(endless, evaluator))).toMatchObject({ code: 'WM4001', option: 'blockingMs' });
    settle('open');
    expect(await waiting).toMatchObject({
      code: 'WM4001',
      message: expect.stringContaining('Evaluate it again') as unknown,
    });
    expect(await run('await gate(); return "own"', evaluator)).toBe('own');
  });

  const greedy = [
    'for (;;) a.push(new Array(1000).fill(1))',
    'for (;;) a.push(() => a)',
    'for (;;) try { nope() } catch (error) { a.push(error) }',
    'for (let i = 0; ; i++) a.push("text " + i, { i }, [i])',
    'await soon(1); for (;;) a.push(new Array(100).fill(1))',
    'a.push(new Uint8Array(1e9))',
  ];
  it.each(drawnSampleOf(greedy, 3, 'scripts that fill the memory'))(
    'promises of the host survive another script that fills the memory: %s',
    async (source) => {
      const evaluator = await create(30_000, 30_000);
      // Where in the script its memory ends is different with each of them.
      for (let length = 0; length < amountOf(16); length++) {
        const waiting = run(`const x = await soon("kept"); return x + "${'x'.repeat(length * 97)}".length`, evaluator);
        const error = await failureOf(() => run(`const a = []; ${source}`, evaluator));
        expect(error).toMatchObject({ code: 'WM4002', limit: 'memory' });
        expect(await waiting).toBe(`kept${length * 97}`);
      }
    },
  );
});

describe('length', () => {
  it('is limited for the text of a script', async () => {
    const evaluator = new JavaScriptEvaluator({ maxScriptLength: 20 });
    const error = await failureOf(() => run('"a text that is too long"', evaluator));
    expect(error).toMatchObject({ code: 'WM4008', what: 'text', size: 25, limit: 20, option: 'maxScriptLength' });
    expect(run('"short"', evaluator)).toBe('short');
  });

  it.each(['inline', 'worker'] as const)(
    'is limited for the values of the result and of arguments, %s',
    async (sandbox) => {
      const evaluator = await JavaScriptEvaluator.create({
        sandbox,
        workers: 1,
        sandboxOnly: true,
        maxResultValues: 10_000,
      });
      const of = async (source: string): Promise<unknown> => evaluator.compile(source)(testScope());
      const repeated = 'const a = Array(100).fill([]); const b = Array(80).fill(a);';
      for (const source of [`${repeated} b`, `${repeated} setVariable('x', b)`, `${repeated} (async () => b)()`]) {
        const error = await failureOf(() => of(source));
        const { cause } = error as { cause?: unknown };
        expect([source, cause ?? error]).toEqual([
          source,
          expect.objectContaining({ code: 'WM4008', limit: 10_000, option: 'maxResultValues' }),
        ]);
      }
      expect(await of('Array(9000).fill(1)')).toHaveLength(9000);
      // Text is one value, whatever it holds.
      expect(await of('"[,".repeat(700000)')).toHaveLength(1_400_000);
      expect(await of('["[,".repeat(700000)]')).toHaveLength(1);
      expect(await of('setVariable("x", "[,".repeat(700000)); 1')).toBe(1);
      await evaluator.close();
    },
  );

  it('is limited for the result of a script', async () => {
    const evaluator = await JavaScriptEvaluator.create({ maxResultLength: 1000, sandboxOnly: true });
    expect(run('"x".repeat(1000)', evaluator)).toHaveLength(1000);
    for (const source of ['"x".repeat(1001)', 'Array(600).fill(1)', 'new Uint8Array(2000)'])
      expect(await failureOf(() => run(source, evaluator))).toMatchObject({
        code: 'WM4008',
        option: 'maxResultLength',
      });
  });
});
