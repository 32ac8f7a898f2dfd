// Alterations of running instances. Only for servers that have the alterations endpoints.
import { W, event, js, seq, variable, workflow } from '../lib/build.mjs';

const alter = (t, id, alterations) =>
  t.apiJson('POST', '/alterations/run', { body: { alterations, workflowInstanceIds: [id] } });

const ok = (t, r) =>
  t.ok(
    r.results?.length === 1 && r.results[0].isSuccessful !== false,
    `result: ${JSON.stringify(r.results).slice(0, 300)}`,
  );

export default {
  group: 'alterations',
  description: 'alterations (optional module)',
  requires: ['alterations'],
  cases: [
    {
      name: 'modify a variable',
      requires: ['javascript'],
      async run(t) {
        const v = variable('Name', 'String', 'old');
        const r = await t.run(
          workflow(t.id(), seq('Seq', [event('Ev', t.id('go')), W('W', js('getName()', 'String'))]), {
            variables: [v],
          }),
        );
        ok(t, await alter(t, r.instanceId, [{ type: 'ModifyVariable', variableId: v.id, value: 'new' }]));
        await t.trigger(t.id('go'), { workflowInstanceId: r.instanceId });
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['new']);
      },
    },
  ],
};
