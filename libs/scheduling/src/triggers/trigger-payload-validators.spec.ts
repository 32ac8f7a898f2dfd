import type { StoredTrigger } from '@waymark/runtime';
import {
  CronTriggerPayloadValidator,
  StartAtTriggerPayloadValidator,
  TimerTriggerPayloadValidator,
} from './trigger-payload-validators.js';

const at = { activityId: 'A' };

describe('trigger payload validators', () => {
  it('trigger payload validators name the stimuli they are responsible for', () => {
    expect(new CronTriggerPayloadValidator().names).toEqual(['Elsa.Cron']);
    expect(new TimerTriggerPayloadValidator().names).toEqual(['Elsa.Timer']);
    expect(new StartAtTriggerPayloadValidator().names).toEqual(['Elsa.StartAt']);
  });

  it.each([
    [{ cronExpression: '0 0 * * * *' }, undefined],
    [{ cronExpression: '0 0 * * *', timeZone: 'Europe/Vilnius', misfire: 'all' as const }, undefined],
    [{ cronExpression: '0 0 31 2 *' }, "Error when parsing cron expression: '0 0 31 2 *': no date ever matches it."],
    [{ cronExpression: null }, undefined],
    [{ cronExpression: ' ' }, undefined],
    [{ cronExpression: '', misfire: 'maybe' as never }, "The custom property 'misfire' of 'A' must be"],
    [{ cronExpression: 'BadCronExpression' }, "Error when parsing cron expression: 'BadCronExpression': "],
    [{ cronExpression: '0 0 * * *', timeZone: 'Moon/Crater' }, 'Error when parsing cron expression: '],
    [{ cronExpression: '0 0 * * *', misfire: 'maybe' as never }, "The custom property 'misfire' of 'A' must be"],
  ])('cron %j: %s', (payload, expected) => {
    const problems = new CronTriggerPayloadValidator().validate(payload, at);
    const code = expected?.startsWith('Error') && { code: 'WM6001' };
    expect(problems).toEqual(
      expected === undefined ? [] : [{ message: expect.stringContaining(expected), activityId: 'A', ...code }],
    );
    if (expected) expect(problems[0]!.message.startsWith(expected)).toBe(true);
  });

  it.each(['0 0 31 2 *', '0 99 * * *', 'every day'])(
    'names the activity of the invalid cron expression %s',
    (cronExpression) => {
      const [problem] = new CronTriggerPayloadValidator().validate({ cronExpression }, at);
      expect(problem!.message).toMatch(/^Error when parsing cron expression: .*[^.]\. Correct it in activity 'A'\.$/);
    },
  );

  it.each([null, '', '  '])('cron %j: a warning that it never starts a workflow', (cronExpression) => {
    const trigger = { activityId: 'A', payload: { cronExpression }, dueAt: null } as unknown as StoredTrigger;
    const message = "Cron 'A' never starts a workflow: its cron expression is empty. Publish it with one.";
    expect(new CronTriggerPayloadValidator().warn(trigger)).toEqual([{ message, activityId: 'A' }]);
  });

  it.each([
    ['00:00:01', undefined],
    ['00:00:00.0010000', undefined],
    ['00:00:00', 'must be greater than zero, but it is 00:00:00.'],
    ['-00:01:00', 'must be greater than zero, but it is -00:01:00.'],
    ['00:00:00.0000001', 'must be greater than zero'],
    [null, 'must be greater than zero, but it is empty.'],
    ['soon', "must be greater than zero, but it is 'soon', which is not a time span."],
  ])('timer %s: %s', (interval, expected) => {
    const problems = new TimerTriggerPayloadValidator().validate({ interval }, at);
    expect(problems).toEqual(
      expected === undefined ? [] : [{ message: expect.stringContaining(expected), activityId: 'A' }],
    );
  });

  it.each([
    [
      { overlap: 'queue', jitter: '00:05:00', validFrom: '2026-03-01', validUntil: '2026-03-02T08:00:00+02:00' },
      undefined,
    ],
    [{ jitter: '24:00:00' }, undefined],
    [{ jitter: '24:00:01' }, `'jitter'`],
    [{ overlap: 'cancelPrevious', jitter: 'PT90S', misfire: 'skip' }, undefined],
    [{ overlap: 'never' }, `'overlap' of 'A' must be 'allow', 'skip', 'queue' or 'cancelPrevious', not "never".`],
    [
      { overlap: 'queue', misfire: 'skip' },
      "'A' has overlap 'queue', which makes occurrences late, so its misfire must be 'once' or 'all', not 'skip'.",
    ],
    [{ jitter: 'soon' }, `'jitter' of 'A' must be a time span from 0 to 24 hours, such as '00:05:00', not "soon".`],
    [{ jitter: '-00:00:01' }, `'jitter'`],
    [{ jitter: '1.00:00:01' }, `'jitter'`],
    [{ validFrom: 'spring' }, `'validFrom' of 'A' must be a date and time, not "spring".`],
    [{ validUntil: 7 }, `'validUntil' of 'A' must be a date and time, not 7.`],
    [{ validFrom: '2026-03-02', validUntil: '2026-03-02' }, `'validUntil' of 'A' must be later than 'validFrom'`],
  ])('timing %j: %s', (timing, expected) => {
    const problems = [
      ...new TimerTriggerPayloadValidator().validate({ interval: '01:00:00', ...(timing as object) }, at),
      ...new CronTriggerPayloadValidator().validate({ cronExpression: '0 * * * *', ...(timing as object) }, at),
      ...new StartAtTriggerPayloadValidator().validate({ executeAt: new Date(), ...(timing as object) }, at),
    ];
    const problem = { message: expect.stringContaining(expected ?? ''), activityId: 'A' };
    expect(problems).toEqual(expected === undefined ? [] : [problem, problem, problem]);
  });

  it.each([
    ['Elsa.Workflows.ActivationValidators.SingletonStrategy, Elsa', 'skip', 1],
    ['Elsa.Workflows.ActivationValidators.SingletonStrategy, Elsa', 'allow', 0],
    ['Elsa.Workflows.ActivationValidators.AllowAlwaysStrategy, Elsa', 'skip', 0],
  ] as const)(
    'a trigger of a workflow with %s and overlap %s has %d problems',
    (activationStrategyType, overlap, count) => {
      const definition = { options: { activationStrategyType } as never };
      const problems = new TimerTriggerPayloadValidator().validate({ interval: '1h', overlap }, { ...at, definition });
      const message =
        `'A' has overlap '${overlap}', and its workflow has an activation strategy: both would decide about the same start. ` +
        'Remove one of them.';
      expect(problems).toEqual(Array(count).fill({ message, activityId: 'A' }));
    },
  );

  it.each([
    [new Date(), 0],
    [null, 1],
    // What the text "next week" becomes.
    [new Date('0001-01-01T00:00:00Z'), 1],
  ])('a start at %s has %d problems', (executeAt, count) => {
    expect(new StartAtTriggerPayloadValidator().validate({ executeAt }, at)).toHaveLength(count);
  });
});
