import { expect, it } from '@jest/globals';
import { Activity, Input } from '../activities/decorators.js';
import type { ActivityJson } from '../definitions/workflow-definition.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { act, seq } from '../execution/testing/build-definition.js';
import { WorkflowTest } from '../execution/testing/run-workflow.js';
import { Redaction } from '../secrets/redaction.js';
import type { ActivityExecutionRecord } from './journal-entry.js';

@Activity({ type: 'Test.Show' })
class Show extends ActivityBase {
  @Input() text: string;
  @Input() number: number;
  @Input() pin: number;
  @Input({ type: 'Object[]' }) value: unknown[];

  execute(ctx: ActivityExecutionContext): void {
    if (ctx.node.id === 'a') ctx.workflow.transient.set('a', ctx);
  }
}

@Activity({ type: 'Test.Then' })
class Then extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    (ctx.workflow.transient.get('then') as (ctx: ActivityExecutionContext) => void)(ctx);
  }
}

const literal = (value: unknown, typeName: string) => ({ typeName, expression: { type: 'Literal', value } });
const list = (...value: unknown[]) => literal(value, 'Object[]');

/** The record of an activity with these inputs; `then` runs after it. */
async function recordOf(
  inputs: Record<string, unknown>,
  then: (ctx: ActivityExecutionContext) => void = () => undefined,
): Promise<ActivityExecutionRecord['activityState']> {
  const test = new WorkflowTest({
    activities: [Show, Then],
    journal: true,
    redaction: new Redaction({ add: ['pin'] }),
  });
  // So many entries that the records of the first steps are written before the burst ends.
  const more: ActivityJson[] = Array.from({ length: 100 }, (_, i) => act('Test.Show', `more${i}`, {}));
  const run = await test.start(seq('S', [act('Test.Show', 'a', inputs), ...more, act('Test.Then', 'b', {})]), {
    transient: new Map([['then', then]]),
  });
  return run.context.journal!.take().records.find(({ activityId }) => activityId === 'a')!.activityState;
}

it('shows values that are not secret', async () => {
  const inputs = { text: literal('x', 'String'), number: literal(1, 'Double'), value: list({ a: 1 }) };
  expect(await recordOf(inputs)).toMatchObject({ Text: 'x', Number: 1, Value: [{ a: 1 }] });
});

it('hides texts, members and numbers with sensitive names, though nothing else is in the burst', async () => {
  expect(await recordOf({ pin: literal(1234, 'Double') })).toMatchObject({ Pin: '(redacted)' });
  expect(await recordOf({ text: literal('http://a:b@c/', 'String') })).toMatchObject({
    Text: 'http://a:(redacted)@c/',
  });
  expect(await recordOf({ value: list({ apiKey: 'k' }) })).toMatchObject({ Value: [{ apiKey: '(redacted)' }] });
});

it('hides a secret that the burst learns of after it was recorded', async () => {
  const later = (ctx: ActivityExecutionContext) => ctx.workflow.secrets.note('abcdefghijkl');
  expect(await recordOf({ text: literal('of abcdefghijkl', 'String') }, later)).toMatchObject({
    Text: 'of (redacted)',
  });
});

it('hides what is put into a value after it was recorded', async () => {
  const later = ({ workflow }: ActivityExecutionContext) => {
    const { activity } = workflow.transient.get('a') as ActivityExecutionContext;
    (activity as Show).value.push({ password: 'p' });
  };
  expect(await recordOf({ value: list(1) }, later)).toMatchObject({ Value: [1, { password: '(redacted)' }] });
});

it('hides what others put among the inputs of an execution that was recorded', async () => {
  const later = ({ workflow }: ActivityExecutionContext) => {
    const { activityState } = workflow.transient.get('a') as ActivityExecutionContext;
    Object.assign(activityState!, { password: 'p' });
  };
  const shown = await recordOf({ number: literal(1, 'Double') }, later);
  expect(shown).toMatchObject({ Number: 1, password: '(redacted)' });
});
