// Alterations of each kind, what they answer and what becomes of the instance.
import { W, chain, event, runJs, start, variable, workflow } from '../lib/build.mjs';
import { wf } from '../lib/lines.mjs';

/** An instance that waits, and writes a line after it. */
const waits = (t, text = 'after', o) => wf(t, [event('Wait', t.id('go')), W('After', text)], o);

async function alter(t, instanceId, ...alterations) {
  const r = await t.api('POST', '/alterations/run', {
    body: { alterations, workflowInstanceIds: [instanceId] },
    expect: 200,
  });
  const [result] = r.json.results;
  const [{ message, logLevel, eventName }] = result.log.logEntries;
  return { ...result, message, logLevel, eventName };
}

const facts = ({ isSuccessful, workflowHasScheduledWork, logLevel, eventName }) => [
  isSuccessful,
  workflowHasScheduledWork,
  logLevel,
  eventName,
];

/** Alters an instance that waits, and tells what was answered and how the instance stands. */
const alters = (name, alterations, answered, subStatus, lines) => ({
  name,
  async run(t) {
    const r = await t.run(workflow(t.id(), chain('Flow', [start(), event('Wait', t.id('go')), W('After', 'after')])));
    const list = typeof alterations === 'function' ? await alterations(t, r.instanceId) : alterations;
    t.eq(facts(await alter(t, r.instanceId, ...list)), answered, 'answer');
    await t.eventually(async () => t.eq((await t.instance(r.instanceId)).subStatus, subStatus, 'sub-status'));
    await t.expectLines(r.instanceId, lines);
  },
});

const succeeded = (type, hasWork = false) => [true, hasWork, 'Information', `Alteration ${type} succeeded`];
const failed = (type) => [false, false, 'Error', `Alteration ${type} failed`];

export default {
  group: 'alterations-of-each-kind',
  description: 'alterations, their answers and effects',
  requires: ['javascript', 'alterations'],
  cases: [
    alters(
      'cancel an activity: the flow goes on without it',
      [{ type: 'CancelActivity', activityId: 'Wait' }],
      succeeded('CancelActivity'),
      'Finished',
      [],
    ),
    alters(
      'cancel an execution of an activity',
      async (t, id) => [{ type: 'CancelActivity', activityInstanceId: (await t.bookmarks(id))[0].activityInstanceId }],
      succeeded('CancelActivity'),
      'Finished',
      [],
    ),
    alters(
      'cancel an activity that does not run',
      [{ type: 'CancelActivity', activityId: 'Nope' }],
      failed('CancelActivity'),
      'Suspended',
      [],
    ),
    alters('cancel the instance', [{ type: 'Cancel' }], succeeded('Cancel'), 'Cancelled', []),
    alters(
      'schedule an activity',
      [{ type: 'ScheduleActivity', activityId: 'After' }],
      succeeded('ScheduleActivity', true),
      'Suspended',
      ['after'],
    ),
    alters(
      'schedule an activity that there is not',
      [{ type: 'ScheduleActivity', activityId: 'Nope' }],
      failed('ScheduleActivity'),
      'Suspended',
      [],
    ),
    alters(
      'migrate to a version that there is not',
      [{ type: 'Migrate', targetVersion: 9 }],
      failed('Migrate'),
      'Suspended',
      [],
    ),
    {
      name: 'migrate: the instance goes on in the new version',
      async run(t) {
        const r = await t.run(waits(t, 'first'));
        await t.deploy(waits(t, 'second'));
        t.eq(
          facts(await alter(t, r.instanceId, { type: 'Migrate', targetVersion: 2 })),
          succeeded('Migrate'),
          'answer',
        );
        await t.trigger(t.id('go'), { workflowInstanceId: r.instanceId });
        await t.finished(r.instanceId);
        t.eq((await t.instance(r.instanceId)).version, 2, 'version');
        await t.expectLines(r.instanceId, ['second']);
      },
    },
    {
      name: 'modify a variable: converted to its type, unknown ones refused',
      async run(t) {
        const r = await t.run(waits(t, 'x', { variables: [variable('N', 'Int32', 1)] }));
        const modify = (variableId) => alter(t, r.instanceId, { type: 'ModifyVariable', variableId, value: '7' });
        t.eq(facts(await modify('N-id')), succeeded('ModifyVariable'), 'answer');
        const unknown = await modify('nope');
        t.eq(
          [facts(unknown), unknown.message],
          [failed('ModifyVariable'), 'Variable with ID nope not found'],
          'unknown',
        );
        t.eq(await t.variables(r.instanceId), { N: 7 }, 'variables');
      },
    },
    {
      name: 'alterations that name no activity or no known type are refused',
      async run(t) {
        const r = await t.run(waits(t));
        for (const alteration of [{ type: 'Explode' }, { type: 'CancelActivity' }]) {
          const { json } = await t.api('POST', '/alterations/run', {
            body: { alterations: [alteration], workflowInstanceIds: [r.instanceId] },
            expect: 400,
          });
          t.eq(Object.keys(json.errors), ['alterations[0]'], alteration.type);
        }
      },
    },
    {
      name: 'retry: an activity that has faulted runs again',
      async run(t) {
        const model = wf(t, [runJs('J', 'if (getN() == 0) throw new Error("not yet")'), W('After', 'after')], {
          variables: [variable('N', 'Int32', 0)],
        });
        model.options = await t.incident('ContinueWithIncidents');
        const r = await t.run(model);
        await alter(t, r.instanceId, { type: 'ModifyVariable', variableId: 'N-id', value: 1 });
        const { json } = await t.api('POST', '/alterations/workflows/retry', {
          body: { workflowInstanceIds: [r.instanceId] },
        });
        t.eq([json.results[0].isSuccessful, json.results[0].workflowHasScheduledWork], [true, true], 'answer');
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['after']);
        t.eq((await t.instance(r.instanceId)).incidentCount, 0, 'incidents');
      },
    },
    {
      name: 'a plan alters what its filter selects, and a dry run says which',
      async run(t) {
        const r = await t.run(waits(t, 'x', { variables: [variable('N', 'Int32', 1)] }));
        const dry = (filter) =>
          t.apiJson('POST', '/alterations/dry-run', { body: { definitionIds: [t.id()], ...filter } });
        t.eq(await dry({ statuses: ['Running'] }), { workflowInstanceIds: [r.instanceId] }, 'running');
        t.eq(await dry({ statuses: ['Finished'] }), { workflowInstanceIds: [] }, 'finished');
        const { planId } = await t.apiJson('POST', '/alterations/submit', {
          body: {
            alterations: [{ type: 'ModifyVariable', variableId: 'N-id', value: 7 }],
            filter: { workflowInstanceIds: [r.instanceId] },
          },
        });
        await t.eventually(async () => {
          const { plan, jobs } = await t.apiJson('GET', `/alterations/${planId}`);
          t.eq([plan.status, plan.alterations.length], ['Completed', 1], 'plan');
          t.eq(
            jobs.map((j) => [j.planId, j.workflowInstanceId, j.status, j.log[0].message]),
            [[planId, r.instanceId, 'Completed', 'ModifyVariable succeeded']],
            'jobs',
          );
        });
        t.eq(await t.variables(r.instanceId), { N: 7 }, 'variables');
      },
    },
  ],
};
