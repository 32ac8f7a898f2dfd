import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { expressionDescriptorsQuery } from '../../api/descriptors.js';
import { inspectorTexts as texts } from '../../texts/inspector.js';
import { isPlain, isReference } from './input-value.js';
import css from './inspector.module.css';

interface LanguageSelectProps {
  readonly label: string;
  readonly plain: string;
  readonly value: string;
  readonly isDisabled: boolean;
  /** If true, what is written is a text: there is nothing to choose a variable or an input with. */
  readonly isText?: boolean;
  readonly onChange: (type: string) => void;
}

/** In which language an input is written; the first is a plain value. */
export function LanguageSelect({ label, plain, value, isDisabled, isText = false, onChange }: LanguageSelectProps) {
  const { data = [] } = useQuery(expressionDescriptorsQuery);
  const options = data.filter(
    ({ isBrowsable, type }) => isBrowsable && type !== plain && !(isText && isReference(type)),
  );
  const known: { value: string; label: string }[] = [
    { value: plain, label: texts.plain },
    ...options.map(({ type, displayName }) => ({ value: type, label: displayName })),
  ];
  const shown = isPlain(value) ? plain : value;
  return (
    <Select
      size="xs"
      variant="unstyled"
      className={css.language}
      data-language
      aria-label={label}
      data={known.some((item) => item.value === shown) ? known : [...known, { value: shown, label: shown }]}
      value={shown}
      allowDeselect={false}
      disabled={isDisabled}
      comboboxProps={{ width: 150, position: 'bottom-end' }}
      onChange={(type) => type !== null && type !== shown && onChange(type)}
    />
  );
}
