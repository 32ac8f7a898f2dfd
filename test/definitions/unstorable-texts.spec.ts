import { describe, expect, it } from '@jest/globals';
import { Activity as ActivityType, ActivityBase, type ActivityExecutionContext, Input } from '@waymark/core';
import { IEventPublisher, IWorkflowDispatcher, IWorkflowRuntime, IWorkflowStarter } from '@waymark/runtime';
import {
  type Activity,
  W,
  act,
  bulkDispatch,
  correlate,
  dispatchWorkflow,
  event,
  executeWorkflow,
  js,
  list,
  out,
  publishEvent,
  runJs,
  seq,
  setName,
  setOutput,
  setVariable,
  variable,
  workflow,
} from '../conformance/lib/build.mjs';
import { uniqueId, useApplication } from '../support/use-application.js';

@ActivityType({ type: 'App.Waits' })
class Waits extends ActivityBase {
  @Input({ type: 'String' }) bookmarkName!: string;

  execute(ctx: ActivityExecutionContext): void {
    ctx.createBookmark({ name: this.bookmarkName });
  }
}

const test = useApplication({ providers: [Waits] });
const NUL = 'a\0b';
const LONG = 'x'.repeat(701);
const refused = { code: 'WM1103' };

describe('an activity that sets what cannot be stored', () => {
  const child = 'unstorable-child';
  it.each<[string, (text: unknown) => Activity]>([
    ['Correlate', (text) => correlate('A', text)],
    ['SetName', (text) => setName('A', text)],
    ['a bookmark', (text) => act('App.Waits', 'A', { bookmarkName: text })],
    ['PublishEvent', (text) => publishEvent('A', 'any', { correlationId: text })],
    ['DispatchWorkflow', (text) => dispatchWorkflow('A', child, { correlationId: text })],
    ['ExecuteWorkflow', (text) => executeWorkflow('A', child, { correlationId: text, wait: true })],
    [
      'BulkDispatchWorkflows',
      (text) => bulkDispatch('A', child, list([1]), { correlationIdFunction: text as ReturnType<typeof js> }),
    ],
  ])('%s faults, and the instance keeps what was before', async (_, make) => {
    await test.deploy(workflow(child, W('w', 'child')));
    for (const [code, problem] of [
      ['"a" + String.fromCharCode(0)', /U\+0000/],
      ['"x".repeat(701)', /701 characters, and 700 is the limit/],
    ] as const) {
      const run = await test.run(
        seq('S', [correlate('C', 'before'), setName('N', 'name'), make(js(code, 'String')), W('never', 'never')]),
      );
      expect([run.status, run.lines, run.incidents]).toEqual(['Faulted', [], [expect.stringMatching(problem)]]);
      expect([run.state.correlationId, run.state.name]).toEqual(['before', 'name']);
      expect(run.record('A').status).toBe('Faulted');
    }
    expect(await test.app.instancesOf(child)).toEqual([]);
  });

  it('a script faults, too', async () => {
    for (const script of ['setCorrelationId("\\u0000")', 'setWorkflowInstanceName("x".repeat(701))']) {
      const run = await test.run(runJs('A', script));
      expect([run.status, run.incidents]).toEqual(['Faulted', [expect.stringMatching(/cannot be stored/)]]);
    }
  });

  it.each(['漢'.repeat(700), '🚀'.repeat(525)])(
    'texts of the maximum length and size are stored (%#)',
    async (longest) => {
      const run = await test.run(seq('S', [correlate('C', longest), setName('N', longest)]));
      expect([run.status, run.state.correlationId, run.state.name]).toEqual(['Finished', longest, longest]);
    },
  );
});

