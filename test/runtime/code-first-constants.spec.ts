import { expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { activity, type ActivityBuilder, Timeout } from '@waymark/core';
import { Workflow, type WorkflowBuilder, type WorkflowDefinitionBuilder, WorkflowModule } from '@waymark/nestjs';
import { Event, PublishEvent, RunTask, UserTask, workflowEvent } from '@waymark/runtime';
import { Delay, Timer } from '@waymark/scheduling';

const Nameless = workflowEvent('');

/** Starts an application with one workflow that is nothing but that activity. */
async function start(root: () => ActivityBuilder): Promise<void> {
  @Workflow({ id: 'constants' })
  class Constants implements WorkflowBuilder {
    build(w: WorkflowDefinitionBuilder): void {
      w.root(root());
    }
  }
  const module = await Test.createTestingModule({
    imports: [WorkflowModule.forRoot()],
    providers: [Constants],
  }).compile();
  const app = module.createNestApplication({ logger: false });
  try {
    await app.init();
  } finally {
    await app.close();
  }
}

it.each<[string, () => ActivityBuilder, string]>([
  ['a negative delay', () => activity(Delay, { timeSpan: '-1h' }), "'timeSpan' of activity .* is negative"],
  ['one in milliseconds', () => activity(Delay, { timeSpan: -1 }), "'timeSpan' of activity .* is negative"],
  ['a negative interval', () => activity(Timer, { interval: -5000 }), "'interval' of activity .* is negative"],
  ['a negative timeout', () => activity(Timeout, { timeSpan: '-00:01:00' }), "'timeSpan' of activity .* is negative"],
  [
    'a negative due time',
    () => activity(UserTask, { taskName: 'check', dueIn: -1 }),
    "'dueIn' of activity .* is negative",
  ],
  [
    'an event without a name',
    () => activity(Event, { eventName: Nameless.name }),
    "'eventName' of activity .* is blank",
  ],
  ['an event that is not named', () => activity('Elsa.Event'), "'eventName' of activity .* is blank"],
  ['a published one', () => activity(PublishEvent, { eventName: ' ' }), "'eventName' of activity .* is blank"],
  ['a task without a name', () => activity(RunTask, { taskName: '' }), "'taskName' of activity .* is blank"],
  [
    'a fraction',
    () => activity(UserTask, { taskName: 'check', maxReminders: 3.7 }),
    'Cannot convert 3.7 to a whole number',
  ],
])('a workflow in code is not started with %s (WM1023)', async (_, root, message) => {
  await expect(start(root)).rejects.toMatchObject({
    code: 'WM1023',
    problems: [expect.objectContaining({ message: expect.stringMatching(message) })],
  });
});

it('milliseconds and zero are time spans', async () => {
  await start(() => activity(Delay, { timeSpan: 5000 }));
  await start(() => activity(Delay, { timeSpan: 0 }));
});
