import { useEffect } from 'react';
import { letterOf } from '../../parts/letter-of.js';
import { useDesigner } from '../designer-context.js';
import { writeTyped } from '../write-typed.js';

/** Undo, redo, save, find and the list of keys wherever the keyboard is; letters in a field stay the field's until they are in the document. */
export function useDesignerHotkeys(): void {
  const { store, saver, open } = useDesigner();
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      // Not what is open beside the document, such as its problems.
      const isBehind = document.querySelector('[role=dialog][aria-modal=true]') !== null;
      if (event.key === 'F1' && !isBehind) {
        // Instead of the help of the browser.
        event.preventDefault();
        event.stopPropagation();
        open({ kind: 'help' });
        return;
      }
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = letterOf(event);
      if ((key === 'z' || key === 'y') && event.target instanceof Element && hasOwnUndo(event.target)) return;
      const isSave = key === 's' && !event.shiftKey;
      // A dialog is over the document. The browser would save the page.
      if (isBehind) return isSave ? event.preventDefault() : undefined;
      if (key === 'z' && !event.shiftKey) store.undo();
      else if (key === 'y' || (key === 'z' && event.shiftKey)) store.redo();
      else if (isSave) {
        writeTyped();
        void saver.flush();
      } else if (key === 'f' && !event.shiftKey) open({ kind: 'find' });
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    // Before fields see it: their own undo knows nothing of the document.
    window.addEventListener('keydown', listen, true);
    return () => window.removeEventListener('keydown', listen, true);
  }, [store, saver, open]);
}

/**
 * An editor of code, and a field that is not of the document: the search for activities or inputs, the form of a run, a name that is written
 * when its field is left.
 */
const hasOwnUndo = (element: Element): boolean =>
  element.closest('.cm-editor, [data-own-undo]') !== null ||
  (element.matches('input, textarea') && element.closest('[data-inspector]') === null);
