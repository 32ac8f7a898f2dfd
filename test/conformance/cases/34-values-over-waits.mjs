// What variables are like after a wait.
import { event, runJs, variable } from '../lib/build.mjs';
import { line, wf } from '../lib/lines.mjs';

const NULLS = 'the reference deletes null from the state, so the variable has its default again after the wait';

/** Text, number and object with defaults; they are written after the wait. */
const variables = [
  variable('Text', 'String', 'first'),
  variable('Count', 'Int32', 5),
  variable('Data', 'JsonObject', { a: 1 }),
];
const written = (t, before) =>
  wf(t, [...before, event('Wait', t.id('go')), line('L', 'JSON.stringify([getText(), getCount(), getData()])')], {
    variables,
  });

async function goOn(t, instanceId, expected) {
  await t.trigger(t.id('go'), { workflowInstanceId: instanceId, workflowExecutionMode: 'Synchronous' });
  await t.finished(instanceId);
  await t.expectLines(instanceId, [expected]);
}

export default {
  group: 'values-over-waits',
  description: 'variables of instances that wait',
  requires: ['javascript'],
  cases: [
    {
      name: 'null stays null, whatever the default',
      beyond: NULLS,
      async run(t) {
        const r = await t.run(written(t, [runJs('J', 'setText(null); setCount(null); setData(null)')]));
        t.eq(await t.variables(r.instanceId), {}, 'variables while it waits');
        await goOn(t, r.instanceId, '[null,null,null]');
      },
    },
    {
      name: 'null given over the API stays null',
      beyond: NULLS,
      async run(t) {
        const r = await t.run(written(t, []));
        const changes = { variables: [{ id: 'Text-id', value: null }] };
        await t.api('POST', `/workflow-instances/${r.instanceId}/variables`, { body: changes, expect: 200 });
        await goOn(t, r.instanceId, '[null,5,{"a":1}]');
      },
    },
  ],
};
