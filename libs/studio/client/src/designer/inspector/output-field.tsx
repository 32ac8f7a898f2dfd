import { Select } from '@mantine/core';
import { useId } from 'react';
import type { ActivityJson } from '../../api/definitions.js';
import type { OutputDescriptor } from '../../api/descriptors.js';
import { distinct } from '../../parts/distinct.js';
import { inspectorTexts as texts } from '../../texts/inspector.js';
import { useDesign } from '../designer-context.js';
import { memberOf } from '../model/descriptors.js';
import { useEditActivity } from './use-edit.js';
import { labelOfVariable, useVariables } from './use-variables.js';
import css from './inspector.module.css';

const NONE: readonly never[] = [];

interface OutputFieldProps {
  readonly activity: ActivityJson;
  readonly output: OutputDescriptor;
}

/** Where an output goes: a variable by its id, or an output of the workflow by its name. */
export function OutputField({ activity, output }: OutputFieldProps) {
  const id = useId();
  const { set } = useEditActivity(activity);
  const isReadonly = useDesign((state) => state.standing.isReadonly);
  const variables = useVariables();
  const outputs = useDesign(({ history }) => history.design.outputs ?? NONE);
  const member = memberOf(output.name);
  const value = activity[member] as { memoryReference?: { id?: string } } | null | undefined;
  const target = value?.memoryReference?.id;
  const data = distinct([
    ...variables.map((one) => ({ value: one.id, label: texts.variable(labelOfVariable(one)) })),
    ...outputs.map(({ name }) => ({ value: name, label: texts.output(name) })),
  ]);
  const isKnown = target === undefined || data.some((item) => item.value === target);
  return (
    <div className={css.field}>
      <label htmlFor={id} className={css.label}>
        {output.displayName || output.name} <small className={css.detail}>{output.typeName}</small>
      </label>
      <Select
        id={id}
        size="xs"
        clearable
        placeholder={texts.outputNowhere}
        data={isKnown ? data : [...data, { value: target, label: target }]}
        value={target ?? null}
        readOnly={isReadonly}
        onChange={(next) =>
          set(
            member,
            next === null
              ? null
              : { typeName: output.typeName, ...value, memoryReference: { ...value?.memoryReference, id: next } },
          )
        }
      />
      {output.description && <p className={css.hint}>{output.description}</p>}
    </div>
  );
}
