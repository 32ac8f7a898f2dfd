import {
  Activity,
  ActivityBase,
  Trigger,
  type ActivityExecutionContext,
  type WorkflowDefinition,
  type WorkflowExecutionContext,
} from '@waymark/core';
import {
  ActivityRegistry,
  builtinExpressions,
  bookmarkHash,
  compileWorkflow,
  createDefaultTypeRegistry,
  describeActivity,
  evaluateTriggers,
  ExpressionRegistry,
  registerCoreActivities,
  type TriggerPayload,
  WorkflowRunner,
} from '@waymark/core/adapter';
import { delayUntil, LATEST_TIME } from './delay-until.js';
import { repeatEvery } from './repeat.js';
import { schedulingActivities } from './scheduling-activities.js';
import { StartAt } from './start-at.js';
import { TimerBase } from './timer-base.js';

const NOW = Date.parse('2026-03-28T12:00:00.250Z');
const SPAN = (value: unknown) => ({ typeName: 'TimeSpan', expression: { type: 'Literal', value } });
const TEXT = (value: unknown) => ({ typeName: 'String', expression: { type: 'Literal', value } });
const DATE = (value: unknown) => ({ typeName: 'DateTimeOffset', expression: { type: 'Literal', value } });

const heard: string[] = [];

@Trigger({ type: 'App.Heartbeat' })
class Heartbeat extends TimerBase {
  protected getInterval(): string {
    return '00:00:10';
  }

  protected override async onTimerElapsed(ctx: ActivityExecutionContext): Promise<void> {
    await Promise.resolve();
    heard.push(ctx.activityId);
  }
}

@Trigger({ type: 'App.LongHours' })
class LongHours extends TimerBase {
  protected getInterval(): string {
    return '36:00:00';
  }
}

@Activity({ type: 'App.RepeatsLongHours' })
class RepeatsLongHours extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    repeatEvery(ctx, '36:00:00', { callback: this.look });
  }

  look(): void {}
}

let until: unknown;

@Activity({ type: 'App.Until' })
class Until extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    delayUntil(ctx, until as Date);
  }
}

function engine(now = NOW, startAt = new StartAt()) {
  const registry = new ActivityRegistry();
  registerCoreActivities(registry);
  for (const type of [...schedulingActivities, Heartbeat, LongHours, RepeatsLongHours, Until]) {
    registry.registerClass(type, type === StartAt ? startAt : new (type as new () => object)());
  }
  const types = createDefaultTypeRegistry();
  let ids = 0;
  const clock = { now: () => now };
  const runner = new WorkflowRunner({ clock, newId: () => `id-${++ids}`, hash: (text) => text }, types);
  const compile = (root: object, start = false) => {
    const definition: WorkflowDefinition = {
      id: 'd-1',
      definitionId: 'd',
      version: 1,
      createdAt: new Date(0),
      isLatest: true,
      isPublished: true,
      isReadonly: false,
      isSystem: false,
      materializerName: 'Json',
      variables: [],
      inputs: [],
      outputs: [],
      outcomes: [],
      customProperties: {},
      options: {},
      root: {
        id: 'A',
        ...root,
        customProperties: { canStartWorkflow: start, ...(root as { customProperties?: object }).customProperties },
      } as never,
    };
    return compileWorkflow(definition, {
      registry,
      types,
      expressions: new ExpressionRegistry([...builtinExpressions]),
    });
  };
  return {
    /** Runs a workflow of that one activity. */
    run: (root: object, request: object = {}): Promise<WorkflowExecutionContext> =>
      runner.run({ graph: compile(root), instanceId: 'i', ...request }),
    triggers: (root: object): Promise<TriggerPayload[]> => evaluateTriggers(compile(root, true), runner),
    resume: (root: object, first: WorkflowExecutionContext): Promise<WorkflowExecutionContext> =>
      runner.run({
        graph: compile(root),
        instanceId: 'i',
        state: runner.extract(first),
        bookmarkId: [...first.bookmarks.keys()][0],
      }),
    payloadOf: (wec: WorkflowExecutionContext): unknown =>
      wec
        .journal!.take()
        .records.filter((r) => r.activityId === 'A')
        .at(-1)?.payload,
  };
}
const only = (wec: WorkflowExecutionContext) => {
  expect(wec.bookmarks.size).toBe(1);
  return [...wec.bookmarks.values()][0]!;
};

