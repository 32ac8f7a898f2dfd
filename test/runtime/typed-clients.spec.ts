import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  activity,
  Activity,
  ActivityBase,
  type ActivityExecutionContext,
  fault,
  ifElse,
  input,
  output,
  setOutput,
  type WorkflowDefinitionBuilder,
} from '@waymark/core';
import {
  Event,
  IBookmarkResumer,
  IEventPublisher,
  IWorkflowCancellationService,
  IWorkflowDispatcher,
  IWorkflowRuntime,
  IWorkflowStarter,
  MemoryPersistence,
  stimulusType,
  Workflow,
  type WorkflowBuilder,
  workflowEvent,
  type WorkflowPersistence,
} from '@waymark/runtime';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, type RuntimeNode, sequence, startNode } from '../support/runtime-node.js';

const Decided = workflowEvent<{ readonly by: string }>('Decided');
const Answer = stimulusType<{ readonly question: string }, { readonly text: string }>('Answer');

@Workflow({ id: 'leave' })
class Leave implements WorkflowBuilder {
  readonly inputs = {
    days: input<number>({ type: 'Int32' }),
    from: input<Date>({ type: 'DateTimeOffset', optional: true }),
  };
  readonly outputs = { by: output<string>(), days: output<number>(), year: output<number>() };

  build(w: WorkflowDefinitionBuilder): void {
    const { days, from } = this.inputs;
    const decided = w.variable<{ by: string }>('decided');
    w.root([
      activity(Event, { eventName: Decided.name }, { outputs: { result: decided } }),
      ifElse((scope) => days.get(scope) > 30, fault({ message: 'too long', code: 'TooLong' })),
      setOutput(this.outputs.by, (scope) => decided.get(scope).by),
      setOutput(this.outputs.days, days),
      setOutput(this.outputs.year, (scope) => from.get(scope)?.getUTCFullYear() ?? 0),
    ]);
  }
}

@Activity()
class Ask extends ActivityBase {
  text: string | undefined;
  execute(ctx: ActivityExecutionContext): void {
    ctx.createBookmark(Answer.bookmark({ question: 'why' }, this.onAnswer));
  }
  onAnswer(ctx: ActivityExecutionContext<{ readonly text: string }>): unknown {
    ctx.workflow.output.text = ctx.input.text;
    return ctx.complete();
  }
}

@Workflow({ id: 'ask' })
class Asks implements WorkflowBuilder {
  readonly outputs = { text: output<string>() };
  build(w: WorkflowDefinitionBuilder): void {
    w.root(Ask);
  }
}

const providers = [Leave, Asks, Ask];