describe('a call with what cannot be stored is refused before anything runs', () => {
  it.each([
    ['with U+0000', NUL],
    ['that is too long', LONG],
  ])('a call with a text %s is refused before anything runs', async (_, text) => {
    const { definitionId } = await deployed(W('w', 'ran'));
    const app = test.app;
    const client = (id?: string) => app.get(IWorkflowRuntime).createClient(id);
    const start = { definition: definitionId };
    await expect((await client()).createAndRunInstance({ ...start, correlationId: text })).rejects.toMatchObject(
      refused,
    );
    await expect((await client()).createAndRunInstance({ ...start, name: text })).rejects.toMatchObject(refused);
    await expect((await client()).createInstance({ ...start, requestKey: text })).rejects.toMatchObject(refused);
    await expect((await client(text)).createInstance(start)).rejects.toMatchObject(refused);
    await expect(app.get(IWorkflowStarter).start({ ...start, correlationId: text })).rejects.toMatchObject(refused);
    const dispatcher = app.get(IWorkflowDispatcher);
    await expect(dispatcher.dispatch({ ...start, correlationId: text })).rejects.toMatchObject(refused);
    await expect(dispatcher.dispatch({ ...start, workflowInstanceId: text })).rejects.toMatchObject(refused);
    const events = app.get(IEventPublisher);
    await expect(events.publish(uniqueId('e'), { correlationId: text })).rejects.toMatchObject(refused);
    await expect(events.dispatch(uniqueId('e'), { correlationId: text })).rejects.toMatchObject(refused);
    await expect((await client(text)).runInstance()).rejects.toMatchObject({ code: 'WM3001' });
    await app.settled();
    expect(await app.instancesOf(definitionId)).toEqual([]);
  });

  it('an id of an instance leaves room for those of its activities', async () => {
    const { definitionId } = await deployed(event('E', uniqueId('never')));
    const create = async (id: string) =>
      (await test.app.get(IWorkflowRuntime).createClient(id)).createAndRunInstance({ definition: definitionId });
    await expect(create('i'.repeat(201))).rejects.toMatchObject(refused);
    expect((await create('i'.repeat(200))).subStatus).toBe('Suspended');
  });
});

describe('a definition with what cannot be stored', () => {
  it.each([
    ['with U+0000', NUL],
    ['that is too long', LONG],
  ])('is neither saved nor published with a text %s', async (_, text) => {
    const model = (members: object) => ({ ...workflow(uniqueId('d'), W('w', 'w')), ...members }) as never;
    for (const members of [{ definitionId: text }, { name: text }]) {
      await expect(test.app.saveDraft(model(members))).rejects.toMatchObject(refused);
      const { succeeded, problems } = await test.app.publish(model(members));
      expect([succeeded, problems[0]?.message]).toEqual([false, expect.stringMatching(/cannot be stored/)]);
    }
  });

  it.each([
    ['with U+0000', NUL],
    ['that is too long', LONG],
  ])('has a problem when an activity has an id %s', async (_, text) => {
    const { succeeded, problems } = await test.app.publish(workflow(uniqueId('d'), seq('S', [W(text, 'w')])));
    expect([succeeded, problems]).toEqual([
      false,
      [{ message: expect.stringMatching(/^The id of an activity cannot be stored/), activityId: text }],
    ]);
  });

  it('may be singleton by long ids', async () => {
    const definitionId = uniqueId('d').padEnd(255, 'x');
    const options = { activationStrategyType: 'CorrelatedSingletonStrategy' };
    const model = workflow(definitionId, event('E', uniqueId('never')), { options });
    const correlationId = 'c'.repeat(700);
    expect((await test.app.run(model, { correlationId })).status).toBe('Suspended');
    await expect(test.app.execute(definitionId, { correlationId })).rejects.toMatchObject({ code: 'WM7005' });
    expect((await test.app.execute(definitionId, { correlationId: 'other' })).status).toBe('Suspended');
  });
});

it('U+0000 in values goes through variables, inputs, outputs and payloads', async () => {
  const text = variable('T', 'String');
  const go = uniqueId('go');
  const got = variable('Got', 'Object');
  let run = await test.run(
    seq('S', [
      setVariable('Set', text, js('"a" + String.fromCharCode(0) + getInput("In")')),
      event('E', go, { result: out(got) }),
      W('w', js('getT() + getGot().text')),
      setOutput('O', 'Out', js('getT()')),
    ]),
    { variables: [text, got], request: { input: { In: NUL } } },
  );
  await test.app.get(IEventPublisher).publish(go, { payload: { text: NUL } });
  run = await run.again();
  expect([run.status, run.lines, run.state.output]).toEqual(['Finished', [`a\0${NUL}${NUL}`], { Out: `a\0${NUL}` }]);
});

async function deployed(root: Activity) {
  const model = workflow(uniqueId('d'), root);
  await test.deploy(model);
  return model;
}
