// Running definitions through the REST API: execute (GET, POST), dispatch, bulk dispatch; inputs, correlation, name, version, trigger.
import { W, act, chain, event, flow, httpEndpoint, httpResponse, js, lit, seq, workflow } from '../lib/build.mjs';

const hello = (id, o) => workflow(id, flow('Flow', [W('Write', 'Hello World!')]), o);
const exec = (id) => `/workflow-definitions/${encodeURIComponent(id)}/execute`;

export default {
  group: 'execute-dispatch',
  description: 'execute and dispatch endpoints',
  cases: [
    {
      name: 'unknown and unpublished definitions are 404',
      async run(t) {
        await t.execute(t.id('nope'), {}, { expect: 404 });
        await t.dispatch(t.id('nope'), {}, { expect: 404 });
        await t.import(hello(t.id()));
        await t.execute(t.id(), {}, { expect: 404 });
        await t.dispatch(t.id(), {}, { expect: 404 });
        await t.api('POST', `/workflow-definitions/${t.id()}/bulk-dispatch`, { body: { count: 2 }, expect: 404 });
      },
    },
    {
      name: 'broken JSON is 400',
      async run(t) {
        await t.deploy(hello(t.id()));
        await t.api('POST', exec(t.id()), {
          body: '{"input": {',
          headers: { 'Content-Type': 'application/json' },
          expect: 400,
        });
        t.eq((await t.instancesOf(t.id())).length, 0, 'instances');
      },
    },
    {
      name: 'a script can set the name of the instance',
      requires: ['javascript'],
      async run(t) {
        const r = await t.run(
          workflow(
            t.id(),
            seq('Seq', [
              act('Elsa.RunJavaScript', 'Js', { script: lit('setWorkflowInstanceName("Scripted")', 'String') }),
              W('W', js('getWorkflowInstanceName()', 'String')),
            ]),
          ),
        );
        t.eq((await t.instance(r.instanceId)).name, 'Scripted', 'name');
        await t.expectLines(r.instanceId, ['Scripted']);
      },
    },
    {
      name: 'version options pick the version',
      async run(t) {
        const v = (n) => workflow(t.id(), flow('Flow', [W('Write', `v${n}`)]));
        await t.save(v(1), { publish: true });
        await t.save(v(2), { publish: true });
        await t.save(v(3));
        const run = async (versionOptions) => {
          const r = await t.execute(t.id(), versionOptions ? { versionOptions } : {});
          return (await t.someLines(r.instanceId))[0];
        };
        t.eq(
          [await run(), await run('Published'), await run('Latest'), await run('1')],
          ['v2', 'v2', 'v3', 'v1'],
          'default, Published, Latest, 1',
        );
      },
    },
    {
      name: 'the trigger activity decides where a flowchart starts',
      async run(t) {
        const m = workflow(
          t.id(),
          flow(
            'Flow',
            [
              event('E1', t.id('e1'), { start: true }),
              event('E2', t.id('e2'), { start: true }),
              W('W1', 'one'),
              W('W2', 'two'),
              W('W3', 'three'),
            ],
            ['E1->W1', 'E2->W2', 'W1->W3', 'W2->W3'],
          ),
        );
        await t.deploy(m);
        let r = await t.execute(t.id(), { triggerActivityId: 'E2' });
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['two', 'three']);
        r = await t.execute(t.id(), { triggerActivityId: 'E1' });
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['one', 'three']);
      },
    },
    {
      name: 'dispatch under an instance id of our own',
      async run(t) {
        await t.deploy(hello(t.id()));
        t.eq(await t.dispatch(t.id(), { instanceId: t.id('instance') }), t.id('instance'), 'workflowInstanceId');
        await t.finished(t.id('instance'));
      },
    },
    {
      name: 'dispatch of a version',
      async run(t) {
        await t.save(workflow(t.id(), flow('Flow', [W('Write', 'v1')])), { publish: true });
        await t.save(workflow(t.id(), flow('Flow', [W('Write', 'v2')])));
        const id = await t.dispatch(t.id(), { versionOptions: 'Latest' });
        await t.finished(id);
        await t.expectLines(id, ['v2']);
      },
    },
    {
      name: 'execute of an HTTP workflow without a request waits for one',
      async run(t) {
        const m = workflow(t.id(), chain('Flow', [httpEndpoint('In', t.path()), httpResponse('Out', 'resumed')]));
        const r = await t.run(m);
        t.expectState(r.state, 'Running', 'Suspended');
        t.ok(
          r.state.bookmarks.some((b) => b.activityId === 'In'),
          'bookmark of the endpoint',
        );
      },
    },
  ],
};