describeOn(await testBackends(), 'clients of workflow classes on $name', (backend) => {
  let persistence: WorkflowPersistence;
  let here: RuntimeNode;
  let there: RuntimeNode;
  const leave = (node = here) => node.get(IWorkflowRuntime).client(Leave);

  beforeEach(async () => {
    persistence = await backend.create();
    here = await startNode(persistence, { providers });
    there = await startNode(backend.name === 'memory' ? persistence : await backend.create(), { providers });
  });
  afterEach(async () => {
    await here.close();
    await there.close();
  });
  afterAll(() => backend.drop());

  it('clients of workflow classes start with checked inputs and wait for outputs, on another node than the one that ends it', async () => {
    const handle = await leave().start({ days: 3, from: new Date('2026-02-03T00:00:00Z') }, { correlationId: 'c1' });
    const elsewhere = leave(there).handle(handle.workflowInstanceId).resultOrThrow();
    const near = handle.result();
    await here.get(IEventPublisher).publish(Decided, { payload: { by: 'mia' }, correlationId: 'c1' });
    const expected = { by: 'mia', days: 3, year: 2026 };
    expect(await elsewhere).toEqual(expected);
    expect(await near).toMatchObject({ subStatus: 'Finished', output: expected, incidents: [] });
    // Later as well.
    expect(await leave(there).handle(handle.workflowInstanceId).resultOrThrow()).toEqual(expected);
  });

  it('handles tell where an instance stands, on any node and without secrets', async () => {
    const { workflowInstanceId: id } = await leave().start({ days: 31 }, { correlationId: 'c9', name: 'Mia' });
    const handle = leave(there).handle(id);
    const waiting = await handle.describe();
    expect(waiting).toEqual({
      workflowInstanceId: id,
      version: 1,
      status: 'Running',
      subStatus: 'Suspended',
      name: 'Mia',
      correlationId: 'c9',
      incidents: [],
      variables: { decided: null },
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
    });
    const payload = { by: 'mia', password: 'hunter2' };
    await here.get(IEventPublisher).publish(Decided, { payload, correlationId: 'c9' });
    const ended = await handle.describe();
    expect(ended).toMatchObject({ subStatus: 'Faulted', incidents: [{ message: 'too long' }] });
    expect(ended.variables).toEqual({ decided: { by: 'mia', password: '(redacted)' } });
    await expect(leave().handle('nope').describe()).rejects.toMatchObject({ code: 'WM3001' });
    await expect(here.get(IWorkflowRuntime).client(Asks).handle(id).describe()).rejects.toMatchObject({
      code: 'WM1041',
    });
  });

  it('dispatch to any node', async () => {
    const handle = await leave().dispatch({ days: 4 }, { correlationId: 'c2' });
    const waiting = handle.resultOrThrow();
    await here.settled();
    await there.settled();
    await there.get(IEventPublisher).publish(Decided, { payload: { by: 'tom' }, correlationId: 'c2' });
    expect(await waiting).toEqual({ by: 'tom', days: 4, year: 0 });
  });
});

describe('a client of a workflow class', () => {
  let clock: VirtualClock;
  let persistence: MemoryPersistence;
  let node: RuntimeNode;
  beforeEach(async () => {
    clock = new VirtualClock();
    persistence = new MemoryPersistence();
    node = await startNode(persistence, { providers, clock });
  });
  afterEach(() => node.close());
  const leave = () => node.get(IWorkflowRuntime).client(Leave);
  const decide = (by: string) => node.get(IEventPublisher).publish(Decided, { payload: { by } });

  it('throws an error with the fault of the instance (WM1038)', async () => {
    const handle = await leave().start({ days: 31 });
    await decide('mia');
    expect(await handle.result()).toMatchObject({ subStatus: 'Faulted', incidents: [{ message: 'too long' }] });
    await expect(handle.resultOrThrow()).rejects.toMatchObject({
      code: 'WM1038',
      subStatus: 'Faulted',
      message: expect.stringContaining('too long'),
    });
  });

  it('reports that it was cancelled (WM1038)', async () => {
    const handle = await leave().start({ days: 3 });
    const waiting = expect(handle.resultOrThrow()).rejects.toMatchObject({ code: 'WM1038', subStatus: 'Cancelled' });
    expect([await handle.cancel(), await handle.cancel()]).toEqual([true, false]);
    await waiting;
  });

  it('stops waiting after the time limit (WM1037), or when the caller aborts', async () => {
    const handle = await leave().start({ days: 3 });
    const waiting = expect(handle.result({ timeoutMs: 1000 })).rejects.toMatchObject({
      code: 'WM1037',
      timeoutMs: 1000,
    });
    await clock.advance(1001);
    await waiting;
    const controller = new AbortController();
    const aborted = expect(handle.result({ signal: controller.signal })).rejects.toThrow('enough');
    controller.abort(new Error('enough'));
    await aborted;
    await decide('mia');
    expect((await handle.resultOrThrow()).by).toBe('mia');
  });

  it('refuses missing instances (WM3001) and classes that are not workflows (WM1039)', async () => {
    await expect(leave().handle('gone').result()).rejects.toMatchObject({ code: 'WM3001' });
    expect(() => node.get(IWorkflowRuntime).client(Ask as never)).toThrow(expect.objectContaining({ code: 'WM1039' }));
  });

  it('knows no instance of another workflow (WM1041)', async () => {
    const { workflowInstanceId } = await node.get(IWorkflowRuntime).client(Asks).start();
    const foreign = leave().handle(workflowInstanceId);
    const refusal = expect.objectContaining({
      code: 'WM1041',
      message: expect.stringMatching(/belongs to workflow "[^"]+", not to "leave"/),
    });
    await expect(foreign.result()).rejects.toEqual(refusal);
    await expect(foreign.cancel()).rejects.toEqual(refusal);
    await node.get(IBookmarkResumer).resume(Answer, { question: 'why' }, { input: { text: 'because' } });
    await expect(foreign.resultOrThrow()).rejects.toEqual(refusal);
  });

  it.each([NaN, -1, Infinity, '5s', null])('refuses the time limit %p (WM1042)', async (timeoutMs) => {
    const refusal = { code: 'WM1042', message: expect.stringContaining('timeoutMs') };
    const options = { timeoutMs: timeoutMs as number };
    const handle = await leave().start({ days: 3 });
    await expect(handle.result(options)).rejects.toMatchObject(refusal);
    await expect(handle.resultOrThrow(options)).rejects.toMatchObject(refusal);
    // Nothing is started.
    await expect(leave().run({ days: 4 }, options)).rejects.toMatchObject(refusal);
    expect(await persistence.instances.count({})).toBe(1);
  });

  it('resumes by a typed stimulus', async () => {
    const handle = await node.get(IWorkflowRuntime).client(Asks).start();
    await node.get(IBookmarkResumer).resume(Answer, { question: 'why' }, { input: { text: 'because' } });
    expect(await handle.resultOrThrow()).toEqual({ text: 'because' });
  });
});

