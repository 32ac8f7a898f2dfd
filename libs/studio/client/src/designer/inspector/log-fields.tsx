import { Select } from '@mantine/core';
import type { ActivityJson } from '../../api/definitions.js';
import type { ActivityDescriptor } from '../../api/descriptors.js';
import { inspectorTexts } from '../../texts/inspector.js';
import { memberOf } from '../model/descriptors.js';
import {
  defaultMode,
  type LogGroup,
  type LogMode,
  valueMode,
  withDefaultMode,
  withValueMode,
} from './log-persistence.js';
import { useEditActivity } from './use-edit.js';
import css from './inspector.module.css';

const texts = inspectorTexts.common;

interface LogFieldsProps {
  readonly activity: ActivityJson;
  readonly descriptor: ActivityDescriptor | undefined;
  readonly isReadonly: boolean;
}

/** Whether the journal keeps the values of an activity: all of them, and one by one. */
export function LogFields({ activity, descriptor, isReadonly }: LogFieldsProps) {
  const { set } = useEditActivity(activity);
  const properties = (activity.customProperties ?? {}) as Readonly<Record<string, unknown>>;
  const write = (next: object) => set('customProperties', next);
  const shown = <T extends { readonly isBrowsable?: boolean }>(values: readonly T[] = []) =>
    values.filter(({ isBrowsable }) => isBrowsable !== false);
  const groups = [
    ['inputs', shown(descriptor?.inputs)],
    ['outputs', shown(descriptor?.outputs)],
  ] as const;
  return (
    <>
      <ModeSelect
        label={texts.logPersistence}
        above={texts.logModes['']}
        mode={defaultMode(properties)}
        isReadonly={isReadonly}
        onChange={(mode) => write(withDefaultMode(properties, mode))}
      />
      {groups.some(([, values]) => values.length > 0) && (
        <details className={css.details}>
          <summary>{texts.logEach}</summary>
          {groups.map(([group, values]: readonly [LogGroup, readonly { name: string; displayName?: string }[]]) =>
            values.map(({ name, displayName }) => (
              <ModeSelect
                key={`${group} ${name}`}
                label={texts.logOf[group](displayName || name)}
                above={texts.logAsActivity}
                mode={valueMode(properties, group, memberOf(name))}
                isReadonly={isReadonly}
                onChange={(mode) => write(withValueMode(properties, group, memberOf(name), mode))}
              />
            )),
          )}
        </details>
      )}
    </>
  );
}

interface ModeSelectProps {
  readonly label: string;
  /** What it means to choose nothing. */
  readonly above: string;
  readonly mode: LogMode;
  readonly isReadonly: boolean;
  readonly onChange: (mode: LogMode) => void;
}

/** Whether the journal keeps values. */
export function ModeSelect({ label, above, mode, isReadonly, onChange }: ModeSelectProps) {
  const { Include, Exclude } = texts.logModes;
  return (
    <Select
      size="xs"
      label={label}
      data={[
        { value: '', label: above },
        { value: 'Include', label: Include },
        { value: 'Exclude', label: Exclude },
        // By an expression or the configuration: it is kept until somebody chooses something else.
        ...(mode === 'other' ? [{ value: 'other', label: texts.logOther }] : []),
      ]}
      value={mode}
      allowDeselect={false}
      readOnly={isReadonly}
      onChange={(next) => next !== mode && next !== 'other' && onChange(next as LogMode)}
    />
  );
}
