import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ActivityJson } from '@waymark/core';
import { IWorkflowDefinitionPublisher, IWorkflowDefinitionService, MemoryPersistence } from '@waymark/runtime';
import { line, literal, type RuntimeNode, sequence, startNode } from '../support/runtime-node.js';

// A workflow used as an activity: what its consumers bind to inputs and outputs that it has, no longer has, or wants.

let node: RuntimeNode;
beforeAll(async () => void (node = await startNode(new MemoryPersistence())));
afterAll(() => node.close());

const publisher = () => node.get(IWorkflowDefinitionPublisher);
const latest = (definitionId: string) =>
  node.get(IWorkflowDefinitionService).require({ definitionId, versionOptions: 'Latest' });
const useOf = async (definitionId: string) => ((await latest(definitionId)).root.activities as ActivityJson[])[0]!;

const input = (name: string, more: object = {}) => ({ name, type: 'String', isArray: false, ...more });
const bound = (id: string) => ({ typeName: 'String', memoryReference: { id } });
const child = (name: string, more: object) => ({
  name,
  options: { usableAsActivity: true, autoUpdateConsumingWorkflows: true },
  ...more,
});
const use = (name: string, members: object): ActivityJson => ({
  type: name,
  id: 'Use',
  workflowDefinitionId: name,
  ...members,
});
const result = { id: 'r', name: 'Result', typeName: 'String', isArray: false };

describe('a member that the used workflow does not declare', () => {
  const members = { orderNo: literal('A-1'), tracking: bound('r') };

  it('is named by a warning', async () => {
    const declared = { inputs: [input('orderNumber')], outputs: [input('trackingCode')] };
    await node.deploy('Ship', line('L', 'x'), child('Ship', declared));
    const draft = { definitionId: 'ships', root: sequence('S', use('Ship', members)), variables: [result] };
    const warnings = [
      {
        code: 'WM1051',
        activityId: 'Use',
        path: 'root.activities[0].orderNo',
        message:
          "Activity 'Use' (Ship) has no input 'orderNo', so its expression is never evaluated. Its inputs: orderNumber.",
      },
      {
        code: 'WM1051',
        activityId: 'Use',
        path: 'root.activities[0].tracking',
        message:
          "Activity 'Use' (Ship) has no output 'tracking', so what it is bound to is never set. Its outputs: trackingCode.",
      },
    ];
    expect(await publisher().validate(draft)).toEqual({ problems: [], warnings });
    expect(await publisher().saveAndPublish(draft)).toMatchObject({ succeeded: true, warnings });
  });

  it('is read again when a later version declares it', async () => {
    await node.deploy('Late', line('L', 'x'), child('Late', { inputs: [] }));
    const draft = { definitionId: 'lates', root: sequence('S', use('Late', { orderNo: literal('A-1') })) };
    await publisher().saveAndPublish(draft);
    await node.deploy('Late', line('L', 'x'), child('Late', { inputs: [input('OrderNo')] }));
    expect(await useOf('lates')).toMatchObject({ version: 2, orderNo: literal('A-1') });
    expect(
      (await publisher().validate({ definitionId: 'lates', root: (await latest('lates')).root })).warnings,
    ).toEqual([]);
  });
});

