import { describe, expect, it } from '@jest/globals';
import { W, act, js, runJs, seq } from '../conformance/lib/build.mjs';
import { useApplication } from '../support/use-application.js';

const test = useApplication();
const STRATEGY = 'Elsa.Workflows.LogPersistence.Strategies';
const named = (name: string) => ({
  evaluationMode: 'Strategy',
  strategyType: `${STRATEGY}.${name}, Elsa.Workflows.Core`,
  expression: null,
});
const computed = (source: string) => ({
  evaluationMode: 'Expression',
  strategyType: null,
  expression: { type: 'JavaScript', value: source },
});

/** What is kept of a script's input and output. */
async function kept(activity: object, workflow: object = {}): Promise<string> {
  const run = await test.run(seq('S', [runJs('J', 'return 42;', { custom: activity as Record<string, unknown> })]), {
    customProperties: workflow,
  });
  expect(run.status).toBe('Finished');
  const { activityState, outputs } = run.record('J');
  return [activityState && 'Script' in activityState ? 'in' : '', outputs && 'Result' in outputs ? 'out' : ''].join('');
}

const legacy = (fallback: string, inputs: object = {}, outputs: object = {}) => ({
  logPersistenceMode: { default: fallback, inputs, outputs },
});
const config = (members: object) => ({ logPersistenceConfig: members });

describe('what records keep', () => {
  it.each<[string, object, object, string]>([
    ['nothing is said', {}, {}, 'inout'],
    ['Include', legacy('Include'), {}, 'inout'],
    ['Exclude', legacy('Exclude'), {}, ''],
    ['Inherit', legacy('Inherit'), {}, 'inout'],
    ['Inherit from a workflow that excludes', legacy('Inherit'), legacy('Exclude'), ''],
    ['the workflow excludes', {}, legacy('Exclude'), ''],
    ['Include in a workflow that excludes', legacy('Include'), legacy('Exclude'), 'inout'],
    ['an input is excluded', legacy('Include', { script: 'Exclude' }), {}, 'out'],
    ['an output is excluded', legacy('Include', {}, { result: 'Exclude' }), {}, 'in'],
    ['an input is included', legacy('Exclude', { script: 'Include' }), {}, 'in'],
    ['an output is included', legacy('Exclude', {}, { result: 'Include' }), {}, 'out'],
    ['an input inherits', legacy('Exclude', { script: 'Inherit' }), {}, ''],
    ['names in PascalCase are ignored', legacy('Include', { Script: 'Exclude' }, { Result: 'Exclude' }), {}, 'inout'],
    ['a plain mode', { logPersistenceMode: 'Exclude' }, {}, ''],
    ['a plain mode of the workflow', {}, { logPersistenceMode: 'Exclude' }, ''],
    ['a mode in lower case', legacy('exclude'), {}, ''],
    ['a strategy', config({ default: named('Exclude') }), {}, ''],
    ['a strategy for an input', config({ default: named('Inherit'), inputs: { script: named('Exclude') } }), {}, 'out'],
    [
      'a strategy for an output',
      config({ default: named('Include'), outputs: { result: named('Exclude') } }),
      {},
      'in',
    ],
    [
      'strategies of both levels',
      config({ inputs: { script: named('Include') } }),
      config({ default: named('Exclude') }),
      'in',
    ],
    [
      'the Configuration strategy: that of the application',
      config({ default: named('Configuration') }),
      legacy('Exclude'),
      'inout',
    ],
    [
      'the short name of a strategy',
      config({ default: { evaluationMode: 'Strategy', strategyType: 'Exclude' } }),
      {},
      '',
    ],
    [
      'the new form counts before the old one',
      { ...config({ default: named('Exclude') }), ...legacy('Include') },
      {},
      '',
    ],
    [
      'the old form, where the new one says nothing',
      { ...config({}), ...legacy('Include', { script: 'Exclude' }, { result: 'Exclude' }) },
      {},
      '',
    ],
    [
      'the old form beside the new one: each input by itself',
      { ...config({ inputs: { script: named('Include') } }), ...legacy('Exclude', { script: 'Exclude' }) },
      {},
      'in',
    ],
    ['null in the new form says nothing', { ...config({ default: null }), ...legacy('Exclude') }, {}, ''],
    ['an unknown strategy', config({ default: named('Nope') }), {}, 'inout'],
    ['an expression', config({ default: computed('"Exclude"') }), {}, ''],
    [
      'an expression that looks at the workflow',
      config({ inputs: { script: computed('getWorkflowDefinitionVersion() === 1 ? "Exclude" : "Include"') } }),
      {},
      'out',
    ],
    ['an expression by number', config({ default: computed('2') }), {}, ''],
    ['an expression without a mode: inherited', config({ default: computed('null') }), legacy('Exclude'), ''],
    ['an expression that gives an empty text: inherited', config({ default: computed('""') }), {}, 'inout'],
    ['an expression that gives an unknown mode', config({ default: computed('"Exlude"') }), {}, ''],
    ['an expression that gives an unknown number', config({ default: computed('7') }), {}, ''],
    ['an expression that gives no name', config({ default: computed('false') }), {}, ''],
    ['an expression for an output', config({ outputs: { result: computed('"Exclude"') } }), {}, 'in'],
    ['an expression of the workflow', {}, config({ default: computed('"Exclude"') }), ''],
    ['an expression that fails: nothing is kept', config({ default: computed('nope()') }), {}, ''],
  ])('%s', async (_, activity, workflow, expected) => expect(await kept(activity, workflow)).toBe(expected));

  it.each<[string, object, boolean]>([
    ['is left out by a setting of its own', { internalState: named('Exclude') }, false],
    ['is kept by a setting of its own', { internalState: named('Include') }, true],
    ['is kept where nothing is set', {}, true],
    ['is left out by the configuration', config({ internalState: named('Exclude') }), false],
  ])('the internal state %s', async (_, custom, isKept) => {
    const items = { typeName: 'Object', expression: { type: 'Object', value: '[1]' } };
    const loop = act('Elsa.ForEach', 'F', { items, body: W('w', 'x') }, { custom: custom as never });
    const run = await test.run(seq('S', [loop]));
    expect('CurrentIndex' in (run.record('F').properties ?? {})).toBe(isKept);
  });

  it('values that are left out are still available to the workflow', async () => {
    const run = await test.run(
      seq('S', [runJs('J', 'return 42;', { custom: legacy('Exclude') }), W('w', js('"" + getOutputFrom("J")'))]),
    );
    expect(run.lines).toEqual(['42']);
  });

  it('outcomes are kept, whatever is left out', async () => {
    const run = await test.run(runJs('J', 'setOutcome("A")', { custom: legacy('Exclude') }));
    expect(run.outcomes('J')).toEqual([['A']]);
  });
});

describe('the mode of the application', () => {
  const excluding = useApplication({ logPersistenceMode: 'Exclude' });
  it('applies when neither the activity nor the workflow sets one', async () => {
    const root = seq('S', [W('a', 'a'), W('b', 'b', { custom: legacy('Include') })]);
    const run = await excluding.run(root);
    expect([run.record('a').activityState, run.record('b').activityState]).toEqual([undefined, { Text: 'b' }]);
  });
});
