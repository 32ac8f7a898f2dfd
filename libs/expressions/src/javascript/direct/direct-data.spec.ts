import { describe, expect, it, jest, test } from '@jest/globals';
import { JavaScriptEvaluator } from '../javascript-evaluator.js';
import { failureOf, testScope } from '../test-scope.spec.js';
import { direct, globals, inSandbox, parts, shown } from './both-ways.spec.js';
import { DirectScript, LEFT_TO_SANDBOX } from './direct-script.js';

describe('workflow and expression share nothing', () => {
  it('workflow and expression share nothing when a value is returned', () => {
    const scope = testScope(parts());
    const { Order, list } = scope.variables as { Order: object; list: object };
    for (const source of [
      'getOrder()',
      '({ a: getOrder() }).a',
      'const o = getOrder(); [o][0]',
      'getX() && getOrder()',
    ]) {
      const value = direct(source, scope) as { customer: object; when: Date };
      expect(value).toEqual(Order);
      expect(value).not.toBe(Order);
      expect(value.customer).not.toBe((Order as typeof value).customer);
      expect(value.when).not.toBe((Order as typeof value).when);
    }
    expect((direct('[getList(), getList()]', scope) as unknown[]).every((l) => l !== list)).toBe(true);
  });

  it('workflow and expression share nothing when a function of the host is given one', () => {
    let given: unknown;
    const keep = { name: 'keep', isPure: true, invoke: (_: unknown, value: unknown) => void (given = value) };
    const scope = testScope(parts());
    expect(DirectScript.compile('keep(getOrder())', new Map([['keep', keep]]))!.evaluate(scope, undefined)).toBeNull();
    expect(given).toEqual(scope.variables.Order);
    expect(given).not.toBe(scope.variables.Order);
  });
});

describe('data of the host with unusual members', () => {
  class Service {
    secret = 's';
    toJSON = (): string => 'service';
  }
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  let deep: unknown = 1;
  for (let i = 0; i < 100; i++) deep = [deep];
  const strange: Record<string, unknown> = {
    'an instance': new Service(),
    'an instance in a list': [new Service()],
    'a function': { f: () => 1, a: 1 },
    'a symbol': { s: Symbol('s'), a: 1 },
    'a circle': circle,
    'a member __proto__': JSON.parse('{"__proto__": {"a": 1}}'),
    'a promise': Promise.resolve({ a: 1 }),
    'a revoked proxy': revoked(),
    'a getter that throws': Object.defineProperty({}, 'a', { enumerable: true, get: () => hostFailure() }),
    'deep data': deep,
    'much data': Array.from({ length: 60_000 }, () => 1),
  };
  test.each(Object.keys(strange))('%s', (name) => {
    for (const source of ['getV().a', 'getV()', 'getV()[0]', '[variables.V]', 'toJson(getV())'])
      expect(direct(source, testScope({ variables: { V: strange[name] } }))).toBe(LEFT_TO_SANDBOX);
  });

  it('a getter that changes its mind', () => {
    let reads = 0;
    const V = Object.defineProperty({}, 'a', { enumerable: true, get: () => (++reads > 1 ? process : 1) });
    for (const source of ['getV().a', 'getV()', 'getV().a.env', 'typeof getV().a']) {
      reads = 0;
      expect([LEFT_TO_SANDBOX, 'object']).toContain(direct(source, testScope({ variables: { V } })));
    }
  });

  it('members that are hidden or inherited', async () => {
    const V = Object.defineProperty({ a: 1 }, 'hidden', { value: 's', enumerable: false });
    const scope = testScope({ variables: { V } });
    expect(direct('getV().hidden', scope)).toBeNull();
    expect(await inSandbox('getV().hidden', scope)).toBe('null');
    Object.setPrototypeOf(V, { inherited: 's' });
    expect(direct('getV().inherited', scope)).toBe(LEFT_TO_SANDBOX);
  });
});

