import { describe, expect, it } from '@jest/globals';
import { ActivityRegistry } from '../activities/activity-registry.js';
import { Activity, Children, Input, Output, Port } from '../activities/decorators.js';
import { createDefaultTypeRegistry } from '../values/default-types.js';
import type { DefinitionContext } from './definition-context.js';
import { readDefinitionModel } from './definition-model.js';
import { validateDefinition } from './validate-definition.js';
import { descriptorsOf, walkActivities } from './walk-activities.js';
import type { WorkflowDefinition } from './workflow-definition.js';

@Activity({ namespace: 'Elsa', isContainer: true })
class Sequence {
  @Children() activities: unknown;
}

@Activity({ namespace: 'Elsa' })
class Switch {
  @Input({ isWrapped: false }) cases: unknown;
  @Port() default: unknown;
}

@Activity({ namespace: 'Elsa' })
class RunJavaScript {
  @Input({ type: 'String' }) script: unknown;
  @Output({ type: 'Object' }) result: unknown;
}

const registry = new ActivityRegistry();
for (const c of [Sequence, Switch, RunJavaScript]) registry.registerClass(c, {});
const ctx: DefinitionContext = { registry, types: createDefaultTypeRegistry(), newId: () => 'new' };
const read = (model: object) => readDefinitionModel(model, ctx) as unknown as WorkflowDefinition;
const run = (id: string, type: string, o: object = {}) => ({
  id,
  type: 'Elsa.RunJavaScript',
  script: { typeName: 'String', expression: { type, value: '1' } },
  ...o,
});
const nested = {
  id: 'S',
  type: 'Elsa.Sequence',
  activities: [
    {
      id: 'Sw',
      type: 'Elsa.Switch',
      cases: [{ label: 'One', condition: { type: 'Python', value: 'True' }, activity: run('C', 'CSharp') }],
      default: run('D', 'JavaScript'),
    },
    { id: 'Ghost', type: 'Acme.Unknown' },
  ],
};

describe('validateDefinition', () => {
  it('finds nothing wrong with an ordinary definition', () => {
    expect(
      validateDefinition(
        read({ inputs: [{ name: 'A' }], outputs: [{ name: 'A' }], root: run('A', 'JavaScript') }),
        ctx,
      ),
    ).toEqual([]);
  });

  it('names inputs and outputs that are defined more than once, in the words of the reference', () => {
    const names = (...list: string[]) => list.map((name) => ({ name }));
    expect(
      validateDefinition(read({ inputs: names('A', 'A', 'B', 'C', 'C', 'A'), outputs: names('X', 'X') }), ctx),
    ).toEqual([
      { message: 'The following inputs are defined more than once: A, C' },
      { message: 'The following outputs are defined more than once: X' },
    ]);
  });

  it('names expressions that cannot run here', () => {
    expect(validateDefinition(read({ root: nested }), ctx)).toEqual([
      {
        activityId: 'Sw',
        message: expect.stringContaining("'cases[0].condition' of activity 'Sw' (Elsa.Switch) is written in Python"),
      },
      {
        activityId: 'C',
        message: expect.stringContaining("'script' of activity 'C' (Elsa.RunJavaScript) is written in C#"),
      },
    ]);
  });

  it.each(['Klingon', 'constructor'])('names expressions of unknown types: %s', (type) => {
    expect(validateDefinition(read({ root: run('A', type) }), ctx)).toEqual([
      {
        activityId: 'A',
        message: `'script' of activity 'A' (Elsa.RunJavaScript) is an expression of type '${type}', which this server does not have.`,
      },
    ]);
  });

  it('uses the syntaxes of the host when they are given', () => {
    const expressions = { find: (type: string) => type === 'CSharp' || type === 'Literal' };
    expect(validateDefinition(read({ root: nested }), { ...ctx, expressions }).map((p) => p.activityId)).toEqual([
      'Sw',
      'D',
    ]);
  });

  it('names converters that do not exist', () => {
    const result = { typeName: 'Object', memoryReference: { id: 'x' }, converter: { id: 'nope' } };
    const definition = read({ root: run('J', 'Literal', { result }) });
    expect(validateDefinition(definition, ctx)).toEqual([
      { message: "Output 'Result' converter: converter 'nope' is not registered.", activityId: 'J' },
    ]);
    expect(validateDefinition(definition, { ...ctx, isOutputConverter: (id) => id === 'nope' })).toEqual([]);
  });
});

describe('walkActivities', () => {
  const visits = (stopAt?: string) => {
    const seen: string[] = [];
    walkActivities(read({ root: nested }).root, descriptorsOf(registry), ({ node, path, port, parent }) => {
      seen.push(`${parent?.id ?? '-'} > ${port} > ${node.id}: ${path}`);
      return node.id !== stopAt;
    });
    return seen;
  };

  it('visits everything with its place, parents first', () => {
    expect(visits()).toEqual([
      '- > Root > S: root',
      'S > Activities > Sw: root.activities[0]',
      'Sw > One > C: root.activities[0].cases[0].activity',
      'Sw > Default > D: root.activities[0].default',
      'S > Activities > Ghost: root.activities[1]',
    ]);
  });

  it('skips activities inside a node for which the visitor returns false', () => {
    expect(visits('Sw')).toHaveLength(3);
    expect(visits('S')).toHaveLength(1);
  });
});
