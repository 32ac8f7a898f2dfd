import { afterEach, describe, expect, it } from '@jest/globals';
import { Inject, Injectable, Module, type ModuleMetadata } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Activity, ActivityBase, type ActivityExecutionContext, type ActivityJson } from '@waymark/core';
import { WorkflowModule } from '@waymark/nestjs';
import {
  IEventPublisher,
  ITaskReporter,
  IWorkflowDefinitionPublisher,
  IWorkflowDispatcher,
  IWorkflowRuntime,
  type RunTaskRequest,
  WorkflowClock,
  WorkflowEvent,
  WorkflowPersistence,
} from '@waymark/runtime';
import { type OutboxMessage, OutboxProcessor } from '@waymark/runtime/adapter';
import { type TestModuleOptions, WorkflowTestBed } from './workflow-test-bed.js';

const DAY = 24 * 3_600_000;
const START = Date.parse('2026-01-01T00:00:00Z');

@Injectable()
class Outside {
  answer: () => void = () => undefined;
}

@Activity({ type: 'Test.AskOutside' })
class AskOutside extends ActivityBase {
  constructor(private readonly outside: Outside) {
    super();
  }
  async execute(ctx: ActivityExecutionContext): Promise<void> {
    await new Promise<void>((resolve) => (this.outside.answer = resolve));
    await ctx.complete();
  }
}

@Activity({ type: 'Test.PauseInside' })
class PauseInside extends ActivityBase {
  constructor(@Inject(WorkflowClock) private readonly clock: WorkflowClock) {
    super();
  }
  async execute(ctx: ActivityExecutionContext): Promise<void> {
    await new Promise<void>((resolve) => void this.clock.setTimer(resolve, 5000));
    await ctx.complete();
  }
}

const lit = (value: unknown, typeName = 'String') => ({ typeName, expression: { type: 'Literal', value } });
const sequence = (...activities: ActivityJson[]): ActivityJson => ({ type: 'Elsa.Sequence', id: 'Steps', activities });
const event = (id: string, name: string): ActivityJson => ({ type: 'Elsa.Event', id, eventName: lit(name) });
const delay = (id: string, span: string): ActivityJson => ({ type: 'Elsa.Delay', id, timeSpan: lit(span, 'TimeSpan') });
const line = (id: string): ActivityJson => ({ type: 'Elsa.WriteLine', id, text: lit(id) });

let bed: WorkflowTestBed;
let lines: string[];

async function start(options: TestModuleOptions = {}, more: ModuleMetadata = {}): Promise<void> {
  lines = [];
  @Module({
    imports: [WorkflowModule.forRoot({ writeLine: (text) => lines.push(text) })],
    providers: [Outside, AskOutside, PauseInside],
    ...more,
  })
  class AppModule {}
  bed = await WorkflowTestBed.init(Test.createTestingModule({ imports: [AppModule] }), options);
}

async function deploy(definitionId: string, ...steps: ActivityJson[]): Promise<void> {
  const { problems } = await bed
    .get(IWorkflowDefinitionPublisher)
    .saveAndPublish({ definitionId, root: sequence(...steps) });
  expect(problems).toEqual([]);
}

async function run(workflowInstanceId: string, ...steps: ActivityJson[]): Promise<void> {
  await deploy(`of-${workflowInstanceId}`, ...steps);
  const client = await bed.get(IWorkflowRuntime).createClient(workflowInstanceId);
  await client.createAndRunInstance({ definition: `of-${workflowInstanceId}` });
}