describe('limits', () => {
  it('the size of what a script builds is limited', () => {
    const doubling = Array.from({ length: 40 }, (_, i) => `const a${i + 1} = a${i} + a${i};`).join('');
    for (const source of [
      `const a0 = "x"; ${doubling} a40.length`,
      `const a0 = [1]; ${doubling.replaceAll(/(a\d+) \+ (a\d+)/g, '[$1, $2]')} a40`,
      `const a0 = "x"; ${doubling.replaceAll(/(a\d+) \+ (a\d+)/g, '`$${$1}$${$2}`')} a40.length`,
      `const a0 = ["x"]; ${doubling.replaceAll(/(a\d+) \+ (a\d+)/g, '[$1.join(), $1.join()]')} a40.length`,
    ])
      expect(direct(source, testScope())).toBe(LEFT_TO_SANDBOX);
  });

  it('functions that are called for many elements are limited in time', () => {
    const few = Array.from({ length: 200 }, (_, i) => i);
    const many = Array.from({ length: 20_000 }, (_, i) => i);
    const scope = testScope({ variables: { few, many, long: 'x'.repeat(20_000) } });
    expect(direct('getFew().map(n => n * 2).length', scope)).toBe(200);
    for (const source of [
      'getMany().map(n => n * 2 + n * 3 + n * 4 + n * 5).length',
      'getFew().map(a => getFew().map(b => getFew().map(c => a + b + c))).length',
      'const m = getMany(); getFew().filter(n => m.includes(-n)).length',
      'const m = getMany(); getFew().map(n => [...m]).length',
      'const m = getMany(); getFew().map(n => m.find(x => x < 0)).length',
      'const t = getLong(); getFew().map(n => t + n).length',
      'const t = getLong(); getFew().map(n => t.split("")).length',
      'const t = getLong(); getMany().map(n => t.indexOf("y")).length',
      'getMany().reduce((all, n) => [...all, n], []).length',
      'getFew().reduce((all, n) => all.concat(all, n), [1]).length',
      'getFew().reduce((all, n) => all + all, "x").length',
      'Math.max(...getMany())',
      'getFew().map(n => "x".padEnd(9999)).length',
      'getFew().map(n => JSON.stringify(getMany())).length',
    ])
      expect(direct(source, scope)).toBe(LEFT_TO_SANDBOX);
  });

  it('many calls of the host that take long are left to the sandbox, which has a limit of time', () => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const scope = testScope({ variables: { few: Array.from({ length: 20 }, (_, i) => i), x: 1 } });
    const slow = { ...scope, getVariable: (name: string) => ((now += 5), scope.getVariable(name)) };
    for (const call of ['getX()', 'getVariable("x")', 'variables.x']) {
      const source = `getFew().map(n => ${call}).length`;
      expect(direct(source, slow)).toBe(LEFT_TO_SANDBOX);
      expect(direct(source, scope)).toBe(20);
    }
    // Few of them are not timed: asking for the time costs as much as they do.
    expect(direct('getX() + getX()', slow)).toBe(2);
    jest.restoreAllMocks();
  });

  it('texts are paid before they are put together', () => {
    const scope = testScope({ variables: { t: 'x'.repeat(20_000), few: Array.from({ length: 500 }, (_, i) => i) } });
    expect(direct('const t = getT(); t.concat(...getFew().map(n => t)).length', scope)).toBe(LEFT_TO_SANDBOX);
    expect(direct('"a".concat("b", ...["c"])', scope)).toBe('abc');
  });

  it('limits hold for what the sandbox then does instead', async () => {
    const evaluator = await JavaScriptEvaluator.create({ timeoutMs: 200 });
    const scope = testScope({ variables: { many: Array.from({ length: 20_000 }, (_, i) => i) } });
    const source = 'const m = getMany(); m.map(a => m.map(b => a + b).length).length';
    expect(await failureOf(() => evaluator.compile(source)(scope))).toMatchObject({ code: 'WM4001' });
    expect(evaluator.compile('getMany().slice(0, 2).map(n => n + 1)')(scope)).toEqual([1, 2]);
  });

  it('the depth of the stack is limited', () => {
    const script = DirectScript.compile('getV().a.b', globals)!;
    const scope = testScope({ variables: { V: { a: { b: 1 } } } });
    const descend = (): unknown => {
      try {
        return descend();
      } catch {
        return [LEFT_TO_SANDBOX, 1].includes(script.evaluate(scope, undefined) as number);
      }
    };
    expect(descend()).toBe(true);
    expect(script.evaluate(scope, undefined)).toBe(1);
  });
});

describe('lists of the host with unusual members', () => {
  class Lines extends Array<number> {
    static calls = 0;
    override map(): never {
      Lines.calls++;
      throw new Error('host');
    }
    override [Symbol.iterator](): never {
      Lines.calls++;
      throw new Error('host');
    }
    static override get [Symbol.species](): never {
      Lines.calls++;
      throw new Error('host');
    }
  }
  const scope = testScope({ variables: { V: Lines.of(3, 1), sparse: [1, , 3] } }); // oxlint-disable-line no-sparse-arrays
  test.each([
    'getV().map(n => n + 1)',
    'getV().slice(1)',
    '[...getV()]',
    'getV().concat(getV())',
    'getV().filter(n => n > 1)',
    'getV().sort((a, b) => a - b)',
    'Math.max(...getV())',
    'getSparse().map(n => n ?? 0)',
    '[...getSparse()]',
    'getSparse().filter(n => n === undefined).length',
    'getSparse().flatMap(n => [n])',
    'getSparse().reduce((s, n) => s + (n ?? 10), 0)',
  ])('%s', async (source) => {
    const value = direct(source, scope);
    expect(value).not.toBe(LEFT_TO_SANDBOX);
    expect(shown(value)).toBe(await inSandbox(source, scope));
    expect(Lines.calls).toBe(0);
  });
});

