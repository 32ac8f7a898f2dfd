// Cancelling instances: one, many, with children; what is left afterwards.
import {
  W,
  bulkDispatch,
  dispatchWorkflow,
  event,
  executeWorkflow,
  list,
  runTask,
  seq,
  start,
  workflow,
} from '../lib/build.mjs';

const blocking = (t, id = t.id()) =>
  workflow(id, seq('Seq', [start('S'), event('Ev', t.id('go')), W('W', 'Workflow was not properly blocked')]));
const cancelled = (t, id, o) => t.awaitStatus(id, 'Finished', 'Cancelled', o);
const bulk = (t, body, expect) => t.api('POST', '/bulk-actions/cancel/workflow-instances/', { body, expect });

export default {
  group: 'cancellation',
  description: 'cancelling instances',
  cases: [
    {
      name: 'a cancelled instance takes no tasks',
      async run(t) {
        const r = await t.run(workflow(t.id(), seq('S', [runTask('T', 'Do'), W('W', 'never')])));
        const { taskId } = await t.awaitTask(r.instanceId);
        await t.cancel(r.instanceId);
        await cancelled(t, r.instanceId);
        await t.completeTask(taskId);
        await t.sleep(900);
        t.eq(await t.lines(r.instanceId), [], 'lines');
      },
    },
    {
      name: 'other instances stay',
      async run(t) {
        const a = await t.run(blocking(t)),
          b = await t.execute(t.id());
        await t.cancel(a.instanceId);
        await cancelled(t, a.instanceId);
        t.eq((await t.instance(b.instanceId)).subStatus, 'Suspended', 'the other');
        await t.trigger(t.id('go'));
        await t.finished(b.instanceId);
      },
    },
    ...[
      ['executed', executeWorkflow],
      ['dispatched', dispatchWorkflow],
    ].map(([n, make]) => ({
      name: `children go with their parent: ${n}`,
      async run(t) {
        await t.deploy([
          blocking(t, t.id('child')),
          workflow(t.id('parent'), seq('S', [make('C', t.id('child'), { wait: true }), W('W', 'never')])),
        ]);
        const r = await t.execute(t.id('parent'));
        const [c] = await t.awaitInstances(t.id('child'));
        await t.suspended(c.id);
        await t.suspended(r.instanceId);
        await t.cancel(r.instanceId);
        await cancelled(t, r.instanceId);
        await cancelled(t, c.id);
        await t.sleep(700);
        t.eq(await t.lines(r.instanceId), [], 'lines of the parent');
      },
    })),
    {
      name: 'children of a bulk dispatch go with their parent',
      requires: ['javascript'],
      timeout: 45000,
      async run(t) {
        await t.deploy([
          blocking(t, t.id('child')),
          workflow(t.id('parent'), seq('S', [bulkDispatch('B', t.id('child'), list([1, 2, 3]), { wait: true })])),
        ]);
        const r = await t.execute(t.id('parent'));
        const l = await t.awaitInstances(t.id('child'), 3);
        for (const c of l) await t.suspended(c.id);
        await t.cancel(r.instanceId);
        await cancelled(t, r.instanceId);
        for (const c of l) await cancelled(t, c.id);
      },
    },
    {
      name: 'bulk by ids',
      async run(t) {
        await t.deploy([blocking(t), workflow(t.id('quick'), seq('S', [W('W', 'x')]))]);
        const a = await t.execute(t.id()),
          b = await t.execute(t.id()),
          c = await t.execute(t.id()),
          q = await t.execute(t.id('quick'));
        const r = await bulk(t, { ids: [a.instanceId, b.instanceId, q.instanceId, 'nope'] });
        t.eq(r.json.cancelled, 2, 'cancelled');
        await cancelled(t, a.instanceId);
        await cancelled(t, b.instanceId);
        t.eq((await t.instance(c.instanceId)).subStatus, 'Suspended', 'the one not named');
        t.eq((await t.instance(q.instanceId)).subStatus, 'Finished', 'the finished one');
      },
    },
    {
      name: 'bulk by definition and version options',
      async run(t) {
        await t.deploy(blocking(t));
        const a = await t.execute(t.id());
        await t.save(blocking(t), { publish: true });
        const b = await t.execute(t.id());
        const r = await bulk(t, { definitionId: t.id(), versionOptions: 'Published' });
        t.eq(r.json.cancelled, 1, 'cancelled');
        await cancelled(t, b.instanceId);
        t.eq((await t.instance(a.instanceId)).subStatus, 'Suspended', 'instance of the old version');
      },
    },
  ],
};
