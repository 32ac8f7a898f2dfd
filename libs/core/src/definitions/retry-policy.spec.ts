import { describe, expect, it } from '@jest/globals';
import { Activity, Input } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { FaultError } from '../errors/execution-errors.js';
import { nextRetryDelay, readRetryPolicy, RETRY_BOOKMARK } from './retry-policy.js';
import { act, seq, W } from '../execution/testing/build-definition.js';
import { runWorkflow, type TestInstance } from '../execution/testing/run-workflow.js';

/** Fails twice, then writes its attempt and idempotency key. */
@Activity({ type: 'App.Flaky' })
class Flaky extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    if (ctx.attempt < 3) throw new TypeError(`attempt ${ctx.attempt}`);
    ctx.workflow.engine.writeLine?.(`${ctx.attempt} ${ctx.idempotencyKey}`, ctx);
  }
}

let evaluated = 0;

/** Waits for its next attempt by itself, with a method of its own. */
@Activity({ type: 'App.Patient' })
class Patient extends ActivityBase {
  @Input({ type: 'Object' })
  key: unknown;

  execute(ctx: ActivityExecutionContext): void {
    ctx.createBookmark({ name: RETRY_BOOKMARK, dueAt: new Date(0), callback: this.again });
    ctx.workflow.engine.writeLine?.(`first ${String(this.key)}`, ctx);
  }

  again(ctx: ActivityExecutionContext): unknown {
    ctx.workflow.engine.writeLine?.(`again ${String(this.key)}`, ctx);
    return ctx.complete();
  }
}

const flaky = (retryPolicy: object) => seq('S', [act('App.Flaky', 'F', {}, { retryPolicy }), W('after')]);
const run = (retryPolicy: object) => runWorkflow(flaky(retryPolicy), { activities: [Flaky] });

async function untilSettled(instance: TestInstance): Promise<number[]> {
  const waits: number[] = [];
  for (let [bookmark] = instance.bookmarks; bookmark; [bookmark] = instance.bookmarks) {
    expect(bookmark.name).toBe(RETRY_BOOKMARK);
    waits.push(Math.round((bookmark.dueAt!.getTime() - bookmark.createdAt.getTime()) / 100) * 100);
    await instance.run({ bookmarkId: bookmark.id });
  }
  return waits;
}

describe('W9: retry policy', () => {
  it('runs a failed activity again after each wait, as the same execution', async () => {
    const instance = await run({ maxAttempts: 5, delay: '00:00:02' });
    expect(await untilSettled(instance)).toEqual([2000, 4000]);
    expect([instance.status, instance.lines, instance.state.incidents]).toEqual([
      'Finished',
      [expect.stringMatching(/^3 instance\/F\/\w+$/), 'after'],
      [],
    ]);
  });

  it('calls the method of an activity that has made the wait itself, with the inputs of the first time', async () => {
    const key = { typeName: 'Object', expression: { type: 'Delegate', value: () => ++evaluated } };
    const instance = await runWorkflow(seq('S', [act('App.Patient', 'P', { key })]), { activities: [Patient] });
    await instance.run({ bookmarkId: instance.bookmarks[0]!.id });
    expect([instance.status, instance.lines]).toEqual(['Finished', ['first 1', 'again 1']]);
  });

  it('faults when the attempts are used up', async () => {
    const instance = await run({ maxAttempts: 2, delay: '00:00:01' });
    await untilSettled(instance);
    expect([instance.status, instance.state.incidents.map((i) => i.message)]).toEqual(['Faulted', ['attempt 2']]);
  });

  it('retries only the errors it names', async () => {
    const instance = await run({ maxAttempts: 5, errors: ['RangeError'] });
    expect(instance.status).toBe('Faulted');
  });

  it.each([
    ['the code of a business fault', 'GATEWAY_BUSY'],
    ['the code of all business faults', 'WM2002'],
    ['a pattern', 'GATEWAY*'],
  ])('knows errors as a Try does: %s', async (_, wanted) => {
    const policy = (errors: string[]) => readRetryPolicy({ maxAttempts: 2, errors })!;
    const busy = new FaultError({ code: 'GATEWAY_BUSY', category: 'Pay', type: 'Busy' }, 'busy');
    expect(nextRetryDelay(policy([wanted]), 1, busy)).toBe(1000);
    expect(nextRetryDelay(policy(['GATEWAY', 'Gateway*']), 1, busy)).toBeUndefined();
  });

  it('knows an error by its classes, also when a Try passes it on', async () => {
    class PaymentError extends Error {}
    class CardDeclined extends PaymentError {
      override readonly name = 'CardDeclined';
    }
    const policy = readRetryPolicy({ maxAttempts: 2, errors: ['PaymentError'] })!;
    expect(nextRetryDelay(policy, 1, new CardDeclined('no'))).toBe(1000);
    expect(nextRetryDelay(policy, 1, new RangeError('no'))).toBeUndefined();
    const fails = act('Inline', 'x', { run: () => Promise.reject(new CardDeclined('no')) });
    const retryPolicy = { maxAttempts: 2, errors: ['PaymentError'] };
    const root = act('Waymark.Try', 'T', { body: fails, finally: W('f') }, { retryPolicy });
    const instance = await runWorkflow(root);
    await untilSettled(instance);
    expect(instance.lines).toEqual(['f', 'f']);
  });

  it('does not wait without a delay, however many attempts there were', () => {
    const policy = readRetryPolicy({ maxAttempts: 5000, delay: 0 })!;
    expect(nextRetryDelay(policy, 1100, new Error('no'))).toBe(0);
  });

  it('waits until the latest time that a store has, at most', async () => {
    const instance = await run({ maxAttempts: 2, delay: '3650000.00:00:00', maxDelay: '3650000.00:00:00' });
    expect(instance.bookmarks.map(({ dueAt }) => dueAt!.toISOString())).toEqual(['9999-12-31T23:59:59.000Z']);
  });

  it.each([
    ['Constant', [1000, 1000, 1000]],
    ['Linear', [1000, 2000, 3000]],
    ['Exponential', [1000, 2000, 2500]],
  ])('waits %s', (backoff, waits) => {
    const policy = readRetryPolicy({
      maxAttempts: 9,
      backoff,
      maxDelay: backoff === 'Exponential' ? 2500 : undefined,
    })!;
    expect([1, 2, 3].map((attempt) => nextRetryDelay(policy, attempt, new Error('x')))).toEqual(waits);
  });

  it('is not a policy with fewer than two attempts', () => {
    expect([readRetryPolicy({ maxAttempts: 1 }), readRetryPolicy(undefined), readRetryPolicy('5')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
