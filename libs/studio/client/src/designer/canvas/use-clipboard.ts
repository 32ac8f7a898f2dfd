import { type RefObject, useEffect } from 'react';
import { notify } from '../../parts/toasts.js';
import { designerTexts as texts } from '../../texts/designer.js';
import { useDesigner } from '../designer-context.js';

/** Copy, cut and paste by the browser's own events: they work between tabs, and need no permission. */
export function useClipboard(frame: RefObject<HTMLElement | null>): void {
  const { store, actions, focusCanvas } = useDesigner();
  useEffect(() => {
    const isHere = () => frame.current?.contains(document.activeElement) && !isField(document.activeElement);
    const copy = (event: ClipboardEvent) => {
      const copied = isHere() ? actions.copied() : undefined;
      if (!copied) return;
      event.preventDefault();
      event.clipboardData?.setData('text/plain', copied.text);
      notify(texts.copied(copied.activities, copied.notes));
      if (event.type === 'cut' && !store.isReadonly) actions.removeSelected();
    };
    const paste = (event: ClipboardEvent) => {
      if (!isHere() || store.isReadonly) return;
      event.preventDefault();
      if (actions.paste(event.clipboardData?.getData('text/plain') ?? ''))
        focusCanvas([...store.state.selection.nodes]);
      else notify(texts.pasteNothing);
    };
    document.addEventListener('copy', copy);
    document.addEventListener('cut', copy);
    document.addEventListener('paste', paste);
    return () => {
      document.removeEventListener('copy', copy);
      document.removeEventListener('cut', copy);
      document.removeEventListener('paste', paste);
    };
  }, [frame, store, actions, focusCanvas]);
}

const isField = (element: Element | null): boolean => element?.matches('input, textarea, [contenteditable]') ?? false;
