import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it, jest, test } from '@jest/globals';
import * as fc from 'fast-check';
import { amountOf, isThorough } from '../../../../../test/support/depth.js';
import { describeInTurn } from '../../../../../test/support/pairs.js';
import { parts, shown } from '../direct/both-ways.spec.js';
import { scripts, variables } from '../direct/random-scripts.spec.js';
import type { JavaScriptGlobal } from '../globals/javascript-global.js';
import { JavaScriptEvaluator } from '../javascript-evaluator.js';
import type { JavaScriptOptions } from '../javascript-options.js';
import { failureOf, testScope, type TestScope } from '../test-scope.spec.js';

// Nothing here waits for so long: it is the end of a test that hangs.
jest.setTimeout(120_000);

/** Long enough that a script which is to be ended otherwise never ends by it. */
const FOREVER_MS = 600_000;
/** What a script may take where it is to be ended by that, or not to be. */
const LIMIT_MS = isThorough ? 1000 : 400;
const LOOP = 'started(); for (;;) {}';

const open: JavaScriptEvaluator[] = [];
afterAll(() => Promise.all(open.map((evaluator) => evaluator.close())));

function evaluatorOf(options: JavaScriptOptions): JavaScriptEvaluator {
  const evaluator = new JavaScriptEvaluator({ sandbox: 'worker', sandboxOnly: true, workers: 1, ...options });
  open.push(evaluator);
  return evaluator;
}

