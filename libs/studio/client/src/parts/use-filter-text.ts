import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 250;

/**
 * What is typed into a filter, which asks when the typing pauses. The address follows a moment later, and without spaces at the ends: written
 * anew from it, a field would lose the space between two words, the caret in the middle, and a year at its second digit.
 */
export function useFilterText(value: string, onChange: (value: string) => void) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const [asked, setAsked] = useState<string>();
  const timer = useRef<number>(undefined);
  if (value !== known) {
    setKnown(value);
    setAsked(undefined);
    // The address has changed from elsewhere: Back, or filters were cleared.
    if (value !== asked) setText(value);
  }
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const ask = (next: string) => {
    window.clearTimeout(timer.current);
    const wanted = next.trim();
    if (wanted !== value) setAsked(wanted);
    onChange(wanted);
  };
  return {
    text,
    ask,
    type: (next: string) => {
      setText(next);
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(() => ask(next), PAUSE_MS);
    },
    clear: () => {
      setText('');
      ask('');
    },
  };
}
