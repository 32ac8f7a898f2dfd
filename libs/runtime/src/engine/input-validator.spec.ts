import { Activity, type ActivityExecutionContext, ActivityBase } from '@waymark/core';
import { IsString, Length } from 'class-validator';
import { createInputValidator, InputValidationError } from './input-validator.js';

@Activity({ type: 'Test.Plain' })
class Plain extends ActivityBase {
  name: unknown;
  execute(): void {}
}

@Activity({ type: 'Test.Checked' })
class Checked extends Plain {
  @IsString()
  @Length(2, 5)
  declare name: unknown;
}

@Activity({ type: 'Test.Derived' })
class Derived extends Checked {}

/** What the validator looks at. */
function run(activityClass: new () => Plain, name: unknown): ActivityExecutionContext {
  const typeName = activityClass.name;
  const node = { id: 'Step', registration: { activityClass, descriptor: { typeName } } };
  return { node, activity: Object.assign(new activityClass(), { name }) } as unknown as ActivityExecutionContext;
}

describe('the validation of inputs', () => {
  const validate = createInputValidator();

  it('refuses values that break the rules of the class, and names them', () => {
    const refused = (): void => validate(run(Checked, 'x'));
    expect(refused).toThrow(InputValidationError);
    expect(refused).toThrow(/^Inputs of activity 'Step' \(Checked\) are not valid: name must be longer than/);
  });

  it('lets values through that keep them', () => {
    expect(() => validate(run(Checked, 'abc'))).not.toThrow();
  });

  it('knows the rules of a base class', () => {
    expect(() => validate(run(Derived, 7))).toThrow(/name must be a string/);
  });

  it('accepts any input of a class without rules', () => {
    expect(() => validate(run(Plain, 7))).not.toThrow();
  });
});
