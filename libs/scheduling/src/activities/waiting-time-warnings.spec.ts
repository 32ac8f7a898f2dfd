import { Logger } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { IWorkflowDefinitionPublisher } from '@waymark/runtime';
import { resolveRuntimeOptions, RUNTIME_OPTIONS, WorkflowRuntimeModule } from '@waymark/runtime/adapter';
import { schedulingProviders } from '../module/scheduling.module.js';
import { resolveSchedulingOptions, SCHEDULING_OPTIONS } from '../module/scheduling-options.js';

const literal = (value: unknown, typeName = 'String') => ({ typeName, expression: { type: 'Literal', value } });
const computed = { typeName: 'String', expression: { type: 'Variable', value: { id: 'v', name: 'v' } } };
const everyDay = literal('0 8 * * *');

describe('publishing a workflow with an activity that waits for a time', () => {
  let app: TestingModule;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    const providers = [
      { provide: RUNTIME_OPTIONS, useValue: resolveRuntimeOptions({}) },
      { provide: SCHEDULING_OPTIONS, useValue: resolveSchedulingOptions() },
      ...schedulingProviders,
    ];
    const runtime = WorkflowRuntimeModule.compose({ imports: [], providers });
    app = await Test.createTestingModule({ imports: [runtime] }).compile();
    await app.init();
  });
  afterAll(async () => {
    await app.close();
    Logger.overrideLogger(undefined as never);
  });

  const publish = (type: string, inputs: object) => {
    const waiting = { id: 'wait', type: `Elsa.${type}`, ...inputs };
    const variables = [{ id: 'v', name: 'v', typeName: 'String', isArray: false }];
    const root = { id: 'all', type: 'Elsa.Sequence', variables, activities: [waiting] };
    return app.get(IWorkflowDefinitionPublisher).saveAndPublish({ definitionId: 'w', root: root as never });
  };

  it.each<[what: string, type: string, inputs: object, code: string | undefined, says: string]>([
    ['a malformed cron expression', 'Cron', { cronExpression: literal('soon') }, 'WM6001', "'soon'"],
    ['a cron expression without dates', 'Cron', { cronExpression: literal('0 0 31 2 *') }, 'WM6001', 'no date ever'],
    [
      'an unknown time zone',
      'Cron',
      { cronExpression: everyDay, timeZone: literal('Mars/Base') },
      'WM6001',
      "'Mars/Base' is not a time zone",
    ],
    [
      'an unknown time zone beside a computed cron expression',
      'Cron',
      { cronExpression: computed, timeZone: literal('Mars/Base') },
      'WM6001',
      "'Mars/Base' is not a time zone",
    ],
    [
      'an offset as the time zone of a computed cron expression',
      'Cron',
      { cronExpression: computed, timeZone: literal('+02:00') },
      'WM6001',
      "'+02:00' is not a time zone",
    ],
    ['no cron expression', 'Cron', {}, undefined, "Cron 'wait' does not wait"],
    ['a blank time span', 'Delay', { timeSpan: literal(' ', 'TimeSpan') }, 'WM6002', "Input 'TimeSpan'"],
    ['a time span that is null', 'Delay', { timeSpan: literal(null, 'TimeSpan') }, 'WM6002', "Input 'TimeSpan'"],
    ['a blank interval', 'Timer', { interval: literal('', 'TimeSpan') }, 'WM6002', "Input 'Interval'"],
    ['a blank date', 'StartAt', { dateTime: literal('', 'DateTimeOffset') }, 'WM6002', "Input 'DateTime'"],
    ['no date', 'StartAt', {}, 'WM6002', "Input 'DateTime'"],
  ])('warns of %s, with which it fails when it is reached', async (_, type, inputs, code, says) => {
    const { succeeded, warnings } = await publish(type, inputs);
    expect(succeeded).toBe(true);
    expect(warnings).toEqual([
      {
        message: expect.stringContaining(says),
        activityId: 'wait',
        path: expect.stringMatching(/^root\.activities\[0\]\.(cronExpression|timeZone|timeSpan|interval|dateTime)$/),
        ...(code && { code }),
      },
    ]);
  });

  it.each<[what: string, type: string, inputs: object]>([
    ['a valid cron expression', 'Cron', { cronExpression: everyDay, timeZone: literal('Europe/Vilnius') }],
    ['a blank time zone, which is UTC', 'Cron', { cronExpression: everyDay, timeZone: literal(' ') }],
    ['a computed cron expression', 'Cron', { cronExpression: computed }],
    ['a computed time zone', 'Cron', { cronExpression: everyDay, timeZone: computed }],
    ['no time span, which is the default', 'Delay', {}],
    ['a time span that has passed', 'Delay', { timeSpan: literal('00:00:00', 'TimeSpan') }],
    ['a computed interval', 'Timer', { interval: computed }],
    ['a date that has passed', 'StartAt', { dateTime: literal('2001-01-01', 'DateTimeOffset') }],
  ])('does not warn of %s', async (_, type, inputs) => {
    const { succeeded, warnings } = await publish(type, inputs);
    expect([succeeded, warnings]).toEqual([true, []]);
  });

  it('leaves constants of a trigger to the check of its payload', async () => {
    const { problems, warnings } = await publish('Cron', {
      cronExpression: literal('soon'),
      customProperties: { canStartWorkflow: true },
    });
    expect(problems).toEqual([expect.objectContaining({ code: 'WM6001', activityId: 'wait' })]);
    expect(warnings ?? []).toEqual([]);
  });

  it('checks a thousand of them at most, which takes no longer than one definition may', async () => {
    const activities = Array.from({ length: 1200 }, (_, i) => ({ id: `s${i}`, type: 'Elsa.StartAt' }));
    const root = { id: 'all', type: 'Elsa.Sequence', activities };
    const { warnings } = await app
      .get(IWorkflowDefinitionPublisher)
      .saveAndPublish({ definitionId: 'many', root: root as never });
    expect(warnings).toHaveLength(501);
    expect(warnings!.at(-1)!.message).toBe('There are 500 more, which are not listed here.');
  });
});
