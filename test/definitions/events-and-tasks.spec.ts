import { describe, expect, it } from '@jest/globals';
import { IEventPublisher } from '@waymark/runtime';
import {
  W,
  event,
  js,
  obj,
  out,
  publishEvent,
  runTask,
  seq,
  variable,
  workflow,
  correlate,
  lit,
} from '../conformance/lib/build.mjs';
import { uniqueId, useApplication } from '../support/use-application.js';

const test = useApplication();
const publish = async (name: string, options: object = {}) => {
  await test.app.get(IEventPublisher).publish(name, options);
  await test.app.settled();
};

describe('Event', () => {
  it('writes its payload to the bound variable', async () => {
    const v = variable('P', 'Object');
    const run = await test.run(
      seq('S', [event('E', 'go', { result: out(v) }), W('w', js('`${getP().a} ${getOutputFrom("E").a}`'))]),
      { variables: [v] },
    );
    expect((await run.event('go', { a: 1 })).lines).toEqual(['1 1']);
  });

  it('Event without a payload gives null', async () => {
    const v = variable('P', 'Object', 'before');
    const run = await test.run(seq('S', [event('E', 'go', { result: out(v) }), W('w', js('String(getP())'))]), {
      variables: [v],
    });
    expect((await run.event('go')).lines).toEqual(['null']);
  });

  it('resumes all that wait for it, and nothing with another name or case', async () => {
    const name = uniqueId('event');
    const root = seq('S', [event('E', name), W('w', 'on')]);
    const [a, b, c] = [
      await test.run(root),
      await test.run(root),
      await test.run(seq('S', [event('E', name.toUpperCase())])),
    ];
    await publish(name);
    expect([(await a.again()).status, (await b.again()).status, (await c.again()).status]).toEqual([
      'Finished',
      'Finished',
      'Suspended',
    ]);
  });

  it('resumes both of two waits in one instance', async () => {
    const name = uniqueId('event');
    const run = await test.run(
      seq('S', [{ ...seq('P', [event('E1', name), event('E2', name)]), type: 'Elsa.Parallel' }, W('z', 'z')]),
    );
    await publish(name);
    expect((await run.again()).lines).toEqual(['z']);
  });

  it('starts workflows, with the payload', async () => {
    const name = uniqueId('event');
    const v = variable('P', 'Object');
    const model = workflow(
      uniqueId(),
      seq('S', [event('E', name, { start: true, result: out(v) }), W('w', js('getP().text'))]),
      { variables: [v] },
    );
    await test.deploy(model);
    await publish(name, { payload: { text: 'hello' } });
    const [run] = await test.app.instancesOf(model.definitionId);
    expect([run?.status, run?.lines]).toEqual(['Finished', ['hello']]);
  });

  it('Event that can start the workflow waits when it is started otherwise', async () => {
    const run = await test.run(seq('S', [event('E', uniqueId('event'), { start: true }), W('w', 'w')]));
    expect([run.status, run.waitingAt]).toEqual(['Suspended', ['E']]);
  });

  it('takes its name from an expression', async () => {
    const run = await test.run(seq('S', [event('E', js('"order-" + getInput("Id")', 'String')), W('w', 'w')]), {
      request: { input: { Id: 7 } },
    });
    expect((await run.event('order-7')).status).toBe('Finished');
  });
});

describe('PublishEvent', () => {
  it('starts and resumes workflows, and passes its payload on', async () => {
    const name = uniqueId('event');
    const v = variable('P', 'Object');
    const receiver = (start: boolean) =>
      workflow(uniqueId(), seq('S', [event('E', name, { start, result: out(v) }), W('w', js('getP().n + ""'))]), {
        variables: [v],
      });
    const [starts, waits] = [receiver(true), receiver(false)];
    await test.deploy(starts, waits);
    const waiting = await test.app.execute(waits.definitionId);
    const sender = await test.run(seq('S', [publishEvent('P', name, { payload: js('({ n: 5 })') }), W('w', 'sent')]));
    expect([sender.status, sender.lines]).toEqual(['Finished', ['sent']]);
    expect((await waiting.again()).lines).toEqual(['5']);
    expect((await test.app.instancesOf(starts.definitionId)).map((r) => r.lines)).toEqual([['5']]);
  });

  it.each<[string, object, boolean[]]>([
    ['everybody', {}, [true, true]],
    ['a correlation id', { correlationId: 'b' }, [false, true]],
    ['a blank correlation id: everybody', { correlationId: '  ' }, [true, true]],
  ])('an event is published to %s', async (_, options, expected) => {
    const name = uniqueId('event');
    const model = workflow(uniqueId(), seq('S', [event('E', name), W('w', 'w')]));
    await test.deploy(model);
    const runs = [
      await test.app.execute(model.definitionId, { correlationId: 'a' }),
      await test.app.execute(model.definitionId, { correlationId: 'b' }),
    ];
    await test.run(seq('S', [publishEvent('P', name, options)]));
    expect(await Promise.all(runs.map(async (r) => (await r.again()).status === 'Finished'))).toEqual(expected);
  });

  it('locally resumes its own instance only, and starts nothing', async () => {
    const name = uniqueId('event');
    const other = workflow(uniqueId(), seq('S', [event('E', name, { start: true })]));
    await test.deploy(other);
    const waiting = await test.app.execute(other.definitionId);
    const root = {
      ...seq('P', [seq('A', [event('E', name), W('a', 'a')]), publishEvent('Pub', name, { local: true })]),
      type: 'Elsa.Parallel',
    };
    const run = await test.run(root);
    expect([(await run.again()).status, (await run.again()).lines]).toEqual(['Finished', ['a']]);
    expect([(await waiting.again()).status, (await test.app.instancesOf(other.definitionId)).length]).toEqual([
      'Suspended',
      1,
    ]);
  });
});

