/** To what the run of a draft asks for first, once it is drawn. Nothing where it is closed. */
export const focusDock = (): number =>
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>('[data-run-dock] :is(input, [type=submit])')?.focus(),
  );
