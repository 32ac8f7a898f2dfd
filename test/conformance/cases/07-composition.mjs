// Workflows that run other workflows as instances: ExecuteWorkflow, DispatchWorkflow, BulkDispatchWorkflows.
import {
  W,
  bulkDispatch,
  delay,
  dispatchWorkflow,
  event,
  executeWorkflow,
  inputDef,
  js,
  list,
  out,
  outputDef,
  seq,
  setOutput,
  setVariable,
  variable,
  workflow,
} from '../lib/build.mjs';

const child = (t, activities, o = {}) => workflow(t.id(o.id ?? 'child'), seq('ChildSeq', activities), o);
const parent = (t, activities, o = {}) => workflow(t.id('parent'), seq('ParentSeq', activities), o);
const cid = (t, x = 'child') => t.id(x);
const textOf = (id, name) => W(id, js('`Received: ${getInput("' + name + '")}`', 'String'));

export default {
  group: 'composition',
  description: 'ExecuteWorkflow, DispatchWorkflow, BulkDispatchWorkflows',
  cases: [
    {
      name: 'execute and wait: output of a child that was suspended',
      requires: ['javascript'],
      beyond:
        'after a suspension the reference turns the output of the child into an ExecuteWorkflowResult with nothing in it (status Running, output null): the output is lost',
      async run(t) {
        const v = variable('Res', 'Object');
        const r = await t.run([
          child(t, [event('Ev', t.id('go')), setOutput('Out', 'Answer', 42)], {
            outputs: [outputDef('Answer', 'Int32')],
          }),
          parent(
            t,
            [
              executeWorkflow('Ex', cid(t), { wait: true, result: out(v) }),
              W(
                'P',
                js('const r = getRes(); return "" + (r.Answer ?? r.Output?.Answer ?? r.output?.Answer);', 'String'),
              ),
            ],
            { variables: [v] },
          ),
        ]);
        const [c] = await t.awaitInstances(cid(t));
        await t.trigger(t.id('go'), { workflowInstanceId: c.id });
        await t.finished(r.instanceId, { timeout: 15000 });
        await t.expectLines(r.instanceId, ['42']);
      },
    },
    {
      name: 'execute: three levels, waiting',
      timeout: 45000,
      requires: ['javascript'],
      async run(t) {
        const lvl = (n, below) =>
          workflow(
            t.id(`l${n}`),
            seq('S', [
              W('B', `begin ${n}`),
              ...(below ? [executeWorkflow('Ex', t.id(below), { wait: true })] : [event('Ev', t.id('deep'))]),
              W('E', `end ${n}`),
            ]),
          );
        const r = await t.run([lvl(3), lvl(2, 'l3'), lvl(1, 'l2')]);
        t.expectState(r.state, 'Running', 'Suspended');
        await t.trigger(t.id('deep'));
        await t.finished(r.instanceId, { timeout: 30000 });
        await t.expectLines(r.instanceId, ['begin 1', 'end 1']);
        for (const n of [2, 3]) {
          const [i] = await t.instancesOf(t.id(`l${n}`));
          await t.expectLines(i.id, [`begin ${n}`, `end ${n}`]);
        }
      },
    },
    {
      name: 'execute: the definition id may come from an expression',
      requires: ['javascript'],
      async run(t) {
        const r = await t.run(
          [
            child(t, [W('C', 'child')]),
            workflow(
              t.id('parent'),
              seq('S', [executeWorkflow('Ex', js('getInput("Which")', 'String'), { wait: true }), W('P', 'parent')]),
              { inputs: [inputDef('Which', 'String')] },
            ),
          ],
          { input: { Which: cid(t) } },
        );
        t.expectState(r.state, 'Finished', 'Finished');
        t.eq((await t.awaitInstances(cid(t))).length, 1, 'child instances');
      },
    },
    {
      name: 'dispatch without waiting: the child ends after the parent',
      async run(t) {
        const r = await t.run([
          child(t, [delay('D', '00:00:01'), W('C', 'Slow child workflow executed')]),
          parent(t, [dispatchWorkflow('D', cid(t), { wait: false }), W('P', 'Parent completed')]),
        ]);
        const p = await t.finished(r.instanceId);
        const [c] = await t.awaitInstances(cid(t));
        const done = await t.finished(c.id, { timeout: 15000 });
        t.ok(new Date(done.finishedAt) > new Date(p.finishedAt), 'the child finishes later');
        await t.expectLines(c.id, ['Slow child workflow executed']);
      },
    },
    {
      name: 'dispatch passes input',
      requires: ['javascript'],
      async run(t) {
        const r = await t.run([
          child(t, [textOf('C', 'Message')], { inputs: [inputDef('Message', 'String')] }),
          parent(t, [
            dispatchWorkflow('D', cid(t), { wait: true, input: { Message: 'Hello from parent!' } }),
            W('P', 'Parent completed'),
          ]),
        ]);
        await t.finished(r.instanceId, { timeout: 15000 });
        const [c] = await t.awaitInstances(cid(t));
        await t.expectLines(c.id, ['Received: Hello from parent!']);
      },
    },
    {
      name: 'dispatch sets the correlation id',
      async run(t) {
        const r = await t.run([
          child(t, [W('C', 'x')]),
          parent(t, [
            dispatchWorkflow('D', cid(t), { wait: true, correlationId: t.id('corr') }),
            W('P', 'Parent completed'),
          ]),
        ]);
        await t.finished(r.instanceId, { timeout: 15000 });
        const [c] = await t.awaitInstances(cid(t));
        t.eq((await t.instance(c.id)).correlationId, t.id('corr'), 'correlation id of the child');
      },
    },
    {
      name: 'dispatch of an unknown definition faults',
      async run(t) {
        const r = await t.run(
          parent(t, [dispatchWorkflow('D', t.id('nonexistent'), { wait: true })], {
            options: await t.incident('Fault'),
          }),
          {},
          { expect: 500 },
        );
        t.expectState(r.state, 'Finished', 'Faulted');
      },
    },
    {
      name: 'bulk dispatch: children are given their item',
      requires: ['javascript'],
      timeout: 45000,
      async run(t) {
        const r = await t.run([
          child(t, [W('C', js('`Mixing ${getInput("Item")} with ${getInput("ExtraData")}`', 'String'))]),
          parent(t, [
            bulkDispatch('B', cid(t), list(['Apple', 'Banana', 'Cherry']), {
              wait: true,
              input: { ExtraData: 'sugar' },
            }),
          ]),
        ]);
        await t.finished(r.instanceId, { timeout: 30000 });
        const lines = [];
        for (const c of await t.awaitInstances(cid(t), 3)) {
          await t.finished(c.id);
          lines.push(...(await t.someLines(c.id)));
        }
        t.sameSet(
          lines,
          ['Apple', 'Banana', 'Cherry'].map((f) => `Mixing ${f} with sugar`),
          'lines',
        );
      },
    },
    {
      name: 'bulk dispatch: another key for the item',
      requires: ['javascript'],
      timeout: 45000,
      async run(t) {
        const r = await t.run([
          child(t, [W('C', js('"" + getInput("Fruit")', 'String'))]),
          parent(t, [bulkDispatch('B', cid(t), list(['Apple']), { wait: true, itemKey: 'Fruit' })]),
        ]);
        await t.finished(r.instanceId, { timeout: 30000 });
        const [c] = await t.awaitInstances(cid(t));
        await t.expectLines(c.id, ['Apple']);
      },
    },
    {
      name: 'bulk dispatch: a port for each completed child',
      requires: ['javascript'],
      timeout: 60000,
      async run(t) {
        const n = variable('Count', 'Int32', 0);
        const r = await t.run([
          child(t, [W('C', 'x')]),
          parent(
            t,
            [
              bulkDispatch('B', cid(t), list([1, 2, 3]), {
                wait: true,
                childCompleted: setVariable('Inc', n, js('getCount() + 1')),
                childFaulted: W('F', 'faulted'),
              }),
              W('P', js('"count " + getCount()', 'String')),
            ],
            { variables: [n] },
          ),
        ]);
        await t.finished(r.instanceId, { timeout: 40000 });
        await t.expectLines(r.instanceId, ['count 3']);
      },
    },
  ],
};
