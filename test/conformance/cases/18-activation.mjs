// Activation strategies: when may a new instance start?
import { W, event, seq, workflow } from '../lib/build.mjs';

const wf = async (t, s, id = t.id(), o = {}) =>
  workflow(id, seq('Seq', [event('Ev', `${t.id('go')}-${id}`), W('W', 'done')]), {
    options: {
      autoUpdateConsumingWorkflows: false,
      activationStrategyType: s ? await t.strategy('activation', s) : undefined,
    },
    ...o,
  });
/** true when an instance was started */
const tryStart = async (t, id, body = {}) => {
  const r = await t.execute(id, body);
  const refused = String(r.headers['x-elsa-workflow-cannot-start'] ?? '').toLowerCase() === 'true';
  if (refused) t.eq(r.state, undefined, 'a refusal carries no state');
  return refused ? undefined : r.instanceId;
};

/** On the host of REFERENCE.md the names were registered, so there these cases pass. */
const REFUSED =
  'at the commit that was run the reference refuses (400, unknown alias) the names of strategies that its own descriptors return';

export default {
  group: 'activation',
  description: 'activation strategies',
  cases: [
    {
      name: 'Singleton: other definitions do not matter',
      beyond: REFUSED,
      async run(t) {
        await t.deploy([await wf(t, 'Singleton', t.id('a')), await wf(t, 'Singleton', t.id('b'))]);
        t.ok(await tryStart(t, t.id('a')), 'a');
        t.ok(await tryStart(t, t.id('b')), 'b');
      },
    },
    {
      name: 'Singleton: a version published meanwhile does not matter',
      beyond: REFUSED,
      async run(t) {
        await t.deploy(await wf(t, 'Singleton'));
        t.ok(await tryStart(t, t.id()), 'first');
        await t.save(await wf(t, 'Singleton'), { publish: true });
        t.eq(await tryStart(t, t.id()), undefined, 'second, of version 2');
      },
    },
    {
      name: 'Correlation: one of any definition per correlation id',
      beyond: REFUSED,
      async run(t) {
        await t.deploy([await wf(t, 'Correlation', t.id('a')), await wf(t, 'Correlation', t.id('b'))]);
        const c = (n) => ({ correlationId: t.id(n) });
        t.ok(await tryStart(t, t.id('a'), c('1')), 'a with 1');
        t.eq(await tryStart(t, t.id('b'), c('1')), undefined, 'b with 1');
        t.ok(await tryStart(t, t.id('b'), c('2')), 'b with 2');
      },
    },
    {
      name: 'triggers respect the strategy',
      beyond: REFUSED,
      async run(t) {
        await t.deploy(
          workflow(
            t.id(),
            seq('Seq', [event('Start', t.id('begin'), { start: true }), event('Ev', t.id('go')), W('W', 'done')]),
            { options: { activationStrategyType: await t.strategy('activation', 'Singleton') } },
          ),
        );
        await t.trigger(t.id('begin'), { workflowExecutionMode: 'Synchronous' });
        const [i] = await t.awaitInstances(t.id());
        await t.trigger(t.id('begin'), { workflowExecutionMode: 'Synchronous' });
        await t.sleep(500);
        t.eq((await t.instancesOf(t.id())).length, 1, 'instances');
        await t.trigger(t.id('go'), { workflowInstanceId: i.id });
        await t.finished(i.id);
        await t.trigger(t.id('begin'), { workflowExecutionMode: 'Synchronous' });
        await t.awaitInstances(t.id(), 2);
        t.ok(true, 'a second instance after the first ended');
      },
    },
  ],
};