/** A function of the host, and a promise of its first call. */
function signalOf(name: string): { global: JavaScriptGlobal; called: Promise<void> } {
  let call!: () => void;
  const called = new Promise<void>((resolve) => (call = resolve));
  return { global: { name, invoke: () => call() }, called };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('a variable that a script has and sets is the same in both ways', async () => {
  const scope = testScope({ variables: { X: null } });
  await evaluatorOf({}).compile('setX({ id: 7 }); variables.X.total = 5')(scope);
  expect(scope.variables.X).toEqual({ id: 7, total: 5 });
});

describe('a script that loops within its limits', () => {
  it('lets other requests continue', async () => {
    const { global, called } = signalOf('started');
    const evaluator = evaluatorOf({ timeoutMs: FOREVER_MS, workers: 2, globals: [global] });
    const controller = new AbortController();
    const events: string[] = [];
    const loop = failureOf(() => evaluator.compile(LOOP)(testScope({ signal: controller.signal }))).finally(() =>
      events.push('loop ended'),
    );
    await called;
    for (let i = 0; i < 1000; i++) await turn();
    events.push('1000 turns');
    expect(await evaluator.compile('getX() + 1')(testScope({ variables: { X: 1 } }))).toBe(2);
    events.push('another script');
    expect(await new JavaScriptEvaluator({ sandboxOnly: true }).compile('1 + 1')(testScope())).toBe(2);
    events.push('a script inline');
    const reason = new Error('cancelled');
    controller.abort(reason);
    expect(await loop).toBe(reason);
    expect(events).toEqual(['1000 turns', 'another script', 'a script inline', 'loop ended']);
    // Its thread was stopped in the loop, and serves others.
    expect(await Promise.all([1, 2, 3].map((n) => evaluator.compile(`${n}`)(testScope())))).toEqual([1, 2, 3]);
  });

  it.each([
    ['worker', true],
    ['inline', false],
  ] as const)(
    'a script that loops within its limits lets requests go through until its limit ends it: %s',
    async (sandbox, goesOn) => {
      let turns = 0;
      const { global, called } = signalOf('started');
      const evaluator = evaluatorOf({ sandbox, timeoutMs: LIMIT_MS, globals: [global] });
      await evaluator.load();
      const counting = setInterval(() => turns++, LIMIT_MS / 50);
      const loop = failureOf(() => evaluator.compile(LOOP)(testScope())).finally(() => clearInterval(counting));
      await called;
      expect(await loop).toMatchObject({ code: 'WM4001', timeoutMs: LIMIT_MS });
      expect(turns > 1).toBe(goesOn);
    },
  );
});

describeInTurn('cancelling', () => {
  it('removes a script from the queue, and one that waits for the host from its thread', async () => {
    const started = signalOf('started');
    const evaluator = evaluatorOf({
      timeoutMs: FOREVER_MS,
      globals: [started.global, { name: 'never', invoke: () => new Promise(() => {}) }],
    });
    const controllers = [1, 2, 3].map(() => new AbortController());
    const scopes = controllers.map(({ signal }) => testScope({ signal }));
    const sources = ['await never(); setVariable("a", 1)', LOOP, 'setVariable("a", 1)'];
    const ends = sources.map((source, i) => failureOf(() => evaluator.compile(source)(scopes[i]!)));
    await started.called;
    for (const [i, controller] of [...controllers.entries()].reverse()) {
      const reason = new Error(`cancelled ${i}`);
      controller.abort(reason);
      expect(await ends[i]).toBe(reason);
    }
    expect(await evaluator.compile('"next"')(testScope())).toBe('next');
    expect(scopes.map((s) => s.variables)).toEqual([{}, {}, {}]);
  });

  it('keeps the script from changing anything afterwards', async () => {
    const controller = new AbortController();
    const evaluator = evaluatorOf({
      timeoutMs: FOREVER_MS,
      globals: [{ name: 'cancel', invoke: () => controller.abort(new Error('cancelled')) }],
    });
    const scope = testScope({ signal: controller.signal });
    const source = 'cancel(); for (let i = 0; ; i++) try { setVariable("a", i) } catch {}';
    expect(await failureOf(() => evaluator.compile(source)(scope))).toMatchObject({ message: 'cancelled' });
    expect(await evaluator.compile('"next"')(testScope())).toBe('next');
    expect(scope.variables).toEqual({});
  });
});

describeInTurn('scripts that wait for the host', () => {
  it('scripts that wait for the host release their thread to others, and continue in it', async () => {
    let open!: (value: unknown) => void;
    const gate = new Promise((resolve) => (open = resolve));
    const evaluator = evaluatorOf({ globals: [{ name: 'gate', invoke: () => gate }], timeoutMs: FOREVER_MS });
    const scopes = Array.from({ length: 5 }, (_, i) => testScope({ variables: { I: i } }));
    const waiting = scopes.map((scope) =>
      evaluator.compile('const v = await gate(); setVariable("Got", v); return [getI(), v]')(scope),
    );
    expect(await evaluator.compile('"meanwhile"')(testScope())).toBe('meanwhile');
    open(null);
    expect(await Promise.all(waiting)).toEqual([0, 1, 2, 3, 4].map((i) => [i, null]));
    expect(scopes.map((s) => s.variables['Got'])).toEqual(Array(5).fill(null));
  });

  it('scripts that wait for the host fail with an error of their own when another one has to be stopped by force', async () => {
    const evaluator = evaluatorOf({ timeoutMs: 300, globals: [{ name: 'gate', invoke: () => new Promise(() => {}) }] });
    await evaluator.load();
    const waiting = failureOf(() => evaluator.compile('await gate()')(testScope()));
    const endless = '[].includes.call({ length: 2 ** 53 - 1 }, 1)';
    expect(await failureOf(() => evaluator.compile(endless)(testScope()))).toMatchObject({ code: 'WM4001' });
    expect(await waiting).toMatchObject({ code: 'WM4001' });
    expect(await evaluator.compile('1 + 1')(testScope())).toBe(2);
  });
});

test('the time until the host serves a call does not count for the script', async () => {
  const evaluator = evaluatorOf({ timeoutMs: LIMIT_MS, globals: [{ name: 'ask', invoke: () => 1 }] });
  await evaluator.load();
  const result = evaluator.compile('let n = 0; for (let i = 0; i < 5; i++) n += ask(); n')(testScope());
  // The process is busy with something else for longer than the script may take.
  for (let i = 0; i < 5; i++) {
    for (const end = performance.now() + 0.3 * LIMIT_MS; performance.now() < end;);
    await turn();
  }
  expect(await result).toBe(5);
});

test('functions of the host see the asynchronous context of the evaluation', async () => {
  const request = new AsyncLocalStorage<string>();
  const here = (): string | undefined => request.getStore();
  const evaluator = evaluatorOf({
    globals: [
      { name: 'here', invoke: here },
      { name: 'hereLater', invoke: () => Promise.resolve().then(here) },
    ],
  });
  const script = evaluator.compile('[here(), await hereLater(), here()]');
  const seen = ['a', 'b'].map((name) => request.run(name, () => script(testScope())));
  expect(await Promise.all(seen)).toEqual(['a', 'b'].map((name) => [name, name, name]));
  // Otherwise every promise of the files after this one would be followed.
  request.disable();
});

describeInTurn('the queue', () => {
  it('is limited', async () => {
    const started = signalOf('started');
    const controller = new AbortController();
    const evaluator = evaluatorOf({ timeoutMs: FOREVER_MS, maxWaiting: 1, globals: [started.global] });
    const loop = failureOf(() => evaluator.compile(LOOP)(testScope({ signal: controller.signal })));
    await started.called;
    const waiting = evaluator.compile('"waited"')(testScope());
    const refused = await failureOf(() => evaluator.compile('"one too many"')(testScope()));
    expect(refused).toMatchObject({ code: 'WM4011', reason: 'busy', limit: 1 });
    expect(refused.message).toContain('"maxWaiting"');
    controller.abort();
    await loop;
    expect(await waiting).toBe('waited');
  });

  it('is served by as many threads as are allowed', async () => {
    const calls: (() => void)[] = [];
    let both!: () => void;
    const bothRun = new Promise<void>((resolve) => (both = resolve));
    const controller = new AbortController();
    const invoke = (): void => void (calls.push(() => undefined) === 2 && both());
    const evaluator = evaluatorOf({ timeoutMs: FOREVER_MS, workers: 2, globals: [{ name: 'started', invoke }] });
    const loops = [1, 2, 3].map(() =>
      failureOf(() => evaluator.compile(LOOP)(testScope({ signal: controller.signal }))),
    );
    await bothRun;
    for (let i = 0; i < 100; i++) await turn();
    expect(calls).toHaveLength(2);
    controller.abort(new Error('cancelled'));
    for (const loop of loops) expect(await loop).toMatchObject({ message: 'cancelled' });
  });
});

describe('the end of the application', () => {
  it('ends scripts that run, wait for the host, or are queued', async () => {
    const started = signalOf('started');
    const never = { name: 'never', invoke: () => new Promise(() => {}) };
    const evaluator = evaluatorOf({ timeoutMs: FOREVER_MS, globals: [started.global, never] });
    const ends = ['await never()', LOOP, '1'].map((source) => failureOf(() => evaluator.compile(source)(testScope())));
    await started.called;
    await evaluator.onModuleDestroy();
    await evaluator.onApplicationShutdown();
    for (const end of ends) expect(await end).toMatchObject({ code: 'WM4011', reason: 'closed' });
    expect(await failureOf(() => evaluator.compile('(() => 1)()')(testScope()))).toMatchObject({ code: 'WM4011' });
    await evaluator.close();
  });

  it('is possible while a thread is being started', async () => {
    const evaluator = evaluatorOf({});
    const end = failureOf(() => evaluator.compile('(() => 1)()')(testScope()));
    await evaluator.close();
    expect(await end).toMatchObject({ code: 'WM4011', reason: 'closed' });
  });
});

describeInTurn('random scripts', () => {
  const ways = { inline: { sandbox: 'inline' }, worker: { sandbox: 'worker' } } as const;
  let evaluators: Record<keyof typeof ways, JavaScriptEvaluator>;
  beforeAll(() => {
    evaluators = { inline: evaluatorOf(ways.inline), worker: evaluatorOf(ways.worker) };
  });

  async function outcome(way: keyof typeof ways, source: string, scope: TestScope): Promise<string> {
    try {
      return shown(await evaluators[way].compile(source)(scope));
    } catch (error) {
      return `failed: ${String(error)}`;
    }
  }

  it('random scripts have the same results as scripts that only read and compute', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, variables, async (source, own) => {
        const scopes = [1, 2].map(() => testScope({ ...parts(), variables: { ...parts().variables, ...own } }));
        expect(await outcome('worker', source, scopes[0]!)).toBe(await outcome('inline', source, scopes[1]!));
      }),
      { numRuns: amountOf(400, 16) },
    );
  });
});

test('options are checked', () => {
  expect(() => new JavaScriptEvaluator({ sandbox: 'thread' as never })).toThrow("must be 'inline' or 'worker'");
  expect(() => new JavaScriptEvaluator({ workers: 0 })).toThrow('Option "workers"');
  expect(() => new JavaScriptEvaluator({ maxWaiting: 0 })).toThrow('Option "maxWaiting"');
});

describe('variables of types of .NET', () => {
  it('variables of types of .NET are asked of the main thread', async () => {
    const scope = testScope({ variables: { Wait: '01:30:00', Text: '01:30:00' }, types: { Wait: 'TimeSpan' } });
    const source =
      '[getWait().TotalMinutes, variables.Wait.Hours, newGuid().ToString("N").length, getText().TotalMinutes]';
    expect(await evaluatorOf({}).compile(source)(scope)).toEqual([90, 1, 32, undefined]);
  });
});
