import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * A list of buttons as one stop of Tab: arrows, Home and End go through it. Otherwise each of its many buttons stands between what is
 * before and behind the list.
 */
export function useOneStop<E extends HTMLElement>(): {
  ref: RefObject<E | null>;
  onKeyDown: (event: KeyboardEvent) => void;
} {
  const ref = useRef<E>(null);
  const buttons = () => [...(ref.current?.querySelectorAll('button') ?? [])];
  const stopAt = (stop: HTMLButtonElement | undefined) => {
    for (const button of buttons()) button.tabIndex = button === stop ? 0 : -1;
  };
  // After each drawing: a search changes what is there.
  useEffect(() => {
    const all = buttons();
    stopAt(all.find((button) => button === document.activeElement) ?? all[0]);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const all = buttons();
    const here = all.indexOf(document.activeElement as HTMLButtonElement);
    const step = STEPS[event.key];
    const next = event.key === 'Home' ? all[0] : event.key === 'End' ? all.at(-1) : step && all[here + step];
    if (!next) return;
    event.preventDefault();
    stopAt(next);
    next.focus();
  };
  return { ref, onKeyDown };
}
