import { expect, it } from '@jest/globals';
import { isPromiseLike } from '../values/promise-like.js';
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

/** A journal that has so many executions to record when it is taken. */
async function journalOf(branches: number, redaction = new Redaction({ add: ['pin'] })) {
  const test = new WorkflowTest({ activities: [Waits], journal: true, redaction, isStored: false });
  const waiting = Array.from({ length: branches }, (_, n) => act('Test.Waits', `w${n}`, inputs));
  return (await test.start(parallel('P', waiting))).context.journal!;
}

async function taken(branches: number) {
  let pauses = 0;
  const journal = await journalOf(branches);
  const taking = journal.takePaced(async () => void pauses++);
  const chunk = isPromiseLike(taking) ? await taking : taking;
  return { chunk, pauses, left: journal.size };
}

it('a journal with many executions to record is taken in parts, as it would be in one go', async () => {
  const { chunk, pauses, left } = await taken(1_300);
  const whole: JournalChunk = (await journalOf(1_300)).take();
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
