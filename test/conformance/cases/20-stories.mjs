// Whole stories: an approval that waits for two people; a trigger in the middle of a flow; stored triggers.
import {
  W,
  chain,
  correlate,
  cron,
  decision,
  delay,
  event,
  finish,
  flow,
  fork,
  httpEndpoint,
  httpResponse,
  inputDef,
  js,
  out,
  runTask,
  seq,
  setVariable,
  start,
  startAt,
  timer,
  variable,
  workflow,
} from '../lib/build.mjs';
import { prop } from '../lib/context.mjs';

const inSeconds = (s) => new Date(Date.now() + s * 1000);
const count = async (t) => (await t.instancesOf(t.id())).length;

const leaveByTasks = (t) =>
  workflow(
    t.id(),
    chain('Flow', [
      start(),
      W('Submitted', 'submitted'),
      runTask('ManagerApproves', 'Manager approval', { payload: js('({ LeaveId: getInput("LeaveId"), Step: 1 })') }),
      W('WaitingForHead', 'manager approved, waiting for the department head'),
      runTask('HeadApproves', 'Department head approval', {
        payload: js('({ LeaveId: getInput("LeaveId"), Step: 2 })'),
      }),
      W('Approved', 'approved'),
    ]),
    { inputs: [inputDef('LeaveId', 'String')] },
  );
const leaveByEvents = (t) =>
  workflow(
    t.id(),
    chain('Flow', [
      start(),
      W('Submitted', 'submitted'),
      event('ManagerApproves', t.id('manager-approves')),
      W('WaitingForHead', 'manager approved'),
      event('HeadApproves', t.id('head-approves')),
      W('Approved', 'approved'),
    ]),
  );

const leaveId = (t, n = 1) => t.id(`leave-${n}`);
const open = (t, n = 1, input = {}) =>
  t.execute(t.id(), { correlationId: leaveId(t, n), input: { LeaveId: leaveId(t, n), ...input } });

const abc = (t, b, o = {}) =>
  workflow(
    t.id(),
    flow(
      'Flow',
      [start(), W('A', 'a'), b, W('C', 'c'), ...(o.after ? [o.after] : [])],
      ['Start->A', 'A->B', 'B->C', ...(o.after ? [`C->${o.after.id}`] : [])],
    ),
  );
/** Lines of every instance of the definition, as sorted "a,c" texts. */
const stories = async (t) =>
  (await Promise.all((await t.instancesOf(t.id())).map(async (i) => (await t.lines(i.id)).join(',')))).sort();

