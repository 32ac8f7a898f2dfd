import { expect, it } from '@jest/globals';
import { Activity, Input } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { act, parallel } from '../execution/testing/build-definition.js';
import { WorkflowTest } from '../execution/testing/run-workflow.js';
import { Redaction } from '../secrets/redaction.js';
import type { JournalChunk } from './journal-entry.js';

@Activity({ type: 'Test.Waits' })
class Waits extends ActivityBase {
  @Input() pin: number;
  @Input() text: string;

  execute(ctx: ActivityExecutionContext): void {
    ctx.properties.address = `https://ann:${ctx.node.id}@host/`;
    ctx.createBookmark({ name: 'waits' });
  }
}

const literal = (value: unknown, typeName: string) => ({ typeName, expression: { type: 'Literal', value } });
const inputs = { pin: literal(1234, 'Double'), text: literal('plain', 'String') };

interface Pauses {
  yield?: () => Promise<void>;
}

/** An instance whose journal has so many executions to record when it is taken. */
function startedWith(branches: number) {
  const redaction = new Redaction({ add: ['pin'] });
  const test = new WorkflowTest({ activities: [Waits], journal: true, redaction, isStored: false });
  const waiting = Array.from({ length: branches }, (_, n) => act('Test.Waits', `w${n}`, inputs));
  return test.start(parallel('P', waiting));
}

async function taken(branches: number) {
  let pauses = 0;
  const { context, test } = await startedWith(branches);
  (test.runner.engine as Pauses).yield = async () => void pauses++;
  const chunk = (await test.runner.takeJournal(context))!;
  return { chunk, pauses, left: context.journal!.size };
}

it('a journal with many executions to record is taken in parts, as it would be in one go', async () => {
  const { chunk, pauses, left } = await taken(1_300);
  const whole: JournalChunk = (await startedWith(1_300)).context.journal!.take();
  expect(chunk).toEqual(whole);
  expect(chunk.records).toHaveLength(1_302);
  expect(pauses).toBeGreaterThan(5);
  expect(left).toBe(0);
});

it('what is taken in parts shows no secret', async () => {
  const { chunk } = await taken(1_300);
  const shown = chunk.records.find(({ activityId }) => activityId === 'w1250')!;
  expect(shown.activityState).toEqual({ Pin: '(redacted)', Text: 'plain' });
  expect(shown.properties.address).toBe('https://ann:(redacted)@host/');
});

it('a journal with few executions is taken without a pause', async () => {
  expect((await taken(10)).pauses).toBe(0);
});

it('a journal that is taken in parts is not changed by a cancellation meanwhile, which is left to the stored instance', async () => {
  const { context, test } = await startedWith(1_300);
  let pauses = 0;
  (test.runner.engine as Pauses).yield = async () => {
    if (++pauses === 1) context.cancel();
  };
  const chunk = (await test.runner.takeJournal(context))!;
  expect(pauses).toBeGreaterThan(1);
  expect(new Set(chunk.records.map(({ status }) => status))).toEqual(new Set(['Running']));
  expect([context.isRunning, context.missedCancel, context.isBeingTaken]).toEqual([true, {}, false]);
});
