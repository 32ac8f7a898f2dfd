import { describe, expect, it } from '@jest/globals';
import type { ActivityDescriptor } from '../activities/activity-descriptor.js';
import { ActivityRegistry } from '../activities/activity-registry.js';
import { Activity, Children, Input } from '../activities/decorators.js';
import { describeActivity } from '../activities/describe-activity.js';
import { createDefaultTypeRegistry } from '../values/default-types.js';
import type { DefinitionContext } from './definition-context.js';
import { readDefinitionModel } from './definition-model.js';
import { normalizeActivity } from './normalize-activity.js';
import type { ActivityJson, WorkflowDefinition } from './workflow-definition.js';
import { countWorkflows, findReferences, replaceReferences } from './workflow-references.js';

@Activity({ namespace: 'Elsa', isContainer: true })
class Sequence {
  @Children() activities: unknown;
}

@Activity({ namespace: 'Elsa' })
class DispatchWorkflow {
  @Input({ type: 'String' }) workflowDefinitionId: unknown;
}

@Activity()
class Inputs {
  @Input({ type: 'Double', name: 'TaxedAmount' }) taxedAmount: unknown;
  @Input({ type: 'String', name: '_Name' }) _Name: unknown;
}

function taxDescriptor(version: number, isBrowsable = true): ActivityDescriptor {
  const base = describeActivity(Inputs);
  return {
    ...base,
    typeName: 'SampleTax',
    version,
    isBrowsable,
    inputs: base.inputs.map((input) => ({ ...input, isSynthetic: true })),
    outputs: [
      {
        name: 'Tax',
        propertyName: 'tax',
        typeName: 'Double',
        displayName: 'Tax',
        order: 0,
        isBrowsable: true,
        isSerializable: true,
        isSynthetic: true,
      },
    ],
    constructionProperties: {
      WorkflowDefinitionId: 'tax',
      WorkflowDefinitionVersionId: `tax-v${version}`,
      Version: version,
    },
  };
}

const registry = new ActivityRegistry();
registry.registerClass(Sequence, {});
registry.registerClass(DispatchWorkflow, {});
for (const d of [taxDescriptor(1), taxDescriptor(2), taxDescriptor(3, false)])
  registry.register({ descriptor: d, activityClass: Inputs, provider: {} });
const ctx: DefinitionContext = { registry, types: createDefaultTypeRegistry(), newId: () => 'new' };

const node = (o: object) => ({ id: 'Tax', type: 'SampleTax', ...o });

