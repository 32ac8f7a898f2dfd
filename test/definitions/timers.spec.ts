import { describe, expect, it } from '@jest/globals';
import { IWorkflowDefinitionPublisher } from '@waymark/runtime';
import {
  W,
  act,
  cron,
  delay,
  js,
  parallel,
  seq,
  startAt,
  timer,
  workflow,
  variable,
  fromVar,
  lit,
  setVariable,
  type Activity,
} from '../conformance/lib/build.mjs';
import { uniqueId, useApplication } from '../support/use-application.js';

const test = useApplication();
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const now = () => test.app.clock.now();
const at = (ms: number) => new Date(now() + ms).toISOString();
const deployed = async (root: Activity) => {
  const model = workflow(uniqueId('timer'), root);
  await test.deploy(model);
  return model.definitionId;
};
const retract = (id: string) => test.app.get(IWorkflowDefinitionPublisher).retract(id);
const started = async (id: string) => (await test.app.instancesOf(id)).length;

describe('in the middle of a workflow', () => {
  it.each<[string, () => Activity, number]>([
    ['Delay', () => delay('X', '00:05:00'), 5 * MINUTE],
    ['Delay from a variable', () => delay('X', fromVar(variable('V', 'TimeSpan'), 'TimeSpan')), 2 * MINUTE],
    ['Delay without a span', () => act('Elsa.Delay', 'X'), MINUTE],
    ['Delay from a script', () => delay('X', js('TimeSpan.FromMinutes(5)', 'TimeSpan')), 5 * MINUTE],
    ['Timer', () => timer('X', '00:05:00'), 5 * MINUTE],
    ['Timer without an interval', () => act('Elsa.Timer', 'X'), MINUTE],
    ['StartAt', () => startAt('X', at(3 * MINUTE)), 3 * MINUTE],
    ['StartAt, from now', () => startAt('X', js('DateTime.UtcNow.AddMinutes(3)')), 3 * MINUTE],
    ['StartAt from a script', () => startAt('X', js(`new Date(${now() + 3 * MINUTE})`)), 3 * MINUTE],
  ])('%s in the middle of a workflow waits once', async (_, activity, wait) => {
    const v = variable('V', 'TimeSpan');
    const run = await test.run(seq('S', [setVariable('Set', v, '00:02:00'), activity(), W('w', 'w')]), {
      variables: [v],
    });
    expect([run.status, run.waitingAt]).toEqual(['Suspended', ['X']]);
    await test.app.advance(wait - 1);
    expect((await run.again()).status).toBe('Suspended');
    await test.app.advance(1);
    expect([(await run.again()).status, (await run.again()).lines]).toEqual(['Finished', ['w']]);
  });

  it('Cron waits for its next time, once', async () => {
    await test.app.advance(MINUTE - (now() % MINUTE));
    const run = await test.run(seq('S', [cron('X', '30 * * * * *'), W('w', 'w')]));
    expect(run.bookmarks[0]?.payload).toMatchObject({
      executeAt: new Date(now() + 30 * SECOND),
      cronExpression: '30 * * * * *',
    });
    await test.app.advance(30 * SECOND);
    expect((await run.again()).status).toBe('Finished');
  });

  it('StartAt in the past completes at once', async () => {
    const run = await test.run(seq('S', [startAt('X', at(-MINUTE)), W('w', 'w')]));
    expect([run.status, run.lines]).toEqual(['Finished', ['w']]);
  });

  it.each(['00:00:00', '-00:01:00'])('Delay of %s resumes at once', async (span) => {
    const run = await test.run(seq('S', [delay('X', span), W('w', 'w')]));
    await test.app.advance(0);
    expect((await run.again()).status).toBe('Finished');
  });

  it('several wait side by side and resume in order', async () => {
    const branch = (name: string, span: string) => seq(name, [delay(`${name}d`, span), W(`${name}w`, name)]);
    const run = await test.run(
      parallel('P', [branch('c', '00:03:00'), branch('a', '00:01:00'), branch('b', '00:02:00')]),
    );
    await test.app.advance(5 * MINUTE);
    expect([(await run.again()).status, (await run.again()).lines]).toEqual(['Finished', ['a', 'b', 'c']]);
  });

  it('a Delay may be far longer than the longest timer', async () => {
    const run = await test.run(seq('S', [delay('X', '60.00:00:00'), W('w', 'w')]));
    await test.app.jump(59 * 24 * 60 * MINUTE);
    expect((await run.again()).status).toBe('Suspended');
    await test.app.jump(24 * 60 * MINUTE);
    expect((await run.again()).status).toBe('Finished');
  });

  it.each<[string, Activity]>([
    ['StartAt without a time', act('Elsa.StartAt', 'X')],
    ['Cron with a bad expression', cron('X', 'not cron')],
  ])('%s in the middle of a workflow faults', async (_, activity) => {
    expect((await test.run(seq('S', [activity]))).status).toBe('Faulted');
  });

  it('Cron without an expression is switched off, and completes', async () => {
    expect((await test.run(seq('S', [act('Elsa.Cron', 'X')]))).status).toBe('Finished');
  });
});