describe('descriptors', () => {
  const FACTS = [
    ['Elsa.Delay', 'Action', 'Delay', [['TimeSpan', 'TimeSpan', 'Time Span', '00:01:00']]],
    ['Elsa.Timer', 'Trigger', 'Timer', [['Interval', 'TimeSpan', 'Interval', '00:01:00']]],
    [
      'Elsa.Cron',
      'Trigger',
      'Cron',
      [
        ['CronExpression', 'String', 'Cron Expression', undefined],
        ['TimeZone', 'String', 'Time Zone', undefined],
      ],
    ],
    ['Elsa.StartAt', 'Trigger', 'Start at', [['DateTime', 'DateTimeOffset', 'Date Time', undefined]]],
  ] as const;

  it.each(FACTS)('%s', (typeName, kind, displayName, inputs) => {
    const type = schedulingActivities.find((t) => describeActivity(t).typeName === typeName)!;
    const d = describeActivity(type);
    expect([d.namespace, d.version, d.category, d.kind, d.displayName]).toEqual([
      'Elsa',
      1,
      'Scheduling',
      kind,
      displayName,
    ]);
    expect(d.inputs.map((i) => [i.name, i.typeName, i.displayName, i.defaultValue])).toEqual(inputs);
    for (const i of d.inputs) {
      expect(i).toMatchObject({
        order: 0,
        uiHint: 'singleline',
        isWrapped: true,
        autoEvaluate: true,
        isSerializable: true,
        isBrowsable: true,
      });
      expect(i.description).not.toBe('');
    }
    expect(d.description).not.toBe('');
    expect([d.outputs, d.ports, d.runAsynchronously, d.isContainer, d.isBrowsable]).toEqual([
      [],
      [],
      false,
      false,
      true,
    ]);
  });
});

describe('Delay', () => {
  it.each([
    ['00:00:05', 5000],
    ['30.00:00:00', 30 * 86_400_000],
    ['00:00:00', 0],
    ['-00:01:00', -60_000],
    ['00:00:00.0001', 1],
  ])('Delay of %s leaves a bookmark due in %d ms', async (span, ms) => {
    const wec = await engine().run({ type: 'Elsa.Delay', timeSpan: SPAN(span) });
    const dueAt = new Date(NOW + ms);
    expect(wec.subStatus).toBe('Suspended');
    expect(only(wec)).toMatchObject({ name: 'Elsa.Delay', payload: { resumeAt: dueAt }, dueAt, autoBurn: true });
  });

  it('is one minute when nothing is given, and ends when it is resumed', async () => {
    const { run, resume } = engine();
    const root = { type: 'Elsa.Delay' };
    const first = await run(root);
    expect(only(first).dueAt).toEqual(new Date(NOW + 60_000));
    expect((await resume(root, first)).subStatus).toBe('Finished');
  });

  it('Delay of the longest time span waits until the end of the year 9999', async () => {
    const wec = await engine().run({ type: 'Elsa.Delay', timeSpan: SPAN('10675199.02:48:05.4775807') });
    expect(only(wec).dueAt).toEqual(new Date('9999-12-31T23:59:59Z'));
  });

  it('Delay without a value faults', async () => {
    const wec = await engine().run({ type: 'Elsa.Delay', timeSpan: { typeName: 'TimeSpan', expression: null } });
    expect(wec.subStatus).toBe('Faulted');
    expect(wec.incidents[0]!.message).toContain("Input 'TimeSpan' of activity 'A' (Elsa.Delay) is empty");
  });
});

