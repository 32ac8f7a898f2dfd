/** Of a field whose name is written when the field is left. */
export const WRITTEN_WHEN_LEFT = { 'data-own-undo': true, 'data-written-when-left': true } as const;

/** Writes what is being typed there, as when the field is left; the keyboard stays in it. */
export function writeTyped(): void {
  const field = document.activeElement;
  if (!(field instanceof HTMLElement) || !field.matches('[data-written-when-left]')) return;
  field.blur();
  field.focus({ preventScroll: true });
}
