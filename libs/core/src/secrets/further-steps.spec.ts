import { expect, it } from '@jest/globals';
import { W, workflow } from '../execution/testing/build-definition.js';
import { WorkflowTest } from '../execution/testing/run-workflow.js';

it('a further resume of the same burst knows the secrets of the one before, which is stored with it', () => {
  const test = new WorkflowTest();
  const wec = test.runner.create({ graph: test.compile(workflow(W('Line'))), instanceId: 'i' });
  wec.secrets.noteNamed('a-secret-of-the-host');
  wec.output.text = 'Bearer a-secret-of-the-host';
  wec.forgetRequest(undefined);
  expect(test.runner.extract(wec).output).toEqual({ text: 'Bearer (redacted)' });
});