it('dates are those of the clock', async () => {
  let now = 5;
  const evaluator = await JavaScriptEvaluator.create({ clock: { now: () => now } });
  const script = DirectScript.compile('[Date.now(), new Date()]', globals, () => now)!;
  expect(script.evaluate(testScope(), undefined)).toEqual([5, new Date(5)]);
  now = 6;
  expect(script.evaluate(testScope(), undefined)).toEqual([6, new Date(6)]);
  expect(evaluator.compile('[Date.now(), new Date()]')(testScope())).toEqual([6, new Date(6)]);
  expect(DirectScript.compile('Date.now()', globals)).toBeUndefined();
});

describe('functions', () => {
  const scope = testScope(parts());
  it('functions of the host may be pure', () => {
    const rate = { name: 'rate', isPure: true, invoke: (_: unknown, c: unknown) => (c === 'LT' ? 0.21 : 0) };
    expect(DirectScript.compile('getX() * rate("LT")', new Map([['rate', rate]]))!.evaluate(scope, undefined)).toBe(
      8.61,
    );
    const impure = new Map([['rate', { ...rate, isPure: false }]]);
    expect(DirectScript.compile('getX() * rate("LT")', impure)).toBeUndefined();
  });

  it('functions of the host replace built-ins of the same name', () => {
    const replace = (name: string): Map<string, never> => new Map([[name, { name, invoke: () => 1 } as never]]);
    for (const [name, source] of [
      ['getVariable', 'getVariable("x")'],
      ['getX', 'getX()'],
      ['Math', 'Math.round(1.5)'],
      ['Number', 'Number("1")'],
      ['Number', '["1"].map(Number)'],
      ['Object', 'Object.keys({})'],
      ['JSON', 'JSON.stringify(1)'],
      ['Date', 'new Date(5)'],
      ['NaN', 'NaN'],
      ['variables', 'variables.x'],
      ['args', 'args.item'],
    ] as const)
      expect(DirectScript.compile(source, replace(name))?.evaluate(scope, undefined)).toBeUndefined();
  });

  it('given for one evaluation are called', () => {
    const script = DirectScript.compile('getX() + getVariable("x")', globals)!;
    expect(script.evaluate(scope, {})).toBe(82);
    expect(script.evaluate(scope, { getX: () => 1 })).toBe(LEFT_TO_SANDBOX);
    expect(script.evaluate(scope, { getVariable: () => 1 })).toBe(LEFT_TO_SANDBOX);
  });
});

it('is tried rarely after it was in vain, and normally again after a success', () => {
  let reads = 0;
  let value: unknown = 5n;
  const script = DirectScript.compile('getVariable("x")', globals)!;
  const scope = { ...testScope(), getVariable: () => (reads++, value) };
  for (let i = 0; i < 1000; i++) expect(script.evaluate(scope, undefined)).toBe(LEFT_TO_SANDBOX);
  expect(reads).toBeLessThan(50);
  value = 1;
  const answers = Array.from({ length: 200 }, () => script.evaluate(scope, undefined));
  expect(answers.at(-1)).toBe(1);
});

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function hostFailure(): never {
  throw new Error('host');
}

describe('work on long texts counts towards a limit, beyond which the sandbox takes over', () => {
  const texts = { T: 'a'.repeat(10_000), Blank: ' '.repeat(10_000), P: `b${'a'.repeat(5000)}` };
  const variables = { ...texts, L: Array.from({ length: 1000 }, (_, i) => i) };
  test.each([
    't.lastIndexOf(p)',
    't.indexOf(p)',
    't.includes(p)',
    't.split(p).length',
    't.replace(p, "")',
    't.replaceAll("a", "")',
    't.toUpperCase().length',
    'b.trim()',
    't.startsWith(t)',
    't.endsWith(t)',
    't + "x" === t + "y"',
    '[t, t, t, t].includes(t + "x")',
  ])('%s for each element of a list', (body) => {
    const source = (list: string): string =>
      `const t = getT(), p = getP(), b = getBlank(); return ${list}.map((x) => ${body}).length`;
    expect(direct(source('getL()'), testScope({ variables }))).toBe(LEFT_TO_SANDBOX);
    expect(direct(source('[1]'), testScope({ variables }))).toBe(1);
  });
});

test('an invalid date is refused both ways', async () => {
  const variables = { never: new Date(NaN) };
  const evaluator = await JavaScriptEvaluator.create();
  for (const source of ['getNever()', '[getNever()]', '({ a: getNever() })', 'getVariable("never")']) {
    expect(direct(source, testScope({ variables }))).toBe(LEFT_TO_SANDBOX);
    expect(await failureOf(() => evaluator.compile(source)(testScope({ variables })))).toMatchObject({
      code: 'WM4005',
    });
  }
  expect(await evaluator.compile('JSON.stringify(getNever())')(testScope({ variables }))).toBe('null');
});
