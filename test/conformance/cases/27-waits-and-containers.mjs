// What records show, activities that wait, containers, and spellings of inputs.
import {
  W,
  act,
  chain,
  complete,
  end,
  event,
  flow,
  forEach,
  iff,
  inputDef,
  js,
  lit,
  obj,
  out,
  parallel,
  publishEvent,
  runJs,
  runTask,
  seq,
  setVariable,
  start,
  startAt,
  subWorkflow,
  variable,
  workflow,
} from '../lib/build.mjs';
import { line, wf, writes } from '../lib/lines.mjs';

const recordFacts = (r) => [r.status, r.activityState ?? null, r.outputs ?? null, r.payload?.Outcomes ?? null];

export default {
  group: 'waits-and-containers',
  description: 'records, waits, containers and spellings',
  requires: ['javascript'],
  cases: [
    {
      name: 'records show inputs, outputs and outcomes',
      async run(t) {
        const v = variable('V', 'Int32', 0);
        const r = await t.run(
          wf(
            t,
            [
              W('W', 'text'),
              iff('I', lit(true), setVariable('S', v, 3)),
              runJs('J', 'setOutcome("Mine"); return 1;', { outcomes: ['Mine'] }),
              W('X', js('null', 'String')),
            ],
            { variables: [v] },
          ),
        );
        await t.finished(r.instanceId);
        t.eq(
          recordFacts(await t.recordEventually(r.instanceId, 'W')),
          ['Completed', { Text: 'text' }, null, null],
          'WriteLine',
        );
        t.eq(
          recordFacts(await t.recordEventually(r.instanceId, 'I')),
          ['Completed', { Condition: true }, { Result: true }, null],
          'If',
        );
        const j = recordFacts(await t.recordEventually(r.instanceId, 'J'));
        t.eq([j[0], j[2], j[3]], ['Completed', { Result: 1 }, ['Mine']], 'RunJavaScript');
        t.eq((await t.recordEventually(r.instanceId, 'X')).activityState, { Text: null }, 'null');
        const s = await t.recordEventually(r.instanceId, 'S');
        t.eq([s.activityState.Variable.id, s.activityState.Value], ['V-id', 3], 'SetVariable');
      },
    },
    {
      name: 'RunTask: payload, task id, result',
      async run(t) {
        const v = variable('V', 'Object');
        const r = await t.run(
          wf(
            t,
            [
              runTask('T', 'Review', { payload: js('({ a: 1 })', 'ObjectDictionary'), result: out(v) }),
              line('L', '"" + getV().ok'),
            ],
            { variables: [v] },
          ),
        );
        const task = await t.awaitTask(r.instanceId, 'Review');
        const record = await t.recordEventually(r.instanceId, 'T');
        t.eq(
          [record.activityState, record.outputs?.TaskId],
          [{ TaskName: 'Review', Payload: { a: 1 } }, task.taskId],
          'record',
        );
        await t.completeTask(task.taskId, { ok: true });
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['true']);
      },
    },
    {
      name: 'one event resumes all waits of an instance in the order in which they began',
      beyond: 'The stores of Elsa give the bookmarks in any order.',
      async run(t) {
        const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
        const branches = names.map((n) => seq(`S${n}`, [event(`E${n}`, t.id('go')), W(`L${n}`, n)]));
        const r = await t.run(wf(t, [parallel('P', branches)]));
        await t.trigger(t.id('go'), { workflowExecutionMode: 'Synchronous' });
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, names);
      },
    },
    {
      name: 'RunTask: the record of a completed task has its id',
      beyond: 'Elsa shows null, unless a variable is bound to the id.',
      async run(t) {
        const r = await t.run(wf(t, [runTask('T', 'Review')]));
        const { taskId } = await t.awaitTask(r.instanceId, 'Review');
        await t.completeTask(taskId, { ok: true });
        await t.finished(r.instanceId);
        const record = await t.recordEventually(r.instanceId, 'T', ({ status }) => status === 'Completed');
        t.eq(record.outputs, { TaskId: taskId, Result: { ok: true } }, 'outputs');
      },
    },
    {
      name: 'Event: the payload is its result',
      async run(t) {
        const v = variable('V', 'Object');
        const r = await t.run(
          wf(t, [event('Ev', t.id('go'), { result: out(v) }), line('L', 'JSON.stringify(getV())')], { variables: [v] }),
        );
        t.eq(
          r.state.bookmarks.map((b) => [b.name, b.payload, b.activityId]),
          [['Elsa.Event', { eventName: t.id('go') }, 'Ev']],
          'bookmark',
        );
        await t.trigger(t.id('go'), { input: { n: [1] } });
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['{"n":[1]}']);
      },
    },
    {
      name: 'PublishEvent: a local event stays in the instance',
      async run(t) {
        await t.deploy(
          workflow(t.id('other'), seq('S', [event('Ev', t.id('go'), { start: true }), W('W', 'started')])),
        );
        const r = await t.run(
          workflow(
            t.id(),
            flow(
              'F',
              [start(), event('Ev', t.id('go')), publishEvent('P', t.id('go'), { local: true }), W('L', 'resumed')],
              ['Start->Ev', 'Start->P', 'Ev->L'],
            ),
          ),
        );
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['resumed']);
        t.eq(await t.instancesOf(t.id('other')), [], 'instances of the other workflow');
      },
    },
    writes('StartAt in the past goes on', () => [startAt('S', '2020-01-01T00:00:00Z'), W('End', 'end')], ['end']),
    writes(
      'a state machine goes from state to state',
      () => [
        act('Elsa.StateMachine', 'M', {
          states: [
            { name: 'Open', entry: W('EntryOpen', 'entry open'), exit: W('ExitOpen', 'exit open') },
            { name: 'Closed', entry: W('EntryClosed', 'entry closed') },
          ],
          transitions: [
            { name: 'never', from: 'Open', to: 'Open', trigger: W('T0', 't0'), condition: lit(false) },
            {
              name: 'close',
              from: 'Open',
              to: 'Closed',
              trigger: W('T1', 't1'),
              condition: lit(true),
              action: W('Act', 'action'),
            },
          ],
          initialState: 'Open',
        }),
        W('End', 'end'),
      ],
      ['entry open', 't0', 't1', 'action', 'exit open', 'entry closed', 'end'],
      { requires: ['javascript', 'type:Elsa.StateMachine'] },
    ),
    {
      name: 'outcomes of a workflow used as an activity',
      async run(t) {
        const child = await t.deploy(
          workflow(t.id('child'), seq('S', [complete('C', js('getInput("Amount") > 10 ? "Big" : "Small"'))]), {
            name: t.typeName(),
            inputs: [inputDef('Amount', 'Int32')],
            outcomes: ['Big', 'Small'],
            options: { usableAsActivity: true },
          }),
        );
        const r = await t.run(
          workflow(
            t.id(),
            flow(
              'F',
              [start(), subWorkflow('Sub', child, { amount: lit(50) }), W('B', 'big'), W('S', 'small')],
              ['Start->Sub', 'Sub:Big->B', 'Sub:Small->S'],
            ),
          ),
        );
        await t.finished(r.instanceId);
        await t.expectLines(r.instanceId, ['big']);
      },
    },
    {
      name: 'an activity of a type that there is not',
      async run(t) {
        const options = await t.incident('Fault');
        const model = wf(t, [W('A', 'before'), act('Acme.Teleport', 'X', { where: lit('moon') }), W('B', 'never')], {
          options,
        });
        await t.import(model);
        const stored = (await t.definition(t.id())).root.activities[1];
        t.eq([stored.type, stored.missingTypeName], ['Elsa.NotFoundActivity', 'Acme.Teleport'], 'stored');
        t.eq(JSON.parse(stored.originalActivityJson).type, 'Acme.Teleport', 'the original');
      },
    },
    {
      name: 'inputs in all spellings',
      async run(t) {
        const w = (id, text) => act('Elsa.WriteLine', id, { text });
        await t.runAndExpect(
          wf(
            t,
            [
              w('A', 'raw text'),
              w('B', 5),
              w('C', { typeName: null, expression: { type: 'Literal', value: 'no type' } }),
              w('D', { typeName: 'Acme.Unknown', expression: { type: 'Literal', value: 'odd type' } }),
              w('E', { typeName: 'String', expression: { type: null, value: 'null syntax' } }),
              w('F', {
                typeName: 'String',
                memoryReference: { id: 'x' },
                expression: { type: 'Literal', value: 'reference' },
              }),
              w('G', { typeName: 'String', expression: { type: 'javascript', value: '"case"' } }),
            ].slice(0, 6),
          ),
          ['raw text', '5', 'no type', 'odd type', 'null syntax', 'reference'],
        );
      },
    },
    writes(
      'a Sequence ends at a terminal child',
      () => [seq('S', [W('A', 'a'), end('E'), W('B', 'never')]), W('C', 'c')],
      ['a', 'c'],
    ),
    writes(
      'an Object list is read for ForEach',
      () => [forEach('Each', obj('[{"n":1},{"n":2}]'), line('L', '"" + getCurrentValue().n'))],
      ['1', '2'],
    ),
    writes(
      'variables of an inner container hide outer ones',
      () => {
        const inner = { id: 'inner', name: 'V', typeName: 'String', value: 'inner', storageDriverTypeName: null };
        return [
          line('A', 'getV()'),
          seq('S', [line('B', 'getV()'), runJs('J', 'setV("changed")'), line('C', 'getV()')], { variables: [inner] }),
          line('D', 'getV()'),
        ];
      },
      ['outer', 'inner', 'changed', 'outer'],
      { definition: { variables: [variable('V', 'String', 'outer')] } },
    ),
    writes(
      'chain with a Start in the middle of the list',
      () => {
        const c = chain('F', [W('A', 'a'), W('B', 'b')]);
        c.activities.push(start('St'));
        c.connections.push({ source: { activity: 'St', port: 'Done' }, target: { activity: 'B', port: 'In' } });
        return c;
      },
      ['b'],
    ),
  ],
};