describe('Timer', () => {
  const root = { type: 'Elsa.Timer', interval: SPAN('00:00:05') };

  it('Timer as a trigger is due after the first interval', async () => {
    const [trigger] = await engine().triggers(root);
    expect(trigger).toMatchObject({
      name: 'Elsa.Timer',
      payload: { interval: '00:00:05' },
      dueAt: new Date(NOW + 5000),
    });
  });

  it('Timer as a trigger has the same payload and hash whenever it is indexed', async () => {
    const hash = (t: TriggerPayload) => bookmarkHash((text) => text, t.name, t.hashInput);
    const [early] = await engine(NOW).triggers(root);
    const [late] = await engine(NOW + 3_600_000).triggers(root);
    expect(late!.payload).toEqual(early!.payload);
    expect(hash(late!)).toBe(hash(early!));
  });

  it.each(['00:00:00', '-00:00:05'])('Timer with the interval %s is never due', async (interval) => {
    const [trigger] = await engine().triggers({ type: 'Elsa.Timer', interval: SPAN(interval) });
    expect(trigger!.dueAt).toBeNull();
  });

  it('has its misfire policy in the payload', async () => {
    const [trigger] = await engine().triggers({ ...root, customProperties: { misfire: 'all' } });
    expect(trigger!.payload).toEqual({ interval: '00:00:05', misfire: 'all' });
  });

  it('Timer that started the workflow completes at once', async () => {
    const wec = await engine().run(root, { triggerActivityId: 'A' });
    expect(wec.subStatus).toBe('Finished');
  });

  it('Timer in mid-flow waits once', async () => {
    const { run, resume } = engine();
    const first = await run(root);
    const dueAt = new Date(NOW + 5000);
    expect(only(first)).toMatchObject({ name: 'Elsa.Timer', payload: { resumeAt: dueAt }, dueAt });
    expect((await resume(root, first)).subStatus).toBe('Finished');
  });

  it('Timer of the application is indexed as a timer, and what it does then is awaited', async () => {
    const { run, resume, triggers } = engine();
    const own = { type: 'App.Heartbeat' };
    expect(await triggers(own)).toMatchObject([{ name: 'Elsa.Timer', payload: { interval: '00:00:10' } }]);
    const first = await run(own);
    expect(only(first)).toMatchObject({ name: 'Elsa.Timer', dueAt: new Date(NOW + 10_000) });
    expect([(await resume(own, first)).subStatus, heard.splice(0)]).toEqual(['Finished', ['A']]);
    expect([(await run(own, { triggerActivityId: 'A' })).subStatus, heard.splice(0)]).toEqual(['Finished', ['A']]);
  });
});

describe('an interval of 36:00:00 in code', () => {
  const dueAt = new Date(NOW + 36 * 3_600_000);

  it('is 36 hours as the trigger of a workflow, also for a node that reads it as .NET does', async () => {
    const [trigger] = await engine().triggers({ type: 'App.LongHours' });
    expect(trigger).toMatchObject({ payload: { interval: '1.12:00:00' }, dueAt });
  });

  it.each(['App.LongHours', 'App.RepeatsLongHours'])('is 36 hours in the middle of a workflow, by %s', async (type) => {
    expect(only(await engine().run({ type })).dueAt).toEqual(dueAt);
  });
});

describe('Cron', () => {
  const root = { type: 'Elsa.Cron', cronExpression: TEXT('0 30 3 * * *') };
  const inVilnius = { ...root, timeZone: TEXT(' Europe/Vilnius ') };

  it('Cron as a trigger is due at its next time', async () => {
    const [trigger] = await engine().triggers(root);
    expect(trigger).toMatchObject({
      name: 'Elsa.Cron',
      payload: { cronExpression: '0 30 3 * * *' },
      dueAt: new Date('2026-03-29T03:30:00Z'),
    });
    expect(trigger!.payload).not.toHaveProperty('timeZone');
  });

  it('Cron as a trigger reads its expression in its time zone', async () => {
    const [trigger] = await engine().triggers(inVilnius);
    expect(trigger).toMatchObject({
      payload: { cronExpression: '0 30 3 * * *', timeZone: 'Europe/Vilnius' },
      // 03:30 does not exist on that day.
      dueAt: new Date('2026-03-29T01:00:00Z'),
    });
  });

  it('Cron with a wrong expression is never due', async () => {
    const [trigger] = await engine().triggers({ type: 'Elsa.Cron', cronExpression: TEXT('BadCronExpression') });
    expect(trigger!.dueAt).toBeNull();
  });

  it('Cron that started the workflow completes at once', async () => {
    expect((await engine().run(root, { triggerActivityId: 'A' })).subStatus).toBe('Finished');
  });

  it('Cron in mid-flow waits for its next time, and says so in the journal', async () => {
    const { run, resume, payloadOf } = engine();
    const first = await run(inVilnius);
    const executeAt = new Date('2026-03-29T01:00:00Z');
    expect(only(first)).toMatchObject({
      name: 'Elsa.Cron',
      payload: { executeAt, cronExpression: '0 30 3 * * *' },
      dueAt: executeAt,
    });
    expect(payloadOf(first)).toEqual({ ExecuteAt: executeAt });
    expect((await resume(inVilnius, first)).subStatus).toBe('Finished');
  });

  it('Cron in mid-flow faults on an expression that cannot be read', async () => {
    const wec = await engine().run({ type: 'Elsa.Cron', cronExpression: TEXT('BadCronExpression') });
    expect(wec.subStatus).toBe('Faulted');
    expect(wec.incidents[0]!.message).toContain("Error when parsing cron expression: 'BadCronExpression'");
  });

  it.each(['', '  '])('is switched off by the expression %p: never due, and completes in mid-flow', async (text) => {
    const cron = { type: 'Elsa.Cron', cronExpression: TEXT(text) };
    const { triggers, run } = engine();
    expect((await triggers(cron))[0]!.dueAt).toBeNull();
    expect((await run(cron)).subStatus).toBe('Finished');
  });
});

