import { NumberInput, Select, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { useTyped } from '../../parts/use-typed.js';
import { inspectorTexts } from '../../texts/inspector.js';
import { textOf, typeProblem } from './input-value.js';
import css from './inspector.module.css';

const texts = inspectorTexts.common;

interface RetryFieldsProps {
  readonly policy: unknown;
  readonly isReadonly: boolean;
  readonly onChange: (policy: object | undefined) => void;
}

/** How often and when a failed activity is retried. */
export function RetryFields({ policy, isReadonly, onChange }: RetryFieldsProps) {
  const now = (typeof policy === 'object' && policy !== null ? policy : {}) as Readonly<Record<string, unknown>>;
  const attempts = Number(now.maxAttempts);
  const field = useTyped(attempts, (other) => (other >= 1 ? String(other) : ''));
  // While another number is typed, the field may be empty: the waits are still there when it has one.
  const kept = useRef(now);
  const typeAttempts = (text: string) => {
    const next = text === '' ? Number.NaN : Number(text);
    field.type(text, next);
    const isSet = typeof policy === 'object' && policy !== null;
    if (isSet) kept.current = now;
    if (!Number.isNaN(next)) onChange({ ...kept.current, maxAttempts: next });
    else if (isSet) onChange(undefined);
  };
  const set = (name: string, value: unknown) => {
    const { [name]: _old, ...rest } = now;
    onChange(value === undefined || value === '' ? rest : { ...now, [name]: value });
  };
  const span = (name: 'delay' | 'maxDelay', label: string) => (
    <TextInput
      size="xs"
      label={label}
      placeholder={texts.delayHint}
      value={textOf(now[name])}
      readOnly={isReadonly}
      error={typeProblem('TimeSpan', textOf(now[name])) && inspectorTexts.timeSpanWrong}
      onChange={(event) => set(name, event.currentTarget.value)}
    />
  );
  return (
    <fieldset className={css.group}>
      <legend>{texts.retry}</legend>
      <NumberInput
        size="xs"
        label={texts.attempts}
        description={texts.attemptsHint}
        min={2}
        max={100}
        allowDecimal={false}
        allowNegative={false}
        value={field.text}
        readOnly={isReadonly}
        onChange={(typed) => typeAttempts(String(typed))}
      />
      {attempts >= 2 && (
        <>
          {span('delay', texts.delay)}
          <Select
            size="xs"
            label={texts.backoff}
            data={Object.entries(texts.backoffs).map(([value, label]) => ({ value, label }))}
            value={textOf(now.backoff) || 'Exponential'}
            allowDeselect={false}
            readOnly={isReadonly}
            onChange={(next) => set('backoff', next)}
          />
          {span('maxDelay', texts.maxDelay)}
        </>
      )}
    </fieldset>
  );
}
