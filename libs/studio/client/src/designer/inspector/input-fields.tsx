import { TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useState } from 'react';
import type { ActivityJson } from '../../api/definitions.js';
import type { InputDescriptor } from '../../api/descriptors.js';
import { useGrowing } from '../../parts/use-growing.js';
import { inspectorTexts as texts } from '../../texts/inspector.js';
import { InputField } from './input-field.js';
import css from './inspector.module.css';

/** More are searched, not looked through. */
const MANY = 24;

interface InputFieldsProps {
  readonly activity: ActivityJson;
  readonly inputs: readonly InputDescriptor[];
}

/** All inputs of an activity. */
export function InputFields({ activity, inputs }: InputFieldsProps) {
  const [text, setText] = useState('');
  const words = text.trim().toLowerCase();
  const found = inputs.filter(({ name, displayName }) => `${displayName ?? ''} ${name}`.toLowerCase().includes(words));
  const shown = useGrowing(found.length);
  if (inputs.length === 0) return <p className={css.none}>{texts.noInputs}</p>;
  return (
    <>
      {inputs.length > MANY && (
        <TextInput
          type="search"
          data-own-undo
          size="xs"
          aria-label={texts.findInput}
          placeholder={texts.findInput}
          leftSection={<Search size={14} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      {found.slice(0, shown).map((input) => (
        <InputField key={input.name} activity={activity} input={input} />
      ))}
      {found.length === 0 && (
        <p className={css.none} role="status">
          {texts.noInputFound}
        </p>
      )}
    </>
  );
}
