import { useReactFlow } from '@xyflow/react';
import { EVERYTHING } from '../../graph/far/hidden-nodes.js';
import { layOut } from '../../graph/layout.js';
import { notifyError } from '../../parts/toasts.js';
import { useDesigner } from '../designer-context.js';
import { gapOf } from '../store/actions.js';
import { durationOf } from './duration-of.js';
import { pictureFor } from './use-picture.js';

/** Lays the level out, as one step that can be undone. */
export function useLayOut(): () => Promise<void> {
  const { store, actions } = useDesigner();
  const flow = useReactFlow();
  return async () => {
    const { level } = store.state;
    if (store.isReadonly || level.activities.length === 0) return;
    try {
      const places = await layOut(pictureFor(level, actions), gapOf(level));
      // Meanwhile it may have become another one.
      if (store.state.level !== level) return;
      actions.move(places);
      requestAnimationFrame(() => void flow.fitView({ ...EVERYTHING, duration: durationOf(200) }));
    } catch (error) {
      notifyError(error);
    }
  };
}
