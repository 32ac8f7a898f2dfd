import { describe, expect, it } from '@jest/globals';
import { Activity } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { act, W, workflow } from '../execution/testing/build-definition.js';
import { runWorkflow, WorkflowTest } from '../execution/testing/run-workflow.js';

it('a further resume in the same burst knows the secrets of the previous one, which is stored with it', () => {
  const test = new WorkflowTest();
  const wec = test.runner.create({ graph: test.compile(workflow(W('Line'))), instanceId: 'i' });
  wec.secrets.noteNamed('a-secret-of-the-host');
  wec.output.text = 'Bearer a-secret-of-the-host';
  wec.forgetRequest(undefined);
  expect(test.runner.extract(wec).output).toEqual({ text: 'Bearer (redacted)' });
});

@Activity({ type: 'Test.ShowsItsSecret' })
class ShowsItsSecret extends ActivityBase {
  static text = '';
  execute({ workflow }: ActivityExecutionContext): never {
    workflow.secrets.noteNamed('a-secret-of-the-host');
    throw new Error('outer', { cause: new Error(ShowsItsSecret.text) });
  }
}

describe('a fault that is truncated inside a secret shows no part of it', () => {
  it.each([
    ['a-secret-of-the-host', /a-secret/],
    ['https://user:pass-word@host/', /pass/],
  ])('%s', async (secret, shown) => {
    for (let before = 31_980; before < 32_000; before++) {
      ShowsItsSecret.text = `${'x'.repeat(before)}${secret}`;
      const { context, state } = await runWorkflow(act('Test.ShowsItsSecret', 'A'), { activities: [ShowsItsSecret] });
      const { log, records } = context.journal!.take();
      expect(JSON.stringify(state.incidents)).toContain('xxx');
      expect(JSON.stringify([state.incidents, log, records])).not.toMatch(shown);
    }
  });
});
