import { beforeAll, describe, expect, it, test } from '@jest/globals';
import { type ActivityExecutionContext } from '@waymark/core';
import { describeActivity } from '@waymark/core/adapter';
import { JavaScriptEvaluator } from './javascript/javascript-evaluator.js';
import { failureOf, testScope } from './javascript/test-scope.spec.js';
import { RunJavaScript } from './run-javascript.activity.js';

let provider: RunJavaScript;
beforeAll(async () => {
  provider = new RunJavaScript(await JavaScriptEvaluator.create());
});

/** What one execution came to: its outcomes (`default` for none given) and the result, if it was set. */
async function execute(script: string | null | undefined): Promise<{ outcomes: unknown; result?: unknown }> {
  const activity = Object.assign(Object.create(provider) as RunJavaScript, { script });
  let outcomes: unknown;
  const ctx = {
    expressionScope: testScope({ variables: { X: 1 } }),
    complete: () => void (outcomes = 'default'),
    completeWithOutcomes: (...names: string[]) => void (outcomes = names),
  };
  await activity.execute(ctx as unknown as ActivityExecutionContext);
  return Object.hasOwn(activity, 'result') ? { outcomes, result: activity.result } : { outcomes };
}

describe('RunJavaScript', () => {
  test.each<[string | null | undefined, object]>([
    ['return 1 + 1;', { outcomes: ['Done'], result: 2 }],
    ['({ a: [getX()] })', { outcomes: ['Done'], result: { a: [1] } }],
    ['setOutcome("A")', { outcomes: ['A'] }],
    ['setOutcome("A"); setOutcomes(["B", "C"]); 5', { outcomes: ['B', 'C'], result: 5 }],
    ['setOutcomes(["B"]); setOutcome("A"); null', { outcomes: ['A'] }],
    ['setOutcomes([])', { outcomes: [] }],
    ['setOutcomes("A")', { outcomes: ['A'] }],
    ['return', { outcomes: ['Done'] }],
    ['Promise.resolve(1).then(x => { setOutcome("Later"); return x })', { outcomes: ['Later'], result: 1 }],
    ['', { outcomes: 'default' }],
    ['  \n', { outcomes: 'default' }],
    [null, { outcomes: 'default' }],
    [undefined, { outcomes: 'default' }],
  ])('%j', async (script, expected) => expect(await execute(script)).toEqual(expected));

  it('is described as files and tools know it', () => {
    expect(describeActivity(RunJavaScript)).toMatchObject({
      typeName: 'Elsa.RunJavaScript',
      category: 'Scripting',
      displayName: 'Run JavaScript',
      kind: 'Action',
      inputs: [
        {
          name: 'Script',
          typeName: 'String',
          uiHint: 'code-editor',
          defaultSyntax: 'JavaScript',
          uiSpecifications: { 'code-editor': { language: 'javascript' } },
        },
        {
          name: 'PossibleOutcomes',
          displayName: 'Possible Outcomes',
          typeName: 'List<String>',
          uiHint: 'dynamic-outcomes',
        },
      ],
      outputs: [{ name: 'Result', typeName: 'Object' }],
      ports: [],
    });
  });

  it('fails with the error of the script', async () => {
    expect(await failureOf(() => execute('nope()'))).toMatchObject({ code: 'WM4003' });
    expect(await failureOf(() => execute('a b'))).toMatchObject({ code: 'WM4004' });
  });

  it('keeps outcomes of executions apart', async () => {
    expect(await Promise.all([execute('setOutcome("A")'), execute('1'), execute('setOutcome("B")')])).toEqual([
      { outcomes: ['A'] },
      { outcomes: ['Done'], result: 1 },
      { outcomes: ['B'] },
    ]);
  });
});
