import { expect, it } from '@jest/globals';
import type { WorkflowState } from '@waymark/core';
import { stateAnswer } from './state-answer.js';

it('shows variables without a value that are named like members of all objects', () => {
  const dynamicVariables = [{ id: 'constructor', name: 'constructor', typeName: 'Object' }];
  const context = { id: 'c', properties: { Variables: {} }, dynamicVariables };
  const state = { bookmarks: [], completionCallbacks: [], activityExecutionContexts: [context] };
  expect(stateAnswer(state as unknown as WorkflowState)).toMatchObject({
    activityExecutionContexts: [{ dynamicVariables: [{ id: 'constructor', value: undefined }] }],
  });
});
