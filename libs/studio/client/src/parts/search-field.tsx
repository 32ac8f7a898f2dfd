import { CloseButton, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { shellTexts } from '../texts/shell.js';
import { useFilterText } from './use-filter-text.js';

interface SearchFieldProps {
  readonly label: string;
  /** What it takes, for those who point at it. */
  readonly hint?: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly className?: string | undefined;
}

/** A search that begins when the typing pauses, or with Enter. */
export function SearchField({ label, hint, value, onChange, className }: SearchFieldProps) {
  const field = useFilterText(value, onChange);
  return (
    <TextInput
      type="search"
      className={className}
      aria-label={label}
      placeholder={label}
      title={hint}
      leftSection={<Search size={15} aria-hidden />}
      rightSection={
        field.text === '' ? undefined : <CloseButton size="sm" aria-label={shellTexts.clear} onClick={field.clear} />
      }
      value={field.text}
      onChange={(event) => field.type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') field.ask(field.text);
      }}
    />
  );
}
