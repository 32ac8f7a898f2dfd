import { useDesigner } from '../designer-context.js';

/** Puts an empty note on the canvas, and the keyboard where its text is written. */
export function useAddNote(): () => void {
  const { actions } = useDesigner();
  return () => {
    actions.addNote();
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-inspector] textarea')?.focus());
  };
}
