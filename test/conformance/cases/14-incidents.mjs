// Faults, incidents, incident strategies.
import { W, event, fault, fork, iff, js, parallel, runJs, seq, workflow } from '../lib/build.mjs';

const run = (t, activities, options, o = {}) =>
  t.run(workflow(t.id(), seq('Seq', activities), { options, ...(o.definition ?? {}) }), o.body ?? {}, {
    expect: o.expect ?? [200, 500],
  });

export default {
  group: 'incidents',
  description: 'faults, incidents, strategies',
  cases: [
    ...[
      ['Fault', 'Finished', 'Faulted'],
      ['ContinueWithIncidents', 'Running', 'Suspended'],
    ].map(([s, status, sub]) => ({
      name: `a fault nobody handles: ${s}`,
      async run(t) {
        const r = await run(t, [fault('F', 'Boom'), W('After', 'never')], await t.incident(s));
        t.expectState(r.state, status, sub);
        t.eq(r.status, s === 'Fault' ? 500 : 200, 'HTTP status');
        t.eq(r.state.incidents.length, 1, 'incidents');
        await t.expectLines(r.instanceId, []);
        const rec = await t.recordEventually(r.instanceId, 'F');
        t.eq(rec.status, 'Faulted', 'status of the activity');
        t.eq(
          [rec.aggregateFaultCount, (await t.record(r.instanceId, 'Seq')).aggregateFaultCount],
          [1, 1],
          'aggregateFaultCount of activity and container',
        );
      },
    })),
    {
      name: 'instances with incidents can be listed',
      async run(t) {
        const bad = await run(
          t,
          [iff('If', js('getInput("Fail") === true'), fault('F', 'x')), W('W', 'fine')],
          await t.incident('Fault'),
          { body: { input: { Fail: true } } },
        );
        const good = await t.execute(t.id(), { input: { Fail: false } });
        t.eq(
          (await t.instances({ definitionId: t.id(), hasIncidents: true })).map((i) => i.id),
          [bad.instanceId],
          'with incidents',
        );
        t.eq(
          (await t.instances({ definitionId: t.id(), hasIncidents: false })).map((i) => i.id),
          [good.instanceId],
          'without incidents',
        );
        t.eq(
          (await t.instances({ definitionId: t.id(), subStatus: 'Faulted' })).map((i) => [i.id, i.incidentCount]),
          [[bad.instanceId, 1]],
          'faulted',
        );
      },
      requires: ['javascript'],
    },
    {
      name: 'two faults are two incidents when the workflow goes on',
      async run(t) {
        const r = await t.run(
          workflow(t.id(), seq('Seq', [parallel('P', [fault('F1', 'one'), fault('F2', 'two'), W('W', 'fine')])]), {
            options: await t.incident('ContinueWithIncidents'),
          }),
          {},
          { expect: 200 },
        );
        t.sameSet(
          r.state.incidents.map((i) => i.message),
          ['one', 'two'],
          'incidents',
        );
        await t.expectLines(r.instanceId, ['fine']);
        t.eq((await t.record(r.instanceId, 'P')).aggregateFaultCount, 2, 'aggregateFaultCount');
      },
    },
    {
      name: 'a fault in one branch of a fork, the other blocked: ContinueWithIncidents',
      async run(t) {
        const r = await t.run(
          workflow(
            t.id(),
            seq('Seq', [
              fork('Fork', [seq('A', [event('Ev', t.id('ev')), W('WA', 'A')]), seq('B', [fault('F', 'Boom')])]),
              W('End', 'never'),
            ]),
            { options: await t.incident('ContinueWithIncidents') },
          ),
          {},
          { expect: 200 },
        );
        await t.trigger(t.id('ev'), { workflowInstanceId: r.instanceId });
        await t.expectLines(r.instanceId, ['A']);
        t.eq((await t.instance(r.instanceId)).subStatus, 'Suspended', 'sub-status');
      },
    },
    {
      name: 'a script that throws',
      requires: ['javascript'],
      async run(t) {
        const r = await run(t, [runJs('J', 'throw new Error("scripted failure");')], await t.incident('Fault'));
        t.expectState(r.state, 'Finished', 'Faulted');
        t.includes(JSON.stringify(r.state.incidents), 'scripted failure', 'incidents');
      },
    },
  ],
};