describe('StartAt', () => {
  const future = { type: 'Elsa.StartAt', dateTime: DATE('2026-03-28T15:00:00+02:00') };
  const past = { type: 'Elsa.StartAt', dateTime: DATE('2026-03-28T11:59:59Z') };
  const executeAt = new Date('2026-03-28T13:00:00Z');

  it('StartAt as a trigger is due at its time', async () => {
    const [trigger] = await engine().triggers(future);
    expect(trigger).toMatchObject({ name: 'Elsa.StartAt', payload: { executeAt }, dueAt: executeAt });
  });

  it('StartAt as a trigger in the past is never due', async () => {
    expect((await engine().triggers(past))[0]!.dueAt).toBeNull();
  });

  it('StartAt as a trigger in the past is due at once if the host wants that', async () => {
    const [trigger] = await engine(NOW, new StartAt({ startAtInPast: 'catchup' })).triggers(past);
    expect(trigger!.dueAt).toEqual(new Date('2026-03-28T11:59:59Z'));
  });

  it('StartAt that started the workflow completes at once', async () => {
    expect((await engine().run(future, { triggerActivityId: 'A' })).subStatus).toBe('Finished');
  });

  it('StartAt in mid-flow waits until then', async () => {
    const { run, resume } = engine();
    const first = await run(future);
    expect(only(first)).toMatchObject({ name: 'Elsa.StartAt', payload: { executeAt }, dueAt: executeAt });
    expect((await resume(future, first)).subStatus).toBe('Finished');
  });

  it('StartAt in mid-flow, in the past, completes at once and says so in the journal', async () => {
    const { run, payloadOf } = engine();
    const wec = await run(past);
    expect(wec.subStatus).toBe('Finished');
    expect(payloadOf(wec)).toMatchObject({ 'Executed At': new Date(NOW) });
  });

  it('StartAt without a time faults', async () => {
    const wec = await engine().run({ type: 'Elsa.StartAt', dateTime: DATE(null) });
    expect(wec.incidents[0]!.message).toContain("Input 'DateTime' of activity 'A' (Elsa.StartAt) is empty");
  });
});

describe('waiting until an instant', () => {
  it.each([
    ['the instant', '2026-04-01T00:00:00Z', Date.parse('2026-04-01T00:00:00Z')],
    ['the last one that databases hold', new Date(8.64e15), LATEST_TIME],
  ])('ends at %s', async (_what, instant, expected) => {
    until = new Date(instant);
    expect(only(await engine().run({ type: 'App.Until' })).dueAt?.getTime()).toBe(expected);
  });

  it.each([[new Date('soon')], [undefined], [12]])('is refused for %p, which is not a date', async (instant) => {
    until = instant;
    const wec = await engine().run({ type: 'App.Until' });
    expect(wec.incidents[0]!.message).toContain("Input 'ResumeAt' of activity 'A' (App.Until)");
    expect(wec.bookmarks.size).toBe(0);
  });
});
