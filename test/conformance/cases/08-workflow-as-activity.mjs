// Workflows used as activities in other workflows: inputs, outputs, outcomes, nesting, versions and automatic updates.
import {
  W,
  chain,
  complete,
  flow,
  forEach,
  inputDef,
  js,
  list,
  lit,
  out,
  outputDef,
  seq,
  setOutput,
  subWorkflow,
  variable,
  workflow,
} from '../lib/build.mjs';
import { findActivity } from '../lib/fixtures.mjs';

const usable = { usableAsActivity: true, autoUpdateConsumingWorkflows: true };
const pinned = { usableAsActivity: true, autoUpdateConsumingWorkflows: false };
/** A definition usable as an activity; its type name is unique. */
const child = (t, root, o = {}) =>
  workflow(t.id(o.id ?? 'child'), root, { name: t.typeName(o.name ?? 'Child'), options: usable, ...o });
const parent = (t, root, o = {}) => workflow(t.id('parent'), root, o);
const E = encodeURIComponent;

const subActivity = (d, id) => findActivity(d, id);

export default {
  group: 'workflow-as-activity',
  description: 'workflows used as activities',
  requires: ['javascript'],
  timeout: 40000,
  cases: [
    ...[
      [true, true, true],
      [true, false, false],
      [false, true, false],
      [false, false, false],
    ].map(([u, p, expected]) => ({
      name: `activity registry: usable ${u}, published ${p}`,
      async run(t) {
        const name = t.typeName('Save');
        await t.save(
          child(t, W('W', 'x'), { name, options: { usableAsActivity: u, autoUpdateConsumingWorkflows: true } }),
          { publish: p },
        );
        // A draft that is usable as an activity may be known (look-ups load it), but it is not offered.
        const r = await t.api('GET', `/descriptors/activities/${E(name)}`, {
          expect: expected ? 200 : u ? [200, 404] : 404,
        });
        if (r.status === 200)
          t.eq([r.json.typeName, r.json.version, r.json.isBrowsable], [name, 1, expected], 'descriptor');
        t.eq(
          (await t.apiJson('GET', '/descriptors/activities')).items.some(
            (x) => x.typeName === name && x.isBrowsable !== false,
          ),
          expected,
          'offered in the list',
        );
      },
    })),
    {
      name: 'activity registry: a deleted workflow goes',
      async run(t) {
        const name = t.typeName('Gone');
        const d = await t.save(child(t, W('W', 'x'), { name }), { publish: true });
        await t.api('GET', `/descriptors/activities/${E(name)}`, { expect: 200 });
        await t.deleteDefinition(d.definitionId);
        await t.api('GET', '/descriptors/activities', { query: { refresh: true }, expect: 200 });
        await t.api('GET', `/descriptors/activities/${E(name)}`, { expect: 404 });
      },
    },
    {
      name: 'an input named like a member of every activity is given with an underscore',
      async run(t) {
        const c = await t.deploy(
          child(t, W('C', js('`${getName()} ${getInput("Name")}`', 'String')), {
            inputs: [inputDef('Name', 'String')],
          }),
        );
        t.eq(
          (await t.apiJson('GET', `/descriptors/activities/${E(c.name)}`)).inputs.map((x) => [x.name, x.displayName]),
          [['_Name', 'Name']],
          'inputs of the descriptor',
        );
        await t.runAndExpect(parent(t, flow('Flow', [subWorkflow('Sub', c, { _Name: lit('given') })])), [
          'given given',
        ]);
      },
    },
    {
      name: 'two uses of a child keep their data apart',
      async run(t) {
        const a = variable('First', 'String'),
          b = variable('Second', 'String');
        const c = await t.deploy(
          child(t, setOutput('1', 'Echo', js('"<" + getText() + ">"')), {
            inputs: [inputDef('Text', 'String')],
            outputs: [outputDef('Echo', 'String')],
          }),
        );
        await t.runAndExpect(
          parent(
            t,
            chain('Flow', [
              subWorkflow('S1', c, { text: lit('one'), echo: out(a, 'String') }),
              subWorkflow('S2', c, { text: lit('two'), echo: out(b, 'String') }),
              W('P', js('getFirst() + getSecond()', 'String')),
            ]),
            { variables: [a, b] },
          ),
          ['<one><two>'],
        );
      },
    },
    {
      name: 'a child in a loop',
      async run(t) {
        const c = await t.deploy(
          child(t, W('C', js('"item " + getItem()', 'String')), { inputs: [inputDef('Item', 'String')] }),
        );
        await t.runAndExpect(
          parent(
            t,
            forEach('Each', list(['a', 'b', 'c']), subWorkflow('Sub', c, { item: js('getCurrentValue()', 'String') })),
          ),
          ['item a', 'item b', 'item c'],
        );
      },
    },
    {
      name: 'Complete in a grandchild ends the grandchild only',
      async run(t) {
        const inner = await t.deploy(
          child(t, seq('S', [W('I1', 'Inner started'), complete('C', 'X'), W('I2', 'not in inner')]), {
            id: 'inner',
            name: 'Inner',
            outcomes: ['X'],
          }),
        );
        const outer = await t.deploy(
          child(t, flow('OF', [subWorkflow('SubI', inner), W('O1', 'After inner')], ['SubI:X->O1']), {
            id: 'outer',
            name: 'Outer',
          }),
        );
        await t.runAndExpect(
          parent(t, seq('Seq', [W('P1', 'Outer started'), subWorkflow('SubO', outer), W('P2', 'Outer completed')])),
          ['Outer started', 'Inner started', 'After inner', 'Outer completed'],
        );
      },
    },
    {
      name: 'a pinned parent stays with its version',
      async run(t) {
        const cm = (n) => child(t, W('C', `child v${n}`), { options: pinned });
        const c = await t.deploy(cm(1));
        const p = await t.deploy(parent(t, flow('Flow', [subWorkflow('Sub', c)])));
        await t.save(cm(2), { publish: true });
        await t.expectLines((await t.execute(p.definitionId)).instanceId, ['child v1']);
        const r = await t.apiJson('POST', `/workflow-definitions/${E(c.definitionId)}/update-references`, { body: {} });
        t.eq(
          r.affectedWorkflows,
          [],
          'affectedWorkflows: a child that does not update its consumers updates none on request either',
        );
        await t.expectLines((await t.execute(p.definitionId)).instanceId, ['child v1']);
      },
    },
    {
      name: 'updating references brings an outdated parent up to date',
      async run(t) {
        const cm = (n) => child(t, W('C', `child v${n}`));
        const c = await t.deploy(cm(1));
        const c2 = await t.save(cm(2), { publish: true });
        t.eq(c2.version, 2, 'version of the child');
        const p = await t.deploy(parent(t, flow('Flow', [subWorkflow('Sub', c)])));
        await t.expectLines((await t.execute(p.definitionId)).instanceId, ['child v1']);
        const update = async () =>
          (await t.apiJson('POST', `/workflow-definitions/${E(c.definitionId)}/update-references`, { body: {} }))
            .affectedWorkflows;
        t.eq(await update(), [p.name], 'affectedWorkflows');
        t.eq(await update(), [], 'affectedWorkflows the second time');
        const d = await t.definition(p.definitionId, 'Published');
        t.eq([d.version, subActivity(d, 'Sub').version], [2, 2], 'versions of the parent and of its child activity');
        await t.expectLines((await t.execute(p.definitionId)).instanceId, ['child v2']);
      },
    },
    {
      name: 'publishing reports how many consumers it updated',
      async run(t) {
        const cm = (n) => child(t, W('C', `child v${n}`));
        const c = await t.deploy(cm(1));
        const p = await t.deploy(parent(t, flow('Flow', [subWorkflow('Sub', c)])));
        await t.import(cm(2));
        const r = await t.publish(c.definitionId, { raw: true });
        t.eq(r.json.consumingWorkflowCount, 1, 'consumingWorkflowCount');
        const d = await t.definition(p.definitionId, 'Published');
        t.eq(d.version, 2, 'version of the parent');
        t.eq(subActivity(d, 'Sub').version, 2, 'version of the child activity');
        await t.expectLines((await t.execute(p.definitionId)).instanceId, ['child v2']);
      },
    },
    {
      name: 'a draft of the child changes nothing for the parent',
      async run(t) {
        const cm = (n) => child(t, W('C', `child v${n}`));
        const c = await t.deploy(cm(1));
        const p = await t.deploy(parent(t, flow('Flow', [subWorkflow('Sub', c)])));
        await t.import(cm(2));
        await t.expectLines((await t.execute(p.definitionId)).instanceId, ['child v1']);
        t.eq((await t.definition(p.definitionId)).version, 1, 'version of the parent');
      },
    },
  ],
};
