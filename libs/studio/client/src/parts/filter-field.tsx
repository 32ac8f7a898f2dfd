import { TextInput, type TextInputProps } from '@mantine/core';
import { localText } from './form-values.js';
import { momentIn } from './local-moment.js';
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

/**
 * A moment by which a list is filtered: in the reader's zone in the field, and as a moment in the address, which means the same to those in
 * other zones. An address of Studio before, without a zone, is read in the reader's.
 */
export function MomentFilter({ value, onChange, ...props }: Omit<FilterFieldProps, 'type' | 'read'>) {
  return (
    <FilterField
      {...props}
      type="datetime-local"
      value={localText(value)}
      onChange={(text) => onChange(momentIn(text ?? '')?.toISOString())}
    />
  );
}
