import { describe, expect, it } from '@jest/globals';
import { readDefinitionModel, writeDefinitionModel } from '@waymark/core/adapter';
import { type Activity, delay, js, seq, W, workflow } from '../conformance/lib/build.mjs';
import { uniqueId, useApplication } from '../support/use-application.js';

const test = useApplication();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

async function waits(root: Activity, wait: number, options = {}): Promise<void> {
  const run = await test.run(seq('S', [root, W('w', 'w')]), { options });
  expect([run.status, run.waitingAt]).toEqual(['Suspended', ['X']]);
  await test.app.advance(wait - 1);
  expect((await run.again()).status).toBe('Suspended');
  await test.app.advance(1);
  expect((await run.again()).status).toBe('Finished');
}

describe('a time span', () => {
  it.each<[string, Activity, number]>([
    ['in words', delay('X', '3 days'), 3 * DAY],
    ['in words, of a script', delay('X', js('"3 days"', 'TimeSpan')), 3 * DAY],
    ['in short', delay('X', '72h'), 72 * HOUR],
    ['of ISO 8601', delay('X', 'PT72H'), 72 * HOUR],
    ['of more than 23 hours, as .NET reads it', delay('X', '72:00:00'), 72 * DAY],
  ])('waits for its duration: %s', async (_, root, wait) => {
    await waits(root, wait);
  });

  it('a time span of more than 23 hours is of hours in a definition that is strict', async () => {
    await waits(delay('X', '72:00:00'), 72 * HOUR, { strictConversions: true });
  });

  it('a time span of more than 23 hours is published with a warning', async () => {
    const long = await test.app.publish(workflow(uniqueId(), delay('X', '72:00:00')));
    expect([long.succeeded, long.warnings]).toEqual([
      true,
      [{ activityId: 'X', message: expect.stringContaining("is '72:00:00', which means 72 days, as in Elsa") }],
    ]);
    const short = await test.app.publish(workflow(uniqueId(), delay('X', '3 days')));
    expect([short.succeeded, short.warnings]).toEqual([true, []]);
  });

  it('a time span that does not fit is published with a warning of what is accepted, and refused in a definition that is strict', async () => {
    const about = [{ activityId: 'X', message: expect.stringMatching(/'timeSpan' of activity 'X'.*"soon".*'3 days'/) }];
    const publish = async (options: object) => {
      const { succeeded, problems, warnings } = await test.app.publish(
        workflow(uniqueId(), delay('X', 'soon'), { options }),
      );
      return { succeeded, problems, warnings };
    };
    expect(await publish({})).toEqual({ succeeded: true, problems: [], warnings: about });
    expect(await publish({ strictConversions: true })).toMatchObject({ succeeded: false, problems: about });
  });
});

it('an expression that does not convert faults where the definition is strict', async () => {
  const root = delay('X', js('"soon"', 'TimeSpan'));
  const strict = await test.run(root, { options: { strictConversions: true } });
  expect([strict.status, strict.incidents[0]]).toEqual(['Faulted', expect.anything()]);
  // A time span of zero.
  expect((await test.run(root)).incidents).toEqual([]);
});

it('what a definition says of conversions and required inputs survives its JSON', () => {
  const inputs = [{ name: 'Count', type: 'Int32', isRequired: true }];
  const model = workflow(uniqueId(), W('w', 'w'), { inputs, options: { strictConversions: true } });
  const read = readDefinitionModel(model, test.app.context);
  expect([read.options?.strictConversions, read.inputs?.[0]?.isRequired]).toEqual([true, true]);
  const written = writeDefinitionModel({ ...read, createdAt: new Date(0) } as never, test.app.context);
  expect(written).toMatchObject({
    options: { strictConversions: true },
    inputs: [{ name: 'Count', isRequired: true }],
  });
});