describe('a published consumer that follows the workflow it uses', () => {
  const before = { inputs: [input('orderNo'), input('note')], outputs: [input('code')] };

  it.each<[string, object, string]>([
    ['an input', { inputs: [input('orderNumber'), input('note')], outputs: before.outputs }, "input 'orderNo'"],
    ['an output', { ...before, outputs: [input('tracking')] }, "output 'code'"],
  ])('keeps its version when %s that it binds is gone', async (kind, after, lost) => {
    const [id, consumer] = [`Gone${kind.slice(-5)}`.replace(/\W/g, ''), `gone-${kind.slice(-5)}`];
    await node.deploy(id, line('L', 'x'), child(id, before));
    const members = { version: 1, orderNo: literal('A-1'), code: bound('r') };
    await node.deploy(consumer, sequence('S', use(id, members)), { variables: [result] });
    const published = await publisher().saveAndPublish({ definitionId: id, root: line('L', 'y'), ...child(id, after) });
    expect(published).toMatchObject({
      succeeded: true,
      updatedConsumers: [],
      failedConsumers: [{ code: 'WM4091', message: expect.stringMatching(`^Workflow "${consumer}".* ${lost}`) }],
    });
    expect(await latest(consumer)).toMatchObject({ version: 1, isPublished: true });
    expect(await useOf(consumer)).toMatchObject(members);
  });

  it.each<[string, object]>([
    ['an input that it does not bind is gone', { ...before, inputs: [input('orderNo')] }],
    ['another input is added', { ...before, inputs: [...before.inputs, input('more')] }],
    ['an input is spelt with a capital', { ...before, inputs: [input('OrderNo'), input('note')] }],
  ])('moves when %s', async (what, after) => {
    const [id, consumer] = [`Kept${what.length}`, `kept-${what.length}`];
    await node.deploy(id, line('L', 'x'), child(id, before));
    const members = { version: 1, orderNo: literal('A-1'), code: bound('r') };
    await node.deploy(consumer, sequence('S', use(id, members)), { variables: [result] });
    const published = await publisher().saveAndPublish({ definitionId: id, root: line('L', 'y'), ...child(id, after) });
    expect(published).toMatchObject({ updatedConsumers: [{ definitionId: consumer }], failedConsumers: [] });
    expect(await useOf(consumer)).toMatchObject({ ...members, version: 2 });
  });

  it('moves as a draft, where its author sees the warning when it is published', async () => {
    await node.deploy('Draft', line('L', 'x'), child('Draft', before));
    const draft = { definitionId: 'draft-of-it', root: sequence('S', use('Draft', { orderNo: literal('A-1') })) };
    await publisher().saveDraft(draft);
    await node.deploy('Draft', line('L', 'y'), child('Draft', { inputs: [input('number')] }));
    expect(await useOf('draft-of-it')).toMatchObject({ version: 2, orderNo: literal('A-1') });
    const { warnings } = await publisher().publish('draft-of-it');
    expect(warnings).toMatchObject([{ code: 'WM1051', path: 'root.activities[0].orderNo' }]);
  });
});

describe('an input that the used workflow requires', () => {
  beforeAll(() =>
    node.deploy(
      'Wants',
      line('L', 'x'),
      child('Wants', {
        inputs: [
          input('orderId', { isRequired: true }),
          input('count', { isRequired: true, type: 'Int32' }),
          input('filled', { isRequired: true, defaultValue: 'x' }),
          input('free'),
        ],
      }),
    ),
  );
  const validate = async (members: object) =>
    (await publisher().validate({ definitionId: 'wanting', root: sequence('S', use('Wants', members)) })).warnings;
  const warning = (name: string) => ({
    code: 'WM4095',
    activityId: 'Use',
    path: `root.activities[0].${name}`,
    message: `Activity 'Use' (Wants) gives no value for '${name}', which the workflow requires, so it runs with null. Give it one.`,
  });
  const count = literal('1', 'Int32');

  it.each<[string, object]>([
    ['absent', {}],
    ['null', { orderId: null, count: null }],
    ['a constant without a value', { orderId: literal(undefined), count: literal(null, 'Int32') }],
    ['a blank text, but not for a text', { orderId: literal(undefined), count: literal(' ', 'Int32') }],
  ])('is named by a warning when it is %s', async (_, members) => {
    expect(await validate(members)).toEqual([warning('orderId'), warning('count')]);
  });

  it.each<[string, object]>([
    ['a constant', { orderId: literal('A'), count }],
    ['an expression', { orderId: { typeName: 'String', expression: { type: 'JavaScript', value: 'null' } }, count }],
    ['an empty text, which is a text', { orderId: literal(''), count }],
  ])('is given by %s', async (_, members) => {
    expect(await validate(members)).toEqual([]);
  });
});
