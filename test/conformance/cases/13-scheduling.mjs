// Timer, Cron, StartAt and Delay: as triggers (new instances) and in the middle of a flow (bookmarks).
// Times are real; every case gives the server generous slack.
import {
  W,
  chain,
  cron,
  delay,
  finish,
  flow,
  fork,
  js,
  parallel,
  seq,
  startAt,
  timer,
  workflow,
} from '../lib/build.mjs';
import { IT } from '../lib/fixtures.mjs';

const wf = (t, root, o) => workflow(t.id(), root, o);
const inSeconds = (s) => new Date(Date.now() + s * 1000);
const trig = (t, activity, line = 'tick') => wf(t, chain('Flow', [activity, W('W', line)]));
const mid = (t, activity) => wf(t, seq('Seq', [W('WriteLine1', 'Starting...'), activity, W('WriteLine2', 'End')]));
const count = async (t, id = t.id()) => (await t.instancesOf(id)).length;

/** How many instances came on top of n0 within ms. */
const settle = async (t, n0, ms) => {
  await t.sleep(ms);
  return (await count(t)) - n0;
};

export default {
  group: 'scheduling',
  description: 'timers, cron, start-at, delay',
  timeout: 60000,
  cases: [
    {
      name: 'timer trigger: nothing before the first interval',
      async run(t) {
        await t.deploy(trig(t, timer('Timer', '00:00:05', { start: true })));
        await t.never(async () => (await count(t)) > 0, { during: 2500, what: 'an instance before the interval' });
        const [i] = await t.awaitInstances(t.id(), 1, { timeout: 15000 });
        await t.finished(i.id);
      },
    },
    {
      name: 'timer trigger: deleting stops it',
      slow: true,
      async run(t) {
        await t.deploy(trig(t, timer('Timer', '00:00:01', { start: true })));
        await t.awaitInstances(t.id(), 1, { timeout: 12000 });
        await t.deleteDefinition(t.id());
        await t.sleep(1500);
        t.eq(await settle(t, await count(t), 3000), 0, 'new instances after deletion');
      },
    },
    {
      name: 'start-at trigger: once, at its time',
      slow: true,
      async run(t) {
        await t.deploy(trig(t, startAt('At', inSeconds(4), { start: true })));
        t.eq(await count(t), 0, 'instances before');
        const [i] = await t.awaitInstances(t.id(), 1, { timeout: 20000 });
        await t.finished(i.id);
        await t.expectLines(i.id, ['tick']);
        t.eq(await settle(t, 1, 3000), 0, 'further instances');
      },
    },
    {
      name: 'two timer triggers in one workflow',
      slow: true,
      async run(t) {
        await t.deploy(
          wf(
            t,
            flow(
              'Flow',
              [
                timer('T1', '00:00:02', { start: true }),
                timer('T2', '00:00:03', { start: true }),
                W('W1', 'one'),
                W('W2', 'two'),
              ],
              ['T1->W1', 'T2->W2'],
            ),
          ),
        );
        const l = await t.awaitInstances(t.id(), 4, { timeout: 25000 });
        const seen = new Set();
        for (const i of l) {
          await t.finished(i.id);
          for (const x of await t.someLines(i.id)) seen.add(x);
        }
        t.eq([...seen].sort(), ['one', 'two'], 'both timers ticked');
      },
    },
    {
      name: 'start-at in the past, in the middle of a flow, completes at once',
      async run(t) {
        const r = await t.run(mid(t, startAt('Mid', inSeconds(-3600))));
        t.expectState(r.state, 'Finished', 'Finished');
        await t.expectLines(r.instanceId, ['Starting...', 'End']);
        const rec = await t.recordEventually(r.instanceId, 'Mid');
        t.ok(
          rec.payload && Object.keys(rec.payload).some((k) => /executed ?at/i.test(k)),
          `payload of the record: ${JSON.stringify(rec.payload)}`,
        );
      },
    },
    {
      name: 'bad cron expression in the middle of a flow faults when it is reached',
      async run(t) {
        const r = await t.run(
          wf(t, seq('Seq', [W('W1', 'before'), cron('Mid', 'BadCronExpression'), W('W2', 'never')]), {
            options: await t.incident('Fault'),
          }),
          {},
          { expect: 500 },
        );
        t.expectState(r.state, 'Finished', 'Faulted');
        await t.expectLines(r.instanceId, ['before']);
      },
    },
    {
      name: 'delay from an expression',
      requires: ['javascript'],
      async run(t) {
        const r = await t.run(mid(t, delay('Mid', js('"00:00:00.5" + "00"', 'TimeSpan'))));
        await t.finished(r.instanceId, { timeout: 10000 });
        await t.expectLines(r.instanceId, ['Starting...', 'End']);
      },
    },
    {
      name: 'delays side by side: the shorter one first',
      slow: true,
      async run(t) {
        const r = await t.run(
          wf(
            t,
            seq('Seq', [
              parallel('P', [
                seq('S1', [delay('Long', '00:00:03'), W('L', 'long')]),
                seq('S2', [delay('Short', '00:00:01'), W('S', 'short')]),
              ]),
              W('E', 'both'),
            ]),
          ),
        );
        t.eq(r.state.bookmarks.length, 2, 'bookmarks');
        await t.finished(r.instanceId, { timeout: 20000 });
        await t.expectLines(r.instanceId, ['short', 'long', 'both']);
      },
    },
    {
      name: 'Finish ends a pending delay',
      slow: true,
      async run(t) {
        const r = await t.run(
          wf(
            t,
            fork('Fork', [seq('S1', [delay('D', '00:00:02'), W('L', 'late')]), seq('S2', [W('S', 'quick'), finish()])]),
          ),
        );
        await t.finished(r.instanceId);
        await t.sleep(3500);
        t.eq(await t.lines(r.instanceId), ['quick'], 'lines');
      },
    },
    {
      name: 'a cancelled instance does not wake up',
      slow: true,
      async run(t) {
        const r = await t.run(mid(t, delay('Mid', '00:00:03')));
        await t.cancel(r.instanceId);
        await t.awaitStatus(r.instanceId, 'Finished', 'Cancelled');
        await t.sleep(4500);
        t.eq(await t.lines(r.instanceId), ['Starting...'], 'lines');
        t.eq((await t.instance(r.instanceId)).subStatus, 'Cancelled', 'sub-status');
      },
    },
    {
      name: 'a deleted instance does not wake up',
      slow: true,
      async run(t) {
        const r = await t.run(mid(t, delay('Mid', '00:00:02')));
        await t.api('DELETE', `/workflow-instances/${r.instanceId}`, { expect: 204 });
        await t.sleep(3500);
        t.eq(await t.instanceOrNone(r.instanceId), undefined, 'instance');
        t.eq(await count(t), 0, 'instances');
      },
    },
    {
      name: 'test clock: hourly cron from Elsa fires after an hour',
      requires: ['clock'],
      exclusive: true,
      async run(t) {
        const m = t.load(IT + 'ImportAndPublish/Workflows/cron-every-hour.json');
        await t.deploy(m);
        await t.advance(61 * 60000);
        const [i] = await t.awaitInstances(m.definitionId);
        await t.finished(i.id);
        await t.expectLines(i.id, ['Hello every hour']);
      },
    },
    {
      name: 'test clock: one-minute timer from Elsa',
      requires: ['clock'],
      exclusive: true,
      async run(t) {
        const m = t.load(IT + 'ImportAndPublish/Workflows/timer-workflow.json');
        await t.deploy(m);
        await t.advance(61000);
        const [i] = await t.awaitInstances(m.definitionId);
        await t.finished(i.id);
        await t.expectLines(i.id, ['Hello from timer']);
      },
    },
  ],
};
