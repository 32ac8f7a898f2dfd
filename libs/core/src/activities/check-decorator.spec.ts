import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { ActivityMethod } from '../builder/activity-methods.js';
import { ActivityBase } from '../execution/activity-base.js';
import { Activity, Input, Output, Port, Trigger } from './decorators.js';

class Pay extends ActivityBase {
  execute = () => undefined;
}

const onClass = (decorator: ClassDecorator) => () =>
  void decorator(
    class Pay extends ActivityBase {
      execute = () => undefined;
    },
  );
const onMember = (decorator: PropertyDecorator) => () => decorator(Pay.prototype, 'amount');
const onMethod = (decorator: MethodDecorator) => () => void decorator(Pay.prototype, 'take', {});

describe('options of decorators', () => {
  it.each<[string, () => void, string]>([
    [
      '@Activity',
      onClass(Activity({ outcoms: ['Paid'] } as object)),
      "@Activity() of class Pay has no option 'outcoms'. Did you mean 'outcomes'?",
    ],
    [
      '@Trigger',
      onClass(Trigger({ catgory: 'Shop' } as object)),
      "@Trigger() of class Pay has no option 'catgory'. Did you mean 'category'?",
    ],
    [
      'retry',
      onClass(Activity({ retry: { maxAttempts: 3, delayMs: 100 } as never })),
      "Option 'retry' of @Activity() of class Pay has no option 'delayMs'. Did you mean 'delay'?",
    ],
    [
      'what belongs into retry',
      onClass(Activity({ maxAttempts: 3 } as object)),
      "@Activity() of class Pay has no option 'maxAttempts'. Did you mean 'retry.maxAttempts'? Write retry: { maxAttempts: … }.",
    ],
    [
      '@Input',
      onMember(Input({ defaltValue: 1 } as object)),
      "@Input() of Pay.amount has no option 'defaltValue'. Did you mean 'defaultValue'?",
    ],
    [
      '@Output',
      onMember(Output({ desciption: 'x' } as object)),
      "@Output() of Pay.amount has no option 'desciption'. Did you mean 'description'?",
    ],
    [
      '@Port',
      onMember(Port({ outcomes: [] } as object)),
      "@Port() of Pay.amount has no option 'outcomes'. Its options: name, displayName, isBrowsable.",
    ],
    [
      '@ActivityMethod',
      onMethod(ActivityMethod({ input: { amount: {} } } as object)),
      "@ActivityMethod() of Pay.take has no option 'input'. Did you mean 'inputs'?",
    ],
    [
      'inputs of @ActivityMethod',
      onMethod(ActivityMethod({ inputs: { amount: { typ: 'Int32' } as object } })),
      "Option 'inputs.amount' of @ActivityMethod() of Pay.take has no option 'typ'. Did you mean 'type'?",
    ],
    [
      'the output of @ActivityMethod',
      onMethod(ActivityMethod({ output: { typ: 'Int32' } as object })),
      "Option 'output' of @ActivityMethod() of Pay.take has no option 'typ'. Did you mean 'type'?",
    ],
  ])('options of decorators with unknown names are refused when the class is loaded: %s', (_, decorate, message) => {
    expect(decorate).toThrow(expect.objectContaining({ code: 'WM1091', message }));
  });

  it.each<[string, () => void, string]>([
    [
      'a text for outcomes',
      onClass(Activity({ outcomes: 'Paid' as never })),
      "@Activity() of class Pay option 'outcomes' must be a list, not a string.",
    ],
    [
      'a kind in lower case',
      onClass(Activity({ kind: 'job' as never })),
      "@Activity() of class Pay option 'kind' must be 'Action', 'Trigger', 'Job' or 'Task', not 'job'.",
    ],
    [
      'the name as a text',
      onClass(Activity('Shop.Pay' as never)),
      "@Activity() of class Pay option 'options' must be an object, not a string.",
    ],
    [
      'a class as a type',
      onMember(Input({ type: Number as never })),
      "@Input() of Pay.amount option 'type' must be a non-empty string, not a function.",
    ],
  ])('options of decorators with values of the wrong kind are refused: %s', (_, decorate, message) => {
    expect(decorate).toThrow(expect.objectContaining({ code: 'WM1090', message }));
  });

  it.each<[string, () => void]>([
    ['none', onClass(Activity())],
    ['those that are undefined', onClass(Activity({ type: undefined, retry: undefined } as object))],
    ['any default value', onMember(Input({ defaultValue: null, uiSpecifications: {} }))],
    ['data of designers', onClass(Activity({ customProperties: { anything: { at: 'all' } } }))],
  ])('options of decorators may be %s', (_, decorate) => {
    expect(decorate).not.toThrow();
  });
});
