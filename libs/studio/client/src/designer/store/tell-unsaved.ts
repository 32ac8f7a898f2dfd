import type { DesignStore, SaveState } from './design-store.js';

/** Why what was drawn is not saved, after its page was left. */
export type Unsaved = Extract<SaveState, { kind: 'offline' | 'refused' | 'deleted' | 'conflict' }>;

export interface Told {
  /** Once for each reason. */
  readonly unsaved: (why: Unsaved) => void;
  /** After that, when the server has it. */
  readonly saved: () => void;
}

/**
 * Follows a save whose page was left: its state was shown there alone, and people would publish from the list what lacks their last changes.
 * @returns ends it
 */
export function tellUnsaved(store: DesignStore, tell: Told): () => void {
  const told = new Set<SaveState['kind']>();
  let last = store.state.save;
  const stop = store.subscribe(() => {
    const { save } = store.state;
    if (save === last) return;
    last = save;
    if (save.kind === 'saved') {
      stop();
      if (told.size > 0) tell.saved();
    } else if (isUnsaved(save) && !told.has(save.kind)) {
      told.add(save.kind);
      tell.unsaved(save);
    }
  });
  return stop;
}

const isUnsaved = (save: SaveState): save is Unsaved =>
  ['offline', 'refused', 'deleted', 'conflict'].includes(save.kind);