describe('RunTask', () => {
  it('waits until it is reported, and gives id and result', async () => {
    const v = variable('R', 'Object');
    const task = {
      ...runTask('T', 'Approve', { payload: obj({ order: 1 }, 'ObjectDictionary'), result: out(v) }),
      taskId: out('TaskId', 'String'),
    };
    let run = await test.run(seq('S', [task, W('w', js('getR().by'))]), {
      variables: [v],
      outputs: [{ name: 'TaskId', type: 'String' }],
    });
    const { taskId, taskName } = run.bookmarks[0]!.payload as Record<string, unknown>;
    expect([taskName, run.output.TaskId]).toEqual(['Approve', taskId]);
    expect(run.record('T').activityState).toMatchObject({ TaskName: 'Approve', Payload: { order: 1 } });
    run = await run.complete('T', { by: 'mia' });
    expect([run.status, run.lines]).toEqual(['Finished', ['mia']]);
    expect(run.record('T').outputs).toMatchObject({ Result: { by: 'mia' } });
  });

  it('the id of a task is assigned when it is made, and not again when it is completed', async () => {
    const task = (id: string) => ({ ...runTask(id, 'Do'), taskId: out('TaskId', 'String') });
    const root = { ...seq('P', [task('T1'), task('T2')]), type: 'Elsa.Parallel' };
    let run = await test.run(root, { outputs: [{ name: 'TaskId', type: 'String' }] });
    const latest = run.output.TaskId;
    run = await run.complete('T1');
    expect(run.output.TaskId).toBe(latest);
    expect(run.record('T1').outputs).toMatchObject({ TaskId: expect.any(String) });
  });

  it('RunTask without a result gives null', async () => {
    const run = await test.run(seq('S', [runTask('T', 'Do'), W('w', js('String(getOutputFrom("T"))'))]));
    expect((await run.complete('T')).lines).toEqual(['null']);
  });

  it('twice the same task: each report is for one of them', async () => {
    let run = await test.run({
      ...seq('P', [seq('A', [runTask('T1', 'Do'), W('a', 'a')]), seq('B', [runTask('T2', 'Do'), W('b', 'b')])]),
      type: 'Elsa.Parallel',
    });
    run = await run.complete('T2');
    expect([run.status, run.lines]).toEqual(['Suspended', ['b']]);
    expect((await run.complete('T1')).status).toBe('Finished');
  });
});

describe('facts of the instance', () => {
  it('Correlate sets the correlation id of the instance, of its bookmarks and of expressions', async () => {
    const run = await test.run(
      seq('S', [correlate('C', js('"order-" + 7')), W('w', js('getCorrelationId()')), event('E', 'go')]),
    );
    expect([run.lines, run.stored.correlationId]).toEqual([['order-7'], 'order-7']);
    const { resumed } = await test.app.get(IEventPublisher).publish('go', { correlationId: 'order-7' });
    expect(resumed.map((r) => r.workflowInstanceId)).toEqual([run.id]);
  });

  it.each<[string, unknown, string]>([
    ['text', lit('Order 7', 'String'), 'Order 7'],
    ['a number', js('7'), '7'],
    ['nothing', undefined, ''],
  ])('SetName with %s', async (_, value, expected) => {
    const run = await test.run(
      seq('S', [{ id: 'N', type: 'Elsa.SetName', value }, W('w', js('getWorkflowInstanceName() ?? ""'))]),
    );
    expect([run.stored.name ?? '', run.lines]).toEqual([expected, [expected]]);
  });
});
