import { useEffect, useRef } from 'react';
import { letterOf } from '../parts/letter-of.js';

/** Ctrl (or Cmd) and a letter, anywhere on the page. */
export function useHotkey(letter: string, action: () => void): void {
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (letterOf(event) !== letter || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [letter]);
}
