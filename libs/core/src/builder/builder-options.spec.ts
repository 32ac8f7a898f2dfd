import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Sequence } from '../control-flow/sequence.js';
import { WriteLine } from '../control-flow/write-line.js';
import { activity } from './activity.js';
import { fork } from './containers.js';
import { flowchart } from './flowchart.js';
import { compensable } from './scopes.js';
import { variable } from './variable.js';
import { input, output } from './workflow-arguments.js';
import { WorkflowDefinitionBuilder } from './workflow-definition-builder.js';

const w = () => new WorkflowDefinitionBuilder('order');

describe('settings of a workflow in code', () => {
  it.each<[string, () => unknown, string]>([
    [
      'of an activity',
      () => activity(WriteLine, { text: 'x' }, { ouputs: {} } as object),
      "Activity 'Elsa.WriteLine' has no option 'ouputs'. Did you mean 'outputs'?",
    ],
    [
      'of an activity by its name',
      () => activity('Elsa.WriteLine', { text: 'x' }, { ID: 'a' } as object),
      "Activity 'Elsa.WriteLine' has no option 'ID'. Did you mean 'id'?",
    ],
    [
      'retries as definitions have them',
      () => activity(WriteLine, { text: 'x' }, { retryPolicy: { maxAttempts: 3 } } as object),
      "Activity 'Elsa.WriteLine' has no option 'retryPolicy'. Write retry: { … }.",
    ],
    [
      'of retries',
      () => activity(WriteLine, { text: 'x' }, { retry: { maxAttempts: 3, delayMs: 5 } } as object),
      "Option 'retry' of Activity 'Elsa.WriteLine' has no option 'delayMs'. Did you mean 'delay'?",
    ],
    [
      'of retries without retry',
      () => activity(WriteLine, { text: 'x' }, { maxAttempts: 3 } as object),
      "Activity 'Elsa.WriteLine' has no option 'maxAttempts'. Did you mean 'retry.maxAttempts'? Write retry: { maxAttempts: … }.",
    ],
    [
      'of a flowchart',
      () => flowchart(() => undefined, { varibles: [] } as object),
      "flowchart() has no option 'varibles'. Did you mean 'variables'?",
    ],
    ['of a fork', () => fork([], { joinMode: 'WaitAny' } as object), "fork() has no option 'joinMode'."],
    [
      'of a step that may be undone',
      () => compensable(activity(WriteLine, { text: 'x' }), { undo: [], confrim: [] } as never),
      "compensable() has no option 'confrim'. Did you mean 'confirm'?",
    ],
    [
      'variables of a container that is made by its class',
      () => activity(Sequence, { activities: [] }, { variables: [] } as object),
      "Activity 'Elsa.Sequence' has no option 'variables'.",
    ],
    [
      'of a variable',
      () => w().variable('total', { defaultValue: 1 } as object),
      "Variable 'total' has no option 'defaultValue'. Its options: type, default, storage.",
    ],
    [
      'of a variable of a container',
      () => variable('total', { typ: 'Int32' } as object),
      "Variable 'total' has no option 'typ'. Did you mean 'type'?",
    ],
    [
      'of an input',
      () => w().input('days', { isRequired: true } as object),
      "Input 'days' has no option 'isRequired'. Did you mean 'required'?",
    ],
    [
      'of an output',
      () => w().output('days', { storage: 'memory' } as object),
      "Output 'days' has no option 'storage'. Its options: type, displayName, description, category.",
    ],
    [
      'of a declared input',
      () => w().inputs({ days: input({ isOptional: true } as object) }),
      "Input 'days' has no option 'isOptional'. Did you mean 'optional'?",
    ],
    [
      'of a declared output',
      () => w().outputs({ days: output({ typ: 'Int32' } as object) }),
      "Output 'days' has no option 'typ'. Did you mean 'type'?",
    ],
  ])('settings of a workflow in code with unknown names are refused: %s', (_, make, message) => {
    expect(make).toThrow(expect.objectContaining({ code: 'WM1091', message: expect.stringContaining(message) }));
  });
});