describe('WorkflowTestBed', () => {
  afterEach(() => bed.close());

  it('moves the time past everything that happens on the way, each at its own time', async () => {
    await start();
    const { clock } = bed;
    const times: number[] = [];
    await run('chain', delay('A', '1.00:00:00'), line('a'), delay('B', '1.00:00:00'), line('b'));
    bed.app.get(WorkflowClock).setTimer(() => times.push(clock.now() - START), DAY / 2);
    await bed.advance(3 * DAY - 1);
    const { state } = await bed.waitForStatus('chain', 'Finished');
    expect([lines, times, state.finishedAt]).toEqual([['a', 'b'], [DAY / 2], new Date(START + 2 * DAY)]);
    expect(clock.now()).toBe(START + 3 * DAY - 1);
    await bed.advanceTo('2026-02-01T00:00:00Z');
    expect(clock.now()).toBe(Date.parse('2026-02-01T00:00:00Z'));
    await expect(bed.advance(-1)).rejects.toThrow(RangeError);
  });

  it('tries again what failed, when its time has come', async () => {
    await start();
    const attempts: number[] = [];
    const handle = async ({ id }: OutboxMessage) => {
      attempts.push(bed.clock.now() - START);
      if (attempts.length < 3) throw new Error('not yet');
      await bed.get(WorkflowPersistence).outbox.delete(id);
    };
    const outbox = bed.get(OutboxProcessor);
    outbox.register({ kind: 'test', handle });
    await outbox.send([{ kind: 'test', payload: {} }]);
    await expect(bed.waitForEvent(WorkflowEvent.WorkflowFinished)).rejects.toThrow(
      'No instance is running. Messages that wait for their next attempt: 1.',
    );
    await bed.advance(DAY);
    expect(attempts).toEqual([0, 1000, 2000]);
  });

  it('expires stimuli as time goes by', async () => {
    await start();
    await bed.get(IEventPublisher).publish('early', { workflowInstanceId: 'nobody' });
    await bed.advance(11 * 60_000);
    await run('late', event('E', 'early'));
    await expect(bed.waitForStatus('late', 'Finished')).rejects.toMatchObject({ code: 'WM9101' });
  });

  it('gives each event once, also those that came before they were asked for', async () => {
    await start();
    await run('one', { type: 'Elsa.RunTask', id: 'T', taskName: lit('pack') });
    await run('two', { type: 'Elsa.RunTask', id: 'T', taskName: lit('ship') });
    const named = (name: string) => ({ where: ({ taskName }: RunTaskRequest) => taskName === name });
    const task = await bed.waitForEvent(WorkflowEvent.RunTaskRequested, named('ship'));
    expect(task.workflowInstanceId).toBe('two');
    await bed.waitForEvent(WorkflowEvent.RunTaskRequested, { workflowInstanceId: 'one' });
    await bed.get(ITaskReporter).reportCompletion(task.taskId);
    const { state } = await bed.waitForEvent(WorkflowEvent.WorkflowFinished);
    expect(state.id).toBe('two');
    await expect(bed.waitForEvent(WorkflowEvent.RunTaskRequested)).rejects.toThrow(
      'The application is idle at 2026-01-01T00:00:00.000Z, and there was no waymark.task.requested. ' +
        `Instance "one" of 'of-one' is Suspended and waits at 'T' (Elsa.RunTask `,
    );
  });

  it('finds the bookmark that matches', async () => {
    await start();
    await run('a', event('First', 'x'));
    await run('b', event('Second', 'x'));
    const any = await bed.waitForBookmark({ activityType: 'Elsa.Event' });
    const second = await bed.waitForBookmark({ activityId: 'Second', name: 'Elsa.Event' });
    const ofB = await bed.waitForBookmark({ workflowInstanceId: 'b' });
    expect([any.workflowInstanceId, second.workflowInstanceId, ofB.id]).toEqual(['a', 'b', second.id]);
    await expect(bed.waitForBookmark({ workflowInstanceId: 'a', activityType: 'Elsa.Delay' })).rejects.toThrow(
      `nothing waits at a bookmark with workflowInstanceId "a", activityType "Elsa.Delay". Instance "a" of 'of-a' is ` +
        `Suspended and waits at 'First' (Elsa.Event {"eventName":"x"}). Cause the event that it waits for, or advance() the time.`,
    );
  });

  it('reports at once what an instance waits for, or why it failed', async () => {
    await start();
    await run('slow', delay('Cool', '3.00:00:00'));
    await expect(bed.waitForStatus('slow', 'Finished')).rejects.toMatchObject({
      code: 'WM9101',
      message: expect.stringContaining(`waits at 'Cool' (Elsa.Delay) until 2026-01-04T00:00:00.000Z.`),
    });
    await run('bad', { type: 'Elsa.Fault', id: 'F', message: lit('broken') });
    await expect(bed.waitForStatus('bad', 'Finished')).rejects.toThrow(
      `instance "bad" is not Finished. Instance "bad" of 'of-bad' is Faulted ('F' failed: broken).`,
    );
    await expect(bed.waitForStatus('nobody', 'Finished')).rejects.toThrow('There is no instance "nobody".');
  });

  it('refuses a sub-status that does not exist, which no instance would ever have', async () => {
    await start();
    await expect(bed.waitForStatus('slow', 'Completed' as never)).rejects.toMatchObject({
      code: 'WM1090',
      message:
        "waitForStatus() argument 'subStatus' must be 'Pending', 'Executing', 'Suspended', 'Finished', 'Cancelled', " +
        "'Faulted' or 'Interrupted', not 'Completed'.",
    });
  });

  it('continues a burst that waits for a timer when the time is moved', async () => {
    await start();
    await deploy('inside', { type: 'Test.PauseInside', id: 'P' }, line('after'));
    const id = await bed.get(IWorkflowDispatcher).dispatch({ definition: 'inside' });
    await bed.advance(5000);
    await bed.waitForStatus(id, 'Finished');
    expect(lines).toEqual(['after']);
  });

  it('fails with an error when the application does not become idle', async () => {
    await start({ patienceMs: 50 });
    await deploy('outside', { type: 'Test.AskOutside', id: 'O' });
    const id = await bed.get(IWorkflowDispatcher).dispatch({ definition: 'outside' });
    await expect(bed.runToIdle()).rejects.toMatchObject({ code: 'WM9102', activeBursts: 1 });
    await expect(bed.waitForStatus(id, 'Finished')).rejects.toMatchObject({ code: 'WM9102' });
    bed.get(Outside).answer();
    await bed.waitForStatus(id, 'Finished');
  });
});

it('needs a clock that can be moved', async () => {
  const module = await Test.createTestingModule({ imports: [WorkflowModule.forRoot()] }).compile();
  const app = await module.init();
  await expect(WorkflowTestBed.of(app)).rejects.toMatchObject({
    code: 'WM9103',
    message: expect.stringContaining('runs on SystemClock'),
  });
  await app.close();
});
