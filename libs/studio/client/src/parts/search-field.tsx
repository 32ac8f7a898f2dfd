import { CloseButton, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { shellTexts } from '../texts/shell.js';

interface SearchFieldProps {
  readonly label: string;
  /** What it takes, for those who point at it. */
  readonly hint?: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly className?: string | undefined;
}

const PAUSE_MS = 250;

/** A search that begins when the typing pauses, or with Enter. */
export function SearchField({ label, hint, value, onChange, className }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const timer = useRef<number>(undefined);
  // The address has changed from elsewhere: Back, or filters were cleared.
  if (value !== known) {
    setKnown(value);
    setText(value);
  }
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const search = (next: string) => {
    window.clearTimeout(timer.current);
    setKnown(next.trim());
    onChange(next.trim());
  };
  return (
    <TextInput
      type="search"
      className={className}
      aria-label={label}
      placeholder={label}
      title={hint}
      leftSection={<Search size={15} aria-hidden />}
      rightSection={
        text === '' ? undefined : (
          <CloseButton
            size="sm"
            aria-label={shellTexts.clear}
            onClick={() => {
              setText('');
              search('');
            }}
          />
        )
      }
      value={text}
      onChange={(event) => {
        const next = event.currentTarget.value;
        setText(next);
        window.clearTimeout(timer.current);
        timer.current = window.setTimeout(() => search(next), PAUSE_MS);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') search(text);
      }}
    />
  );
}
