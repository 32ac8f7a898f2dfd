import { TextInput, type TextInputProps } from '@mantine/core';
import { useFilterText } from './use-filter-text.js';

interface FilterFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string | undefined;
  /** When the typing pauses. */
  readonly onChange: (value: string | undefined) => void;
  /** What of the typed text is taken. */
  readonly read?: (typed: string) => string;
}

/** A number or a moment by which a list is filtered. */
export function FilterField({ value, onChange, read = (typed) => typed, ...props }: FilterFieldProps) {
  const field = useFilterText(value ?? '', (text) => onChange(text || undefined));
  return (
    <TextInput
      {...props}
      value={field.text}
      onChange={({ currentTarget }) => field.type(read(currentTarget.value))}
      onKeyDown={({ key }) => key === 'Enter' && field.ask(field.text)}
    />
  );
}
