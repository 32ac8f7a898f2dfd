// Constants that do not fit, and variables after a wait.
import { W, act, event, httpEndpoint, httpResponse, iff, lit, runJs, seq, variable, workflow } from '../lib/build.mjs';
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
  group: 'values',
  description: 'constants that do not fit, variables of instances that wait',
  requires: ['javascript'],
  cases: [
    {
      name: 'constants that do not convert become the default of their type',
      async run(t) {
        const loop = act('Elsa.For', 'F', {
          start: lit('abc', 'Int32'),
          end: lit('1', 'Int32'),
          body: line('L', '"" + getCurrentValue()'),
        });
        const choice = iff('I', lit('maybe', 'Boolean'), W('T', 'then'), W('E', 'else'));
        await t.runAndExpect(wf(t, [loop, choice]), ['0', '1', 'else']);
      },
    },
    {
      name: 'a constant that names no member of an enum faults when it is reached',
      async run(t) {
        const answer = httpResponse('R', 'x', { status: 'Foo' });
        await t.deploy(workflow(t.id(), seq('S', [httpEndpoint('E', t.path()), answer])));
        t.eq((await t.get(t.path())).status, 500, 'status');
      },
    },
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
