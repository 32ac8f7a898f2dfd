// Bookmarks and what resumes them: events, tasks, resume URLs; the bookmark queue.
import { W, event, flow, fork, js, out, runJs, runTask, seq, end, variable, workflow } from '../lib/build.mjs';

const wf = (t, root, o) => workflow(t.id(), root, o);
const blocking = (t) =>
  wf(t, seq('Seq', [W('1', 'Line 1'), event('Resume', t.id('resume')), W('2', 'Line 2'), W('3', 'Line 3')]));

export default {
  group: 'blocking-resume',
  description: 'bookmarks, events, tasks, bookmark queue',
  cases: [
    {
      name: 'another event does not resume the flow',
      async run(t) {
        const r = await t.run(blocking(t));
        await t.trigger(t.id('other'), { workflowInstanceId: r.instanceId, workflowExecutionMode: 'Synchronous' });
        await t.never(async () => (await t.instance(r.instanceId)).status === 'Finished', {
          during: 900,
          what: 'resumed by another event',
        });
        await t.expectLines(r.instanceId, ['Line 1']);
      },
    },
    {
      name: 'an event starts the workflows that it triggers, with the correlation id',
      async run(t) {
        await t.deploy(wf(t, seq('Seq', [event('Ev', t.id('shipped'), { start: true }), end()])));
        await t.trigger(t.id('shipped'), { correlationId: t.id('corr') });
        const [i] = await t.awaitInstances(t.id());
        await t.finished(i.id);
        t.eq((await t.instance(i.id)).correlationId, t.id('corr'), 'correlationId');
        await t.sleep(300);
        t.eq((await t.instancesOf(t.id())).length, 1, 'instances');
      },
    },
    {
      name: 'the input of an event reaches a triggered workflow',
      requires: ['javascript'],
      async run(t) {
        const v = variable('Payload', 'Object');
        await t.deploy(
          wf(
            t,
            seq('Seq', [
              event('Ev', t.id('e'), { start: true, result: out(v) }),
              W('W', js('getPayload().X', 'String')),
            ]),
            { variables: [v] },
          ),
        );
        await t.trigger(t.id('e'), { input: { X: 'hello' } });
        const [i] = await t.awaitInstances(t.id());
        await t.finished(i.id);
        await t.expectLines(i.id, ['hello']);
      },
    },
    {
      name: 'two waits for the same event need two events',
      async run(t) {
        const r = await t.run(
          wf(t, seq('Seq', [event('E1', t.id('same')), W('1', 'one'), event('E2', t.id('same')), W('2', 'two')])),
        );
        await t.trigger(t.id('same'), { workflowInstanceId: r.instanceId });
        await t.expectLines(r.instanceId, ['one']);
        await t.awaitBookmarks(r.instanceId, 1, 'E2');
        await t.sleep(800);
        t.eq(await t.lines(r.instanceId), ['one'], 'lines before the second event');
        await t.trigger(t.id('same'), { workflowInstanceId: r.instanceId });
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['one', 'two']);
      },
    },
    {
      name: 'an instance goes on with the version that it began with',
      async run(t) {
        const m = (n) => wf(t, seq('Seq', [event('Ev', t.id('resume')), W('W', `v${n}`)]));
        const r = await t.run(m(1));
        await t.save(m(2), { publish: true });
        const r2 = await t.execute(t.id());
        await t.trigger(t.id('resume'));
        await t.finished(r.instanceId);
        await t.finished(r2.instanceId);
        await t.expectLines(r.instanceId, ['v1']);
        await t.expectLines(r2.instanceId, ['v2']);
      },
    },
    {
      name: 'tasks of two branches complete in any order',
      async run(t) {
        const r = await t.run(
          wf(
            t,
            seq('Seq', [
              fork('Fork', [
                seq('A', [runTask('TA', 'Task A'), W('WA', 'A done')]),
                seq('B', [runTask('TB', 'Task B'), W('WB', 'B done')]),
              ]),
              W('E', 'all done'),
            ]),
          ),
        );
        const a = await t.awaitTask(r.instanceId, 'Task A'),
          b = await t.awaitTask(r.instanceId, 'Task B');
        t.ne(a.taskId, b.taskId, 'task ids');
        await t.completeTask(b.taskId);
        await t.expectLines(r.instanceId, ['B done']);
        await t.completeTask(a.taskId);
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['B done', 'A done', 'all done']);
      },
    },
    {
      name: 'completing a task twice counts once',
      async run(t) {
        const r = await t.run(
          wf(t, seq('Seq', [runTask('T1', 'One'), W('1', 'one'), runTask('T2', 'Two'), W('2', 'two')])),
        );
        const { taskId } = await t.awaitTask(r.instanceId, 'One');
        await t.completeTask(taskId);
        await t.completeTask(taskId);
        await t.awaitTask(r.instanceId, 'Two');
        await t.sleep(900);
        t.eq(await t.lines(r.instanceId), ['one'], 'lines');
        t.eq((await t.instance(r.instanceId)).subStatus, 'Suspended', 'sub-status');
      },
    },
    {
      name: 'completing an unknown task is accepted and does nothing',
      async run(t) {
        const r = await t.run(wf(t, seq('Seq', [runTask('Task', 'Plain'), W('2', 'done')])));
        await t.completeTask(t.id('unknown'), 'x');
        await t.sleep(700);
        t.eq((await t.instance(r.instanceId)).subStatus, 'Suspended', 'sub-status');
      },
    },
    {
      name: 'an early synchronous event is not lost either',
      async run(t) {
        await t.deploy(blocking(t));
        const id = t.id('early');
        await t.trigger(t.id('resume'), { workflowInstanceId: id, workflowExecutionMode: 'Synchronous' });
        await t.dispatch(t.id(), { instanceId: id });
        await t.finished(id, { timeout: 15000 });
      },
    },
    {
      name: 'a triggered workflow with two waits runs through',
      async run(t) {
        await t.deploy(
          wf(
            t,
            flow(
              'Flow',
              [
                event('E0', t.id('begin'), { start: true }),
                W('1', 'begun'),
                event('E1', t.id('middle')),
                runTask('T', 'Finish it'),
                W('2', 'ended'),
              ],
              ['E0->1', '1->E1', 'E1->T', 'T->2'],
            ),
          ),
        );
        await t.trigger(t.id('begin'));
        const [i] = await t.awaitInstances(t.id());
        await t.suspended(i.id);
        await t.expectLines(i.id, ['begun']);
        await t.trigger(t.id('middle'), { workflowInstanceId: i.id });
        await t.completeTask((await t.awaitTask(i.id, 'Finish it')).taskId);
        await t.finished(i.id);
        await t.expectLines(i.id, ['begun', 'ended']);
      },
    },
    {
      name: 'variables survive the suspension',
      requires: ['javascript'],
      async run(t) {
        const a = variable('Number', 'Int32', 1),
          b = variable('Thing', 'Object');
        const r = await t.run(
          wf(
            t,
            seq('Seq', [
              runJs('Js', 'setNumber(getNumber() + 41); setThing({ a: [1, { b: "x" }] });'),
              event('Ev', t.id('e')),
              W('W', js('`${getNumber()} ${getThing().a[1].b}`', 'String')),
            ]),
            { variables: [a, b] },
          ),
        );
        await t.trigger(t.id('e'), { workflowInstanceId: r.instanceId });
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['42 x']);
      },
    },
  ],
};
