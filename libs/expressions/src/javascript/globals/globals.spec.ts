import { beforeAll, describe, expect, it, test } from '@jest/globals';
import { JavaScriptEvaluator } from '../javascript-evaluator.js';
import type { JavaScriptOptions } from '../javascript-options.js';
import { failureOf, testScope, type TestScope, type TestScopeParts } from '../test-scope.spec.js';
import type { ScriptFunctions } from './javascript-global.js';

describe.each<[string, JavaScriptOptions]>([
  ['directly where possible', {}],
  ['in the sandbox alone', { sandboxOnly: true }],
])('evaluated %s', (_way, options) => {
  let evaluator: JavaScriptEvaluator;
  beforeAll(async () => {
    evaluator = await JavaScriptEvaluator.create({
      ...options,
      globals: [
        {
          name: 'createEventTriggerUrl',
          invoke: (scope, name) => `https://host/${String(name)}/${scope.facts.workflowInstanceId}`,
        },
        { name: 'getSecret', invoke: async (_, name) => Promise.resolve(`secret of ${String(name)}`) },
        { name: 'newGuidString', invoke: () => 'fixed' },
        { name: 'countArguments', invoke: (_, ...args) => args.length },
      ],
    });
  });

  const run = (source: string, parts?: TestScopeParts, functions?: ScriptFunctions): unknown =>
    evaluator.compile(source)(testScope(parts), functions);
  /** Runs a script; answers the scope that it worked on. */
  const after = (source: string, parts?: TestScopeParts): TestScope => {
    const scope = testScope(parts);
    evaluator.compile(source)(scope);
    return scope;
  };

  describe('the workflow', () => {
    test.each<[string, unknown]>([
      ['getWorkflowDefinitionId()', 'definition-1'],
      ['getWorkflowDefinitionVersionId()', 'version-1'],
      ['getWorkflowDefinitionVersion()', 3],
      ['getWorkflowInstanceId()', 'instance-1'],
      ['getCorrelationId()', null],
      ['setCorrelationId("c"); getCorrelationId()', 'c'],
      ['setCorrelationId("c"); setCorrelationId(null); getCorrelationId()', null],
      ['setWorkflowInstanceName("n"); getWorkflowInstanceName()', 'n'],
      ['getLastResult()', { a: 1 }],
      ['getVariable("X")', 5],
      ['getVariable("none")', null],
      ['setVariable("new", [1]); getVariable("new")', [1]],
      ['setVariable("new"); getVariable("new")', null],
      ['getInput("In")', 'input'],
      ['getInput("none")', null],
      ['getOutputFrom("Step 1")', 42],
      ['getOutputFrom("Step 1", "Other")', 'other'],
      ['getOutputFrom("Step 1", null)', 42],
    ])('%j is %j', (source, expected) => {
      const parts = {
        variables: { X: 5 },
        inputs: { In: 'input' },
        outputs: { 'Step 1': { Result: 42, Other: 'other' } },
        lastResult: { a: 1 },
      };
      expect(run(source, parts)).toEqual(expected);
    });

    it('has no activity of an unknown name', async () => {
      expect((await failureOf(() => run('getOutputFrom("none")'))).message).toContain('Activity not found.');
    });
  });

  describe('generated accessors', () => {
    const parts: TestScopeParts = {
      variables: { Counter: 1, customer: { Name: 'Ann' }, my_count: 7, größe: 'XL' },
      inputs: { Text: 'in', orderId: 17, Counter: 'hidden by the variable' },
      outputs: { SendHttpRequest1: { Result: 'r', StatusCode: 200 }, 'named step': { Result: 's' } },
      args: { item: { id: 1 }, Text: 'argument' },
    };
    test.each<[string, unknown]>([
      ['getCounter() + 1', 2],
      ['getCustomer().Name', 'Ann'],
      ['getMyCount()', 7],
      ['getGröße()', 'XL'],
      ['getOrderId()', 17],
      ['getText()', 'argument'],
      ['getItem().id + args.item.id', 2],
      ['args.none === undefined', true],
      ['getResultFromSendHttpRequest1() + getStatusCodeFromSendHttpRequest1()', 'r200'],
      ['getResultFromNamedStep()', 's'],
      ['[...getCustomer().Name].length', 3],
      ['const getCounter = () => "mine"; getCounter()', 'mine'],
      ['getCounter = () => "mine"; getCounter()', 'mine'],
      ['function getCounter() { return "mine" } getCounter()', 'mine'],
      ['new Date(5).getTime()', 5],
      ['eval("getCounter()")', 1],
      [
        '[typeof getCounter, typeof getNone, typeof setCounter, typeof setText]',
        ['function', 'undefined', 'function', 'undefined'],
      ],
    ])('%j is %j', (source, expected) => expect(run(source, parts)).toEqual(expected));

    it('generated accessors set variables, however those are spelled', () => {
      const { variables } = after('setCounter(2); setCustomer({ Name: "Eve" }); setMyCount(null)', {
        variables: { ...parts.variables },
      });
      expect(variables).toMatchObject({ Counter: 2, customer: { Name: 'Eve' }, my_count: null });
    });

    it('exist for variables and inputs only', async () => {
      for (const source of [
        'variables.None; setNone(1)',
        'getNone()',
        'setNone(1)',
        'setText(1)',
        'getResultFromNone()',
      ]) {
        expect(await failureOf(() => run(source, { inputs: { Text: 1 } }))).toMatchObject({
          errorName: 'ReferenceError',
        });
      }
    });

    it('look at the scope of each evaluation', () => {
      const script = evaluator.compile('getName()');
      expect([1, 'b', [3]].map((Name) => script(testScope({ variables: { Name } })))).toEqual([1, 'b', [3]]);
    });

    it('`args` is empty without arguments', () => expect(run('Object.keys(args)')).toEqual([]));
  });

  describe('variables.X', () => {
    it('is copied in, and copied back if the script has changed it', () => {
      const variables = { Model: { Items: [8, 4, 2] }, Other: 1, Same: { a: 1 } };
      const { Same } = variables;
      const scope = after('const m = variables.Model; m.Items.sort(); variables.Other = "x"; variables.Same;', {
        variables,
      });
      expect(scope.variables).toEqual({ Model: { Items: [2, 4, 8] }, Other: 'x', Same: { a: 1 } });
      expect(scope.variables.Same).toBe(Same); // not even written
    });

    it('makes a variable that is not there', () =>
      expect(after('variables.Fresh = [1]').variables).toEqual({ Fresh: [1] }));

    it('is undefined where there is none', () => {
      const scope = testScope();
      expect(evaluator.compile('variables.None === undefined')(scope)).toBe(true);
      expect(scope.variables).toEqual({});
    });

    it('knows the names that the script mentions, and no others', () => {
      const variables = { A: 1, B: 2, 'a name': 3, C: 4, D: 5 };
      expect(
        run('variables?.A; variables["a name"]; variables . C; Object.keys(variables).sort()', { variables }),
      ).toEqual(['A', 'C', 'a name']);
      expect(run('Object.keys(variables)', { variables })).toEqual([]);
    });

    it('does not write back names of workflow inputs, unless a variable of that name hides them', () => {
      const inputs = { In: 'i' };
      expect(after('variables.In = 2; variables.Out = 2', { variables: { Out: 1 }, inputs }).variables).toEqual({
        Out: 2,
      });
      const source = 'variables.In += 1; [getIn(), variables.In, getVariable("In")]';
      const scope = testScope({ variables: { In: 1 }, inputs });
      expect(evaluator.compile(source)(scope)).toEqual([1, 2, 1]);
      expect([scope.variables, run('getIn()', { variables: scope.variables, inputs })]).toEqual([{ In: 2 }, 2]);
    });

    it.each(['variables.X = null', 'variables.X = undefined', 'delete variables.X'])('is emptied by %s', (source) => {
      expect(after(source, { variables: { X: 1 } }).variables).toEqual({ X: null });
    });

    it('makes a variable that is not there of null', () =>
      expect(after('variables.Fresh = null', { variables: {} }).variables).toEqual({ Fresh: null }));

    it('does not overwrite what setVariable did meanwhile', () => {
      expect(after('variables.X; setX(2)', { variables: { X: 1 } }).variables).toEqual({ X: 2 });
    });

    it.each<[string, unknown, unknown]>([
      ['variables.X = 1; setX(2)', 0, 2],
      ['variables.X = 1; setX(0)', 0, 0],
      ['variables.X = 1; setVariable("X", 2)', 0, 2],
      ['setX(2); variables.X++', 0, 3],
      ['setX({ id: 7 }); variables.X.total = 5', null, { id: 7, total: 5 }],
      ['setVariable("X", { id: 7 }); variables.X.total = 5', { id: 1, old: true }, { id: 7, total: 5 }],
      ['variables.X = { a: 1 }; setX(variables.X.a + 1); variables.X += 5', 0, 7],
      ['variables.X = 3; setY(1); setVariable("Z", 2)', 0, 3],
      ['typeof setX; variables.X = 1; setX(2)', 0, 2],
      ['const setX = () => 5; variables.X = 1; setX(2)', 0, 1],
      ['setX = () => 5; variables.X = 1; setX(2)', 0, 1],
    ])('is what the setters have set meanwhile: %s', (source, X, expected) => {
      expect(after(source, { variables: { X, Y: 0 } }).variables.X).toEqual(expected);
    });

    it('follows the setters of names in other spellings, and of new ones', () => {
      expect(after('variables.my_count = 1; setMyCount(2)', { variables: { my_count: 0 } }).variables.my_count).toBe(2);
      expect(run('setVariable("Fresh", 1); variables.Fresh')).toBe(1);
    });

    it('follows the setters between promises', async () => {
      const scope = testScope({ variables: { X: 1 } });
      await evaluator.compile('variables.X = await getSecret("a"); setX(2); variables.X += await 5;')(scope);
      expect(scope.variables.X).toBe(7);
    });

    it('is written back when a promise is fulfilled', async () => {
      const scope = testScope({ variables: { X: 1 } });
      expect(await evaluator.compile('(async () => { variables.X = await getSecret("a"); return 1 })()')(scope)).toBe(
        1,
      );
      expect(scope.variables.X).toBe('secret of a');
    });

    it('keeps dates and other values that are not changed', () => {
      const variables = { When: new Date(5), Bytes: new Uint8Array([1]), Text: 'a😀', Big: 5n, List: [1.5, null] };
      const scope = testScope({ variables });
      scope.setVariable = () => {
        throw new Error('written');
      };
      expect(
        evaluator.compile(
          '[variables.When.getTime(), variables.Bytes.length, variables.Text, variables.Big, variables.List].length',
        )(scope),
      ).toBe(5);
    });
  });

  describe('helpers', () => {
    test.each<[string, unknown]>([
      ['[null, undefined, "", " "].map(isNullOrEmpty)', [true, true, true, false]],
      ['[null, undefined, "", " \\n", "a"].map(isNullOrWhiteSpace)', [true, true, true, true, false]],
      [
        'toJson({ name: "Test", list: [1, null], date: new Date(0), big: 5n })',
        '{"name":"Test","list":[1,null],"date":"1970-01-01T00:00:00+00:00","big":5}',
      ],
      ['toJson("é你😀\\"q\\"")', '"é你😀\\"q\\""'],
      ['toJson(undefined)', 'null'],
      ['/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(newGuid())', true],
      ['newGuid() !== newGuid()', true],
      [
        '/^[A-Za-z0-9]{22}$/.test(Array.from({ length: 99 }, newShortGuid).find(id => !/^[A-Za-z0-9]+$/.test(id)) ?? newShortGuid()) && getShortGuid().length === 22 && getGuidString().length === 36',
        true,
      ],
      ['parseGuid("{12345678-90AB-cdef-1234-567890ABCDEF}")', '12345678-90ab-cdef-1234-567890abcdef'],
      ['parseGuid("1234567890abcdef1234567890abcdef")', '12345678-90ab-cdef-1234-567890abcdef'],
      ['bytesFromString("hé")', new Uint8Array([104, 195, 169])],
      ['bytesToString(bytesFromString("hé"))', 'hé'],
      ['bytesToString(new Uint8Array([104, 195, 169]).buffer)', 'hé'],
      ['bytesToBase64(new Uint8Array([0, 255]))', 'AP8='],
      ['bytesFromBase64("AP8=")', new Uint8Array([0, 255])],
      ['stringToBase64("hé")', 'aMOp'],
      ['stringFromBase64("aMOp")', 'hé'],
      // Broken into lines, with the alphabet of URLs, without padding.
      ['stringFromBase64(" aMOp\\r\\n IQ== ")', 'hé!'],
      ['bytesToBase64(bytesFromBase64("-_8"))', '+/8='],
      ['stringFromBase64("")', ''],
      ['streamToBase64(streamToBytes(bytesFromString("a")))', 'YQ=='],
      ['["b", "a", "ä"].sort((a, b) => a.localeCompare(b)).length', 3],
      ['[3, 1, 2].toSorted().at(-1)', 3],
    ])('%s', (source, expected) => expect(run(source)).toEqual(expected));

    test.each([
      'parseGuid("nope")',
      'bytesToString(null)',
      'stringToBase64(null)',
      'bytesToBase64(5)',
      // What Node would decode by leaving something out.
      'stringFromBase64("!!")',
      'bytesFromBase64("YWJj, ZGVm")',
      'bytesFromBase64("a")',
      'bytesFromBase64("YQ=")',
      'bytesFromBase64("Y=Q=")',
      'bytesToString("é")',
    ])('%s fails', async (source) => {
      expect(await failureOf(() => run(source))).toMatchObject({ code: 'WM4003', errorName: 'TypeError' });
    });

    it('helpers do not include those of a browser or of Node', () => {
      const names = [
        'console',
        'fetch',
        'setTimeout',
        'setInterval',
        'require',
        'process',
        'module',
        'Buffer',
        'global',
        'window',
        'queueMicrotask',
        'Intl',
      ];
      expect(run(`[${names.map((n) => `typeof ${n}`).join()}].filter(t => t !== "undefined")`)).toEqual([]);
    });
  });

  it('texts for people are the same for each language', () => {
    expect(
      run(
        '[(1234.5).toLocaleString(), (1234.5).toLocaleString("de"), new Date(2020, 0, 2, 9).toLocaleDateString("de"), new Date(2020, 0, 2, 9).toLocaleTimeString(), 5n.toLocaleString("de")]',
      ),
    ).toEqual(['1234.5', '1234.5', '01/02/2020', '09:00:00 AM', '5']);
  });

  describe('functions of the host', () => {
    it('functions of the host are called with data and answer data, or promises of it', async () => {
      expect(run('createEventTriggerUrl("go")')).toBe('https://host/go/instance-1');
      expect(await run('getSecret("a").then(s => s + "!")')).toBe('secret of a!');
      expect(await run('const [a, b] = await Promise.all([getSecret("a"), getSecret("b")]); return [b, a]')).toEqual([
        'secret of b',
        'secret of a',
      ]);
      expect(run('[countArguments(), countArguments(undefined), countArguments(1, 2, 3, 4)]')).toEqual([0, 1, 4]);
    });

    it('functions of the host replace standard ones of the same name', () =>
      expect(run('newGuidString()')).toBe('fixed'));

    it('can be given for one evaluation', () => {
      const seen: unknown[] = [];
      const functions = { setOutcome: (...args: unknown[]) => void seen.push(...args), getCounter: () => 'function' };
      expect(run('setOutcome("A", [1]); getCounter()', { variables: { Counter: 1 } }, functions)).toBe('function');
      expect(seen).toEqual(['A', [1]]);
    });

    it('functions of the host belong to their evaluation', async () => {
      expect(run('typeof setOutcome')).toBe('undefined');
      expect(run('setOutcome("x")', {}, { setOutcome: () => 1 })).toBe(1);
      expect(await failureOf(() => run('setOutcome("x")'))).toMatchObject({ errorName: 'ReferenceError' });
    });
  });
});
