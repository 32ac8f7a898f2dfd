import { memo } from 'react';
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
export const InputField = memo(function InputField({ activity, input }: InputFieldProps) {
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
}, isShownTheSame);

/** Of a cron expression the time zone is shown, which is another input. */
const LOOKS_AROUND = 'CronExpression';

/** Else each letter that is typed into one of two hundred inputs would draw them all. */
function isShownTheSame(before: InputFieldProps, after: InputFieldProps): boolean {
  if (before.activity === after.activity) return before.input === after.input;
  const member = memberOf(after.input.name);
  return (
    before.input === after.input &&
    after.input.name !== LOOKS_AROUND &&
    before.activity.id === after.activity.id &&
    before.activity.type === after.activity.type &&
    before.activity[member] === after.activity[member]
  );
}