describe('as triggers', () => {
  it('Timer starts an instance at each interval, until it is retracted', async () => {
    const id = await deployed(
      seq('S', [timer('T', '00:01:00', { start: true }), W('w', js('String(getInput("Interval") ?? "")'))]),
    );
    await test.app.advance(3 * MINUTE);
    const runs = await test.app.instancesOf(id);
    expect(runs.map((r) => [r.status, r.lines])).toEqual(Array(3).fill(['Finished', ['00:01:00']]));
    await retract(id);
    await test.app.advance(3 * MINUTE);
    expect(await started(id)).toBe(3);
  });

  it('Cron starts one at each occurrence', async () => {
    await test.app.advance(MINUTE - (now() % MINUTE));
    const id = await deployed(
      seq('S', [cron('T', '*/20 * * * * *', { start: true }), W('w', js('getInput("CronExpression")'))]),
    );
    await test.app.advance(MINUTE);
    expect((await test.app.instancesOf(id)).map((r) => r.lines)).toEqual(Array(3).fill([['*/20 * * * * *']].flat()));
    await retract(id);
  });

  it('StartAt as a trigger starts one instance', async () => {
    const due = at(MINUTE);
    const id = await deployed(
      seq('S', [startAt('T', due, { start: true }), W('w', js('new Date(getInput("ExecuteAt")).toISOString()'))]),
    );
    await test.app.advance(5 * MINUTE);
    expect((await test.app.instancesOf(id)).map((r) => r.lines)).toEqual([[due]]);
  });

  it('a workflow that is started otherwise waits at its timer', async () => {
    const id = await deployed(seq('S', [timer('T', '00:01:00', { start: true }), W('w', 'w')]));
    await retract(id);
    const run = await test.run(seq('S', [{ ...timer('T', '00:01:00') }, W('w', 'w')]));
    expect(run.waitingAt).toEqual(['T']);
  });

  it.each<[string, Activity, string]>([
    ['a bad cron expression', cron('T', 'not cron', { start: true }), 'Error when parsing cron expression'],
    ['seven fields', cron('T', '* * * * * * *', { start: true }), 'cron'],
  ])('%s is refused when it is published', async (_, activity, message) => {
    const { succeeded, problems } = await test.app.publish(workflow(uniqueId(), seq('S', [activity])));
    expect([succeeded, problems.map((p) => p.message).join()]).toEqual([false, expect.stringContaining(message)]);
  });

  it('a bad interval is refused or never fires, but does no harm', async () => {
    const { succeeded } = await test.app.publish(
      workflow(
        uniqueId(),
        seq('S', [act('Elsa.Timer', 'T', { interval: lit('nonsense', 'TimeSpan') }, { start: true })]),
      ),
    );
    expect(succeeded).toBe(false);
  });
});
