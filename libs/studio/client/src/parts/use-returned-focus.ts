import { useCallback, useLayoutEffect, useRef, useState } from 'react';

/**
 * For something over the page: when it is gone, the focus is where it came from, or else at the beginning of the page. Unless something
 * else has taken it meanwhile. @returns to be called when the page is left, whose next one takes the focus
 */
export function useReturnedFocus(): () => void {
  const [opener] = useState(() => openerOf(document.activeElement) ?? lastOpener);
  const isLeft = useRef(false);
  useLayoutEffect(
    () => () => {
      const active = document.activeElement;
      // It is about to be taken from the page, with the focus in it.
      if (isLeft.current || (active !== document.body && !active?.closest('[role="dialog"]'))) return;
      const target = opener?.isConnected ? opener : document.getElementById('content');
      target?.focus({ preventScroll: true });
    },
    [opener],
  );
  return useCallback(() => void (isLeft.current = true), []);
}

/**
 * What had the focus last, outside of dialogs. A menu may be gone before the dialog that it opens is drawn, with the focus on nothing: it
 * gives it back to its button a moment later, and not at all to one who has a dialog by then.
 */
let lastOpener: HTMLElement | null = null;
document.addEventListener(
  'focusin',
  ({ target }) => {
    if (target instanceof Element && !target.closest('[role="dialog"]')) lastOpener = openerOf(target) ?? lastOpener;
  },
  true,
);

/** Of an item of a menu, which closes, the button of the menu. */
function openerOf(active: Element | null): HTMLElement | null {
  const button = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const opener = button ? document.getElementById(button) : active;
  return opener instanceof HTMLElement && opener !== document.body ? opener : null;
}
