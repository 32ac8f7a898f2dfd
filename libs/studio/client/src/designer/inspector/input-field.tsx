import type { ActivityJson } from '../../api/definitions.js';
import type { InputDescriptor } from '../../api/descriptors.js';
import { memberOf } from '../model/descriptors.js';
import { ExpressionField } from './expression-field.js';
import { useEditActivity } from './use-edit.js';

interface InputFieldProps {
  readonly activity: ActivityJson;
  readonly input: InputDescriptor;
}

/** One input of an activity. */
export function InputField({ activity, input }: InputFieldProps) {
  const { set } = useEditActivity(activity);
  const member = memberOf(input.name);
  return (
    <ExpressionField
      activity={activity}
      input={input}
      value={activity[member]}
      onChange={(value) => set(member, value)}
    />
  );
}