describe('a workflow used as an activity', () => {
  it('keeps what is bound to inputs and outputs that its version does not declare', () => {
    const amount = { typeName: 'Double', expression: { type: 'JavaScript', value: '5' } };
    const rate = { typeName: 'Double', memoryReference: { id: 'rate' } };
    const read = normalizeActivity(node({ amount, rate, Tax: rate, note: 'of a tool', other: { value: 1 } }), ctx);
    expect(read).toMatchObject({ amount, rate, tax: rate });
    expect(Object.keys(read)).not.toEqual(expect.arrayContaining(['note', 'other', 'Tax']));
    expect(normalizeActivity(read, ctx)).toEqual(read);
  });

  describe('that has an input and an output of one name', () => {
    const both = taxDescriptor(1);
    const tax = { ...both.inputs[0]!, name: 'tax', propertyName: 'Tax' };
    const own = new ActivityRegistry();
    own.registerClass(Sequence, {});
    own.register({ descriptor: { ...both, inputs: [tax] }, activityClass: Inputs, provider: {} });
    const read = (given: unknown) => {
      const run = readDefinitionModel(
        { root: { type: 'Elsa.Sequence', id: 'S', activities: [{ type: 'SampleTax', id: 'T', tax: given }] } },
        { ...ctx, registry: own },
      );
      return [(run.root.activities as ActivityJson[])[0]!.tax, run.warnings];
    };
    const expression = { type: 'Literal', value: 5 };
    const bound = { typeName: 'Double', memoryReference: { id: 'v' } };

    it('has the input where there is an expression, and says so', () => {
      const [member, warnings] = read({ typeName: 'Double', expression });
      expect(member).toMatchObject({ typeName: 'Double', expression });
      expect(warnings).toEqual([
        { member: 'root.activities[0].tax', message: expect.stringContaining('both an input and an output') },
      ]);
    });

    it('has the output where there is only a variable', () => {
      expect(read(bound)).toEqual([bound, []]);
      expect(read(null)).toEqual([null, []]);
    });
  });

  it('is written with the version it stands for, its inputs and outputs last', () => {
    const amount = { typeName: 'Double', expression: { type: 'Literal', value: 5 } };
    const result = normalizeActivity(
      node({
        version: 1,
        workflowDefinitionId: 'tax',
        workflowDefinitionVersionId: 'tax-v1',
        root: { type: 'Elsa.Sequence' },
        taxedAmount: amount,
        tax: { typeName: 'Double', memoryReference: { id: 'v' } },
      }),
      ctx,
    );
    expect(result).toEqual({
      workflowDefinitionId: 'tax',
      workflowDefinitionVersionId: 'tax-v1',
      latestAvailablePublishedVersion: 2,
      latestAvailablePublishedVersionId: 'tax-v2',
      id: 'Tax',
      nodeId: 'Workflow2:Tax',
      name: null,
      type: 'SampleTax',
      version: 1,
      customProperties: { canStartWorkflow: false, runAsynchronously: false },
      metadata: {},
      taxedAmount: { ...amount, memoryReference: { id: 'Tax:input-taxed-amount' } },
      _Name: null,
      tax: { typeName: 'Double', memoryReference: { id: 'v' } },
    });
    expect(Object.keys(result).slice(-4)).toEqual(['metadata', 'taxedAmount', '_Name', 'tax']);
    expect(normalizeActivity(result, ctx)).toEqual(result);
  });

  it('is found by its ids where its name is the type of a class or of another workflow', () => {
    const own = new ActivityRegistry();
    own.registerClass(Sequence, {});
    for (const [typeName, id] of [
      ['Elsa.Sequence', 'like a class'],
      ['SampleTax', 'tax'],
      ['SampleTax', 'zzz'],
    ]) {
      const constructionProperties = { WorkflowDefinitionId: id, WorkflowDefinitionVersionId: `${id} v1` };
      const descriptor = { ...taxDescriptor(1), typeName: typeName!, constructionProperties };
      own.register({ descriptor, activityClass: Inputs, provider: {} });
    }
    const read = (type: string, workflowDefinitionId?: string) =>
      normalizeActivity({ id: 'A', type, version: 1, workflowDefinitionId }, { ...ctx, registry: own });
    expect(read('Elsa.Sequence', 'like a class').workflowDefinitionVersionId).toBe('like a class v1');
    expect(read('Elsa.Sequence')).toMatchObject({ activities: [] });
    expect(read('Elsa.Sequence', 'gone')).toMatchObject({ type: 'Elsa.Sequence', activities: [] });
    expect(read('SampleTax', 'tax').workflowDefinitionVersionId).toBe('tax v1');
    expect(read('SampleTax').workflowDefinitionVersionId).toBe('zzz v1');
  });

  it('keeps the memory that its input came with', () => {
    const given = { typeName: 'Double', expression: { type: 'Literal', value: 5 }, memoryReference: { id: 'mine' } };
    expect(normalizeActivity(node({ taxedAmount: given }), ctx).taxedAmount).toEqual(given);
  });

  it.each([
    [
      'the version id, before all else',
      { type: 'Renamed', version: 2, workflowDefinitionId: 'other', workflowDefinitionVersionId: 'tax-v1' },
      1,
    ],
    ['the definition id and version', { type: 'Renamed', version: 1, workflowDefinitionId: 'tax' }, 1],
    ['the definition id alone: the published one', { workflowDefinitionId: 'tax' }, 2],
    ['the type name and version', { version: 2 }, 2],
    ['the type name, when the definition is unknown', { version: 1, workflowDefinitionId: 'gone' }, 1],
  ])('is found by %s', (_, o, version) => {
    expect(normalizeActivity(node(o), ctx)).toMatchObject({
      type: 'SampleTax',
      version,
      workflowDefinitionVersionId: `tax-v${version}`,
    });
  });

  it('becomes a placeholder when its workflow is missing', () => {
    expect(normalizeActivity(node({ type: 'Gone', workflowDefinitionId: 'gone' }), ctx)).toMatchObject({
      type: 'Elsa.NotFoundActivity',
      missingTypeName: 'Gone',
    });
  });

  it('is not confused with an activity that has an input of that name', () => {
    expect(normalizeActivity({ type: 'Elsa.DispatchWorkflow', workflowDefinitionId: 'tax' }, ctx)).toMatchObject({
      type: 'Elsa.DispatchWorkflow',
      workflowDefinitionId: { typeName: 'String', expression: { type: 'Literal', value: 'tax' } },
    });
  });

  it('refuses an input under the name of a member of every activity', () => {
    expect(() =>
      normalizeActivity(node({ name: { typeName: 'String', expression: { type: 'Literal', value: 'x' } } }), ctx),
    ).toThrow(expect.objectContaining({ code: 'WM1001', member: 'root.name' }));
  });
});

