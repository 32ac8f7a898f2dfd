import { createContext, useContext, useSyncExternalStore } from 'react';
import type { ActivityCatalogue } from './model/descriptors.js';
import type { DesignerActions, Target } from './store/actions.js';
import type { DesignerState, DesignStore } from './store/design-store.js';
import type { Saver } from './store/saver.js';

/** A dialog over the canvas. */
export type Dialog =
  | { readonly kind: 'insert'; readonly target?: Target | undefined }
  | { readonly kind: 'connect'; readonly source: string; readonly port: string }
  /** What a transition waits for, or does. */
  | { readonly kind: 'fill'; readonly transition: number; readonly slot: 'trigger' | 'action' }
  | { readonly kind: 'find' | 'help' | 'conflict' | 'call' | 'publish' };

export interface Designer {
  readonly store: DesignStore;
  readonly saver: Saver;
  readonly actions: DesignerActions;
  readonly catalogue: ActivityCatalogue;
  readonly open: (dialog: Dialog) => void;
  /** Puts the keyboard on the canvas, at an activity, or at several. */
  readonly focusCanvas: (at?: string | readonly string[], isRead?: boolean) => void;
}

const Context = createContext<Designer | undefined>(undefined);

export const DesignerProvider = Context.Provider;

export function useDesigner(): Designer {
  const designer = useContext(Context);
  if (!designer) throw new Error('Outside of the designer.');
  return designer;
}

/** A part of the state. @param select gives the same value as long as that part is the same */
export function useDesign<T>(select: (state: DesignerState) => T): T {
  const { store } = useDesigner();
  return useSyncExternalStore(store.subscribe, () => select(store.state));
}
