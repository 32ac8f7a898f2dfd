// Which inputs and outputs of activities are kept in their records.
import { W, runJs, seq, workflow } from '../lib/build.mjs';

import { prop } from '../lib/context.mjs';

const mode = (m, inputs = {}, outputs = {}) => ({ custom: { logPersistenceMode: { default: m, inputs, outputs } } });

export default {
  group: 'log-persistence',
  description: 'log persistence modes',
  cases: [
    {
      name: 'everything is kept by default',
      requires: ['javascript'],
      async run(t) {
        const r = await t.run(workflow(t.id(), seq('S', [W('W', 'kept'), runJs('J', 'return 42;')])));
        const w = await t.recordEventually(r.instanceId, 'W'),
          j = await t.recordEventually(r.instanceId, 'J', (x) => x.status === 'Completed');
        t.eq(
          [prop(w.activityState, 'Text'), prop(j.activityState, 'Script'), prop(j.outputs, 'Result')],
          ['kept', 'return 42;', 42],
          'inputs and output',
        );
      },
    },
    {
      name: 'an output can be left out',
      requires: ['javascript'],
      async run(t) {
        const r = await t.run(
          workflow(t.id(), seq('S', [runJs('J', 'return "secret";', mode('Include', {}, { result: 'Exclude' }))])),
        );
        const j = await t.recordEventually(r.instanceId, 'J', (x) => x.status === 'Completed');
        t.eq(prop(j.outputs, 'Result'), undefined, 'output');
        t.ok(prop(j.activityState, 'Script') !== undefined, 'input');
      },
    },
    {
      name: 'the mode of the workflow is inherited',
      async run(t) {
        const r = await t.run(
          workflow(t.id(), seq('S', [W('W', 'x'), W('V', 'y', mode('Include'))]), {
            customProperties: { logPersistenceMode: { default: 'Exclude' } },
          }),
        );
        const w = await t.recordEventually(r.instanceId, 'W'),
          v = await t.recordEventually(r.instanceId, 'V');
        t.eq([prop(w.activityState, 'Text'), prop(v.activityState, 'Text')], [undefined, 'y'], 'texts');
      },
    },
  ],
};