describe('references', () => {
  const placeholder = {
    type: 'Elsa.NotFoundActivity',
    originalActivityJson: JSON.stringify({ id: 'G', type: 'Gone', version: 1, workflowDefinitionId: 'gone' }),
  };
  const root = normalizeActivity(
    {
      id: 'S',
      type: 'Elsa.Sequence',
      activities: [node({ version: 1 }), { type: 'Elsa.DispatchWorkflow', workflowDefinitionId: 'tax' }, placeholder],
      metadata: { type: 'X', workflowDefinitionId: 'not me' },
    },
    ctx,
  );

  it('references are found, also behind placeholders, and nowhere else', () => {
    expect(findReferences(root)).toEqual([
      { activityId: 'Tax', definitionId: 'tax', definitionVersionId: 'tax-v1', version: 1 },
      { activityId: 'G', definitionId: 'gone', definitionVersionId: undefined, version: 1 },
    ]);
  });

  it('references are replaced in a copy', () => {
    const before = JSON.stringify(root);
    const changed = replaceReferences(root, (r) =>
      r.definitionId === 'tax' ? { definitionVersionId: 'tax-v2', version: 2 } : undefined,
    );
    expect(findReferences(changed)[0]).toMatchObject({ definitionVersionId: 'tax-v2', version: 2 });
    expect(JSON.stringify(root)).toBe(before);
    expect(replaceReferences(root, () => undefined)).toEqual(root);
  });

  it('references decide the number of the outermost workflow in node ids', () => {
    const definition = (id: string, ...inner: string[]): WorkflowDefinition =>
      ({
        id,
        definitionId: id,
        root: {
          type: 'Elsa.Sequence',
          activities: inner.map((i) => ({ type: i, workflowDefinitionId: i })),
        } as ActivityJson,
      }) as WorkflowDefinition;
    const all = [definition('leaf'), definition('middle', 'leaf'), definition('circle', 'circle')];
    const resolveWorkflow = (r: { definitionId?: string }) => all.find((d) => d.definitionId === r.definitionId);
    expect(countWorkflows(definition('x', 'leaf').root, { resolveWorkflow })).toBe(1);
    expect(countWorkflows(definition('x', 'middle', 'leaf').root, { resolveWorkflow })).toBe(3);
    expect(countWorkflows(definition('x', 'middle').root, {})).toBe(1);
    expect(countWorkflows(definition('x', 'gone').root, { resolveWorkflow })).toBe(0);
    expect(countWorkflows(definition('x', 'circle').root, { resolveWorkflow })).toBe(2);
    expect(normalizeActivity(node({ version: 1 }), { ...ctx, resolveWorkflow: () => all[1] }).nodeId).toBe(
      'Workflow3:Tax',
    );
  });
});