describe('inputs of a start', () => {
  let persistence: MemoryPersistence;
  let node: RuntimeNode;
  beforeEach(async () => {
    persistence = new MemoryPersistence();
    node = await startNode(persistence, { providers });
  });
  afterEach(() => node.close());
  const start = async (given: Record<string, unknown>, definition = 'leave') =>
    (await node.get(IWorkflowRuntime).createClient()).createAndRunInstance({ definition, input: given });

  it.each<[string, Record<string, unknown>, string]>([
    ['missing', {}, "'days' is missing"],
    ['null', { days: null }, "'days' is missing"],
    ['blank', { days: ' ' }, "'days' is missing"],
    ['unknown', { days: 3, dayz: 4 }, "'dayz' is not declared; the workflow takes days, from"],
    ['wrong', { days: 'many' }, '\'days\' does not fit its type: Cannot convert "many" to a whole number (Int32)'],
    ['several', { from: 'soon' }, "'from' does not fit its type"],
  ])('inputs of a start are checked: %s (WM1036)', async (_, given, message) => {
    const error = { code: 'WM1036', definitionId: 'leave', message: expect.stringContaining(message) };
    await expect(start(given)).rejects.toMatchObject(error);
    const request = { definition: 'leave', input: given };
    await expect(node.get(IWorkflowStarter).start(request)).rejects.toMatchObject(error);
    await expect(node.get(IWorkflowDispatcher).dispatch(request)).rejects.toMatchObject(error);
  });

  it('inputs of a start are converted to their types', async () => {
    const { workflowInstanceId } = await start({ Days: '3', from: '2026-02-03' });
    await node.get(IEventPublisher).publish(Decided, { payload: { by: 'mia' } });
    const handle = node.get(IWorkflowRuntime).client(Leave).handle(workflowInstanceId);
    expect(await handle.resultOrThrow()).toEqual({ by: 'mia', days: 3, year: 2026 });
  });

  const COUNT = { name: 'Count', type: 'Int32', isArray: false, isRequired: true };
  const deploy = (id: string, options = {}) =>
    node.deploy(id, sequence('S', line('L', 'x')), { inputs: [COUNT], options });

  it.each<[string, Record<string, unknown>, string | undefined]>([
    ['missing', {}, "'Count' is missing"],
    ['wrong', { count: 'many' }, '\'Count\' does not fit its type: Cannot convert "many" to a whole number (Int32)'],
    ['unknown', { Count: 1, other: 1 }, undefined],
    ['rounded, as in Elsa', { Count: 3.5 }, undefined],
  ])(
    'inputs of a start are checked for definitions that are data, but for what Elsa takes: %s',
    async (_, given, message) => {
      await deploy('data');
      const started = start(given, 'data');
      if (message === undefined) expect(await started).toMatchObject({ subStatus: 'Finished' });
      else await expect(started).rejects.toMatchObject({ code: 'WM1036', message: expect.stringContaining(message) });
    },
  );

  it.each([{}, { Count: 'many' }, { Count: 1, other: 1 }, { Count: 3.5 }, { Count: true }])(
    'inputs of a start are refused by definitions that are strict: %j',
    async (given) => {
      await deploy('strict', { strictConversions: true });
      await expect(start(given, 'strict')).rejects.toMatchObject({ code: 'WM1036' });
      expect(await start({ Count: '1.0' }, 'strict')).toMatchObject({ subStatus: 'Finished' });
    },
  );

  it('inputs of a start are not checked for definitions that say so', async () => {
    await deploy('loose', { strictConversions: false });
    for (const given of [{}, { Count: 'many', other: 1 }])
      expect(await start(given, 'loose')).toMatchObject({ subStatus: 'Finished' });
  });

  it('inputs of a start are checked for all definitions where the host is strict', async () => {
    await node.close();
    node = await startNode(new MemoryPersistence(), { providers, strictConversions: true });
    await deploy('data');
    await expect(start({ Count: 1, other: 1 }, 'data')).rejects.toMatchObject({ code: 'WM1036' });
  });

  it.each(['Elsa.ExecuteWorkflow', 'Elsa.DispatchWorkflow', 'Elsa.BulkDispatchWorkflows'])(
    'inputs of a start are checked where a parent starts it, and the parent is faulted: %s',
    async (type) => {
      const child = (id: string, input: object) => ({
        type,
        id,
        workflowDefinitionId: { typeName: 'String', expression: { type: 'Literal', value: 'leave' } },
        input: { typeName: 'ObjectDictionary', expression: { type: 'Object', value: JSON.stringify(input) } },
        items: { typeName: 'Object', expression: { type: 'Object', value: '[{ "from": "2026-02-03" }]' } },
        waitForCompletion: { typeName: 'Boolean', expression: { type: 'Literal', value: true } },
      });
      for (const [id, input] of Object.entries({ wrong: { days: 'many' }, unknown: { days: 3, dayz: 4 } })) {
        await node.deploy(id, sequence('S', child('C', input)));
        const { subStatus, incidents } = await start({}, id);
        expect([subStatus, incidents]).toEqual([
          'Faulted',
          [
            expect.objectContaining({
              message: expect.stringContaining('"leave" cannot be started with these inputs'),
            }),
          ],
        ]);
      }
      await node.deploy('right', sequence('S', child('C', { days: '3.0' })));
      expect(await start({}, 'right')).toMatchObject({ subStatus: 'Suspended' });
      await node.settled();
      await decide('mia');
      await node.settled();
      expect(await children()).toEqual([{ by: 'mia', days: 3, year: type.includes('Bulk') ? 2026 : 0 }]);
    },
  );

  const decide = (by: string) => node.get(IEventPublisher).publish(Decided, { payload: { by } });
  const children = async () => {
    const { items } = await persistence.instances.findMany({ definitionIds: ['leave'] });
    return Promise.all(items.map(async ({ id }) => (await persistence.instances.load(id))?.state.output));
  };
});

it('cancel takes a single id', async () => {
  const node = await startNode(new MemoryPersistence(), { providers });
  const { workflowInstanceId } = await node.get(IWorkflowRuntime).client(Leave).start({ days: 3 });
  expect(await node.get(IWorkflowCancellationService).cancel(workflowInstanceId)).toBe(1);
  await node.close();
});
