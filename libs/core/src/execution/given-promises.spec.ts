import { expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Activity, Output } from '../activities/decorators.js';
import { ActivityBase } from './activity-base.js';
import { act, seq } from './testing/build-definition.js';
import { runWorkflow } from './testing/run-workflow.js';

@Activity({ type: 'Test.ForgetsToAwait' })
class ForgetsToAwait extends ActivityBase {
  @Output() result: unknown;
  execute(): void {
    this.result = Promise.reject(new Error('too late'));
  }
}

@Activity({ type: 'Test.TakesATurn' })
class TakesATurn extends ActivityBase {
  async execute(): Promise<void> {
    await nextTurn();
  }
}

it('a rejected promise that is given as a value does not end the process before it is stored, turns later', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    await runWorkflow(seq('S', [act('Test.ForgetsToAwait', 'F'), act('Test.TakesATurn', 'T')]), {
      activities: [ForgetsToAwait, TakesATurn],
    });
    expect(unhandled).toEqual([]);
  } finally {
    process.off('unhandledRejection', note);
  }
});