export default {
  group: 'stories',
  description: 'leave approval, triggers in the middle of a flow, stored triggers',
  timeout: 45000,
  cases: [
    {
      name: 'leave approval: what the bookmark tells',
      requires: ['javascript'],
      async run(t) {
        await t.deploy(leaveByTasks(t));
        const r = await open(t);
        const [b] = await t.awaitBookmarks(r.instanceId, 1);
        const task = await t.awaitTask(r.instanceId);
        for (const k of ['id', 'name', 'hash', 'activityId', 'activityNodeId', 'activityInstanceId', 'createdAt'])
          t.ok(b[k], `${k} of ${JSON.stringify(b)}`);
        t.eq(
          [b.name, b.activityId, task.taskName],
          ['Elsa.RunTask', 'ManagerApproves', 'Manager approval'],
          'name, activity, task',
        );
        t.match(b.activityNodeId, /(^|:)ManagerApproves$/, 'activityNodeId');
        const rec = await t.recordEventually(r.instanceId, 'ManagerApproves');
        t.eq(rec.id, b.activityInstanceId, 'activityInstanceId is the activity execution');
        t.eq(rec.completedAt ?? null, null, 'completedAt');
        t.eq(rec.status, 'Running', 'status of the activity execution');
        t.ok(
          Math.abs(new Date(b.createdAt) - new Date(rec.startedAt)) < 5000,
          `createdAt ${b.createdAt}, activity started ${rec.startedAt}`,
        );
      },
    },
    {
      name: 'leave approval: waits for one event have one hash',
      async run(t) {
        await t.deploy(leaveByEvents(t));
        const a = (await t.bookmarks((await open(t, 1)).instanceId))[0],
          b = (await t.bookmarks((await open(t, 2)).instanceId))[0];
        t.ne(a.id, b.id, 'ids');
        t.eq(a.hash, b.hash, 'hashes');
        t.eq(a.name, 'Elsa.Event', 'name');
      },
    },
    {
      name: 'leave approval: a burnt bookmark does not serve again',
      requires: ['javascript'],
      async run(t) {
        await t.deploy(leaveByTasks(t));
        const r = await open(t);
        const m = await t.awaitTask(r.instanceId, 'Manager approval');
        await t.completeTask(m.taskId);
        await t.awaitTask(r.instanceId, 'Department head approval');
        await t.completeTask(m.taskId);
        await t.completeTask(m.taskId);
        await t.sleep(1000);
        t.eq((await t.instance(r.instanceId)).subStatus, 'Suspended', 'sub-status');
        t.eq(
          (await t.bookmarks(r.instanceId)).map((b) => b.activityId),
          ['HeadApproves'],
          'waits at',
        );
      },
    },
    {
      name: 'leave approval: by links, with paths computed per request',
      requires: ['javascript'],
      timeout: 45000,
      async run(t) {
        const body = variable('Body', 'Object'),
          id = variable('LeaveId', 'String');
        const step = (n, who) => [
          httpEndpoint(n, js(`"${t.uid}/leave/" + getLeaveId() + "/${who}"`, 'String'), {
            start: false,
            methods: ['GET'],
          }),
          httpResponse(`${n}Answer`, `${who} approved`),
        ];
        await t.deploy(
          workflow(
            t.id(),
            chain('Flow', [
              httpEndpoint('Submit', t.path('leave'), { methods: ['POST'], outputs: { parsedContent: out(body) } }),
              setVariable('SetId', id, js('getBody().LeaveId')),
              correlate('Corr', js('getLeaveId()', 'String')),
              httpResponse('Accepted', 'accepted', { status: 'Accepted' }),
              ...step('Manager', 'manager'),
              ...step('Head', 'head'),
            ]),
            { variables: [body, id] },
          ),
        );
        for (const n of ['one', 'two']) {
          const r = await t.post(t.path('leave'), { LeaveId: `${t.uid}-${n}` });
          t.eq([r.status, r.text], [202, 'accepted'], `submission ${n}`);
        }
        const l = await t.awaitInstances(t.id(), 2);
        for (const i of l) await t.suspended(i.id);
        const byId = Object.fromEntries((await t.instancesOf(t.id())).map((i) => [i.correlationId, i.id]));
        t.eq((await t.get(t.path(`leave/${t.uid}-one/head`))).status, 404, 'the head before the manager');
        const link = async (n, who) =>
          t.eventually(async () => {
            const r = await t.get(t.path(`leave/${t.uid}-${n}/${who}`));
            t.eq([r.status, r.text], [200, `${who} approved`], `${who} of ${n}`);
          });
        await link('one', 'manager');
        await link('one', 'head');
        await t.finished(byId[`${t.uid}-one`]);
        t.eq((await t.instance(byId[`${t.uid}-two`])).subStatus, 'Suspended', 'the other request');
        t.eq((await t.get(t.path(`leave/${t.uid}-one/manager`))).status, 404, 'the used link');
        await link('two', 'manager');
        await link('two', 'head');
        await t.finished(byId[`${t.uid}-two`]);
      },
    },
    {
      name: 'leave approval: the manager is silent, so the request goes to the head',
      slow: true,
      requires: ['javascript'],
      async run(t) {
        await t.deploy(
          workflow(
            t.id(),
            seq('Seq', [
              fork(
                'F',
                [
                  seq('S1', [runTask('Manager', 'Manager approval'), W('M', 'manager approved')]),
                  seq('S2', [delay('D', '00:00:01.500'), W('Late', 'manager is silent')]),
                ],
                'WaitAny',
              ),
              runTask('Head', 'Department head approval'),
              W('Done', 'approved'),
            ]),
          ),
        );
        const r = await open(t);
        const m = await t.awaitTask(r.instanceId, 'Manager approval');
        const h = await t.waitFor(
          async () => (await t.taskBookmarks(r.instanceId)).find((x) => x.taskName === 'Department head approval'),
          { timeout: 12000, what: 'the task of the head' },
        );
        await t.completeTask(m.taskId);
        await t.sleep(700);
        t.eq(await t.lines(r.instanceId), ['manager is silent'], 'lines after the manager is too late');
        await t.completeTask(h.taskId);
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['manager is silent', 'approved']);
      },
    },
    {
      name: 'A-B-C: the event of B starts at B',
      async run(t) {
        await t.deploy(abc(t, event('B', t.id('b'), { start: true })));
        await t.trigger(t.id('b'));
        const [i] = await t.awaitInstances(t.id());
        await t.finished(i.id);
        await t.expectLines(i.id, ['c']);
        t.eq(await t.started(i.id, ['Start', 'A', 'B', 'C']), ['B', 'C'], 'activities');
        t.excludes(
          (await t.journal(i.id)).map((e) => e.eventName),
          'Suspended',
          'events',
        );
      },
    },
    {
      name: 'A-B-C: reached from A, B waits for its event',
      async run(t) {
        const r = await t.run(abc(t, event('B', t.id('b'), { start: true })));
        t.expectState(r.state, 'Running', 'Suspended');
        t.eq(
          r.state.bookmarks.map((b) => b.activityId),
          ['B'],
          'bookmarks',
        );
        await t.expectLines(r.instanceId, ['a']);
        await t.trigger(t.id('b'), { workflowInstanceId: r.instanceId });
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['a', 'c']);
        t.eq(await count(t), 1, 'instances');
      },
    },
    {
      name: 'A-B-C: one event resumes the waiting instance and starts a new one',
      async run(t) {
        const r = await t.run(abc(t, event('B', t.id('b'), { start: true })));
        await t.trigger(t.id('b'));
        await t.finished(r.instanceId);
        const l = await t.awaitInstances(t.id(), 2);
        for (const i of l) await t.finished(i.id);
        await t.eventually(async () => t.eq(await stories(t), ['a,c', 'c'], 'lines of the instances'));
        await t.sleep(500);
        t.eq(await count(t), 2, 'instances');
      },
    },
    {
      name: 'A-B-C: the request of B starts at B',
      async run(t) {
        await t.deploy(abc(t, httpEndpoint('B', t.path()), { after: httpResponse('R', 'from B') }));
        t.eq((await t.get(t.path())).text, 'from B', 'answer');
        const [i] = await t.awaitInstances(t.id());
        await t.finished(i.id);
        t.eq(await t.started(i.id, ['Start', 'A', 'B', 'C', 'R']), ['B', 'C', 'R'], 'activities');
      },
    },
    {
      name: 'A-B-C: retracted, the request reaches the instance that waits at B',
      async run(t) {
        const r = await t.run(abc(t, httpEndpoint('B', t.path()), { after: httpResponse('R', 'from B') }));
        await t.retract(t.id());
        await t.eventually(async () => {
          const a = await t.get(t.path());
          t.eq([a.status, a.text], [200, 'from B'], 'answer');
        });
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['a', 'c']);
        t.eq(await count(t), 1, 'instances');
        t.eq((await t.get(t.path())).status, 404, 'a second request');
      },
    },
    ...[
      ['timer', () => timer('B', '01:00:00', { start: true })],
      ['cron', () => cron('B', '0 0 0 1 1 *', { start: true })],
      ['start-at', () => startAt('B', inSeconds(3600), { start: true })],
    ].map(([n, b]) => ({
      name: `A-B-C: reached from A, B (${n}) waits`,
      async run(t) {
        const r = await t.run(abc(t, b(t)));
        t.expectState(r.state, 'Running', 'Suspended');
        t.eq(
          r.state.bookmarks.map((x) => x.activityId),
          ['B'],
          'bookmarks',
        );
        await t.expectLines(r.instanceId, ['a']);
      },
    })),
    {
      name: 'A-B-C: without a start activity, the first one marked as a start begins',
      async run(t) {
        const r = await t.run(
          workflow(
            t.id(),
            flow('Flow', [W('A', 'a'), event('B', t.id('b'), { start: true }), W('C', 'c')], ['A->B', 'B->C']),
          ),
        );
        t.expectState(r.state, 'Running', 'Suspended');
        t.eq(await t.started(r.instanceId, ['A', 'B', 'C']), ['B'], 'activities');
        await t.trigger(t.id('b'), { workflowInstanceId: r.instanceId });
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['c']);
      },
    },
    {
      name: 'A-B-C: in a loop, B passes each time when it is the trigger',
      async run(t) {
        const n = variable('N', 'Int32', 0);
        await t.deploy(
          workflow(
            t.id(),
            flow(
              'Flow',
              [
                event('B', t.id('b'), { start: true }),
                setVariable('Inc', n, js('getN() + 1', 'Int32')),
                W('C', js('"round " + getN()', 'String')),
                decision('D', js('getN() < 3', 'Boolean')),
                W('E', 'end'),
              ],
              ['B->Inc', 'Inc->C', 'C->D', 'D:True->B', 'D:False->E'],
            ),
            { variables: [n] },
          ),
        );
        await t.trigger(t.id('b'));
        const [i] = await t.awaitInstances(t.id());
        await t.finished(i.id);
        await t.expectLines(i.id, ['round 1', 'round 2', 'round 3', 'end']);
      },
      requires: ['javascript'],
    },
    {
      name: 'two timers one after the other, each waits its own time',
      slow: true,
      async run(t) {
        const r = await t.run(
          workflow(
            t.id(),
            chain('Flow', [
              start(),
              W('A', 'a'),
              timer('T1', '00:00:01'),
              W('B', 'b'),
              timer('T2', '00:00:01'),
              W('C', 'c'),
            ]),
          ),
        );
        await t.awaitBookmarks(r.instanceId, 1, 'T2');
        t.eq(await t.lines(r.instanceId), ['a', 'b'], 'lines at the second timer');
        await t.finished(r.instanceId, { timeout: 15000 });
        await t.expectLines(r.instanceId, ['a', 'b', 'c']);
        t.eq(await count(t), 1, 'instances');
      },
    },
    {
      name: 'a cron in the middle tells when it resumes',
      async run(t) {
        const r = await t.run(abc(t, cron('B', '0 30 4 1 1 *')));
        const [b] = await t.awaitBookmarks(r.instanceId, 1, 'B');
        t.eq(prop(b.payload, 'cronExpression'), '0 30 4 1 1 *', 'payload.cronExpression');
        const at = new Date(prop(b.payload, 'executeAt'));
        t.eq(
          [at.getUTCMonth(), at.getUTCDate(), at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()],
          [0, 1, 4, 30, 0],
          'payload.executeAt (UTC)',
        );
      },
    },
    {
      name: 'start-at in the past from an expression',
      requires: ['javascript'],
      async run(t) {
        const r = await t.run(abc(t, startAt('B', js('new Date(Date.now() - 5000)', 'DateTimeOffset'))));
        t.expectState(r.state, 'Finished', 'Finished');
        await t.expectLines(r.instanceId, ['a', 'c']);
      },
    },
    {
      name: 'start-at in the future from an expression',
      slow: true,
      requires: ['javascript'],
      async run(t) {
        const r = await t.run(abc(t, startAt('B', js('new Date(Date.now() + 2500)', 'DateTimeOffset'))));
        t.expectState(r.state, 'Running', 'Suspended');
        await t.finished(r.instanceId, { timeout: 15000 });
        await t.expectLines(r.instanceId, ['a', 'c']);
      },
    },
    {
      name: 'GET and POST on one endpoint are two triggers',
      requires: ['javascript'],
      async run(t) {
        await t.deploy(
          workflow(
            t.id(),
            chain('Flow', [httpEndpoint('In', t.path(), { methods: ['GET', 'POST'] }), httpResponse('R', 'here')]),
          ),
        );
        for (const m of ['GET', 'POST', 'GET']) {
          const r = await t.http(m, t.path(), m === 'POST' ? { body: { x: 1 } } : {});
          t.eq([r.status, r.text], [200, 'here'], m);
        }
        t.eq(
          [(await t.http('PUT', t.path(), { body: {} })).status, (await t.http('DELETE', t.path())).status],
          [404, 404],
          'PUT, DELETE',
        );
        const l = await t.awaitInstances(t.id(), 3);
        t.eq(l.length, 3, 'instances');
        for (const i of l) await t.finished(i.id);
      },
    },
    {
      name: 'one event, several workflows',
      async run(t) {
        const ids = ['x', 'y', 'z'].map((n) => t.id(n));
        for (const id of ids)
          await t.deploy(workflow(id, chain('Flow', [event('E', t.id('shared'), { start: true }), W('W', id)])));
        await t.trigger(t.id('shared'));
        for (const id of ids) {
          const [i] = await t.awaitInstances(id);
          await t.finished(i.id);
          await t.expectLines(i.id, [id]);
        }
      },
    },
    {
      name: 'a trigger in a branch that ends the workflow',
      async run(t) {
        const r = await t.run(
          workflow(
            t.id(),
            flow(
              'Flow',
              [
                start(),
                W('A', 'a'),
                event('B', t.id('b'), { start: true }),
                event('X', t.id('x'), { start: true }),
                W('C', 'c'),
                finish('Fin'),
              ],
              ['Start->A', 'A->B', 'A->X', 'B->C', 'X->Fin'],
            ),
          ),
        );
        t.eq(r.state.bookmarks.map((b) => b.activityId).sort(), ['B', 'X'], 'bookmarks');
        await t.trigger(t.id('x'), { workflowInstanceId: r.instanceId });
        await t.finished(r.instanceId);
        t.eq(await t.bookmarks(r.instanceId), [], 'bookmarks');
        await t.trigger(t.id('b'), { workflowInstanceId: r.instanceId });
        await t.sleep(600);
        t.eq(await t.lines(r.instanceId), ['a'], 'lines');
      },
    },
    {
      name: 'the input of a timer run by hand stays out of the way',
      requires: ['javascript'],
      async run(t) {
        await t.deploy(
          workflow(
            t.id(),
            chain('Flow', [timer('T', '01:00:00', { start: true }), W('W', js('"" + getInput("X")', 'String'))]),
            { inputs: [inputDef('X', 'String')] },
          ),
        );
        const r = await t.execute(t.id(), { triggerActivityId: 'T', input: { X: 'y' } });
        await t.expectLines(r.instanceId, ['y']);
      },
    },
  ],
};
