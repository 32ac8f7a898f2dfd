import type { InputOptions } from '@waymark/core';

// Inputs that the activities for child workflows share. Not members of a base class: each lists its inputs in the order
// in which tools show them.

export const workflowDefinitionIdInput: InputOptions = {
  type: 'String',
  displayName: 'Workflow Definition',
  uiHint: 'workflow-definition-picker',
  description: 'Definition id of the workflow to start.',
};

export const correlationIdInput: InputOptions = {
  type: 'String',
  displayName: 'Correlation ID',
  description: 'Correlation id of the new instance.',
};

export const childInputInput: InputOptions = {
  type: 'ObjectDictionary',
  uiHint: 'dropdown',
  description: 'Input of the new instance.',
};

export const waitForCompletionInput: InputOptions = {
  type: 'Boolean',
  displayName: 'Wait for Completion',
  description: 'Continue only when the other workflow has ended.',
};

export const startNewTraceInput: InputOptions = {
  type: 'Boolean',
  displayName: 'Start New Trace',
  category: 'Open Telemetry',
  description: 'Ignored; kept for definitions from Elsa.',
};

export const channelNameInput: InputOptions = {
  type: 'String',
  displayName: 'Channel',
  uiHint: 'dropdown',
  uiSpecifications: { dropdown: { selectList: { items: [{ text: 'Default', value: '' }] } } },
  description: 'Leave it empty: there is only the default channel.',
};
