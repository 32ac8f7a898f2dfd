import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { definitionsKey } from '../api/definitions.js';
import { checkDesign, loadDesign, publishDesign, saveDesign } from '../api/designs.js';
import { type ActivityDescriptor, scriptTypesKey } from '../api/descriptors.js';
import { notify, notifyPlan } from '../parts/toasts.js';
import { designerTexts as texts } from '../texts/designer.js';
import type { Designer, Dialog } from './designer-context.js';
import type { Design } from './model/change.js';
import { isSameContent } from '../api/design-content.js';
import { ActivityCatalogue } from './model/descriptors.js';
import { parseExactly } from '../api/exact-json.js';
import { DesignerActions } from './store/actions.js';
import { DesignStore } from './store/design-store.js';
import { localDrafts } from './store/drafts-of-user.js';
import { fingerprint } from './store/local-drafts.js';
import { Saver } from './store/saver.js';
import { useMay } from '../api/permissions.js';
import { toApiError } from '../api/api-error.js';

const CHECK_MS = 600;

/** The designer of one definition, for as long as its page is open. @param isDeleted the server does not have it any more */
export function useDesignerState(stored: Design, descriptors: readonly ActivityDescriptor[], isDeleted = false) {
  const [dialog, setDialog] = useState<Dialog>();
  const queries = useQueryClient();
  const { definitionId } = stored;
  const mayWrite = useMay('write:workflow-definitions');
  const [{ store, drafts, restored }] = useState(() => begin(stored, isDeleted, mayWrite));
  const catalogue = useMemo(() => new ActivityCatalogue(descriptors), [descriptors]);
  const actions = useMemo(() => new DesignerActions(store, catalogue), [store, catalogue]);
  const [saver, setSaver] = useState<Saver>();
  useEffect(() => {
    const changed = async <T>(work: Promise<T>): Promise<T> => {
      const result = await work;
      void queries.invalidateQueries({ queryKey: definitionsKey });
      void queries.invalidateQueries({ queryKey: scriptTypesKey(definitionId) });
      return result;
    };
    const shelf = {
      load: () => loadDesign(definitionId, parseExactly),
      save: (design: Design, over: Design | undefined) => changed(saveDesign(design, over, parseExactly)),
      publish: (over: Design) => changed(publishDesign(over.definitionId, over, parseExactly, notifyPlan)),
    };
    const created = new Saver(store, shelf, drafts, stored);
    setSaver(created);
    if (restored) notify(texts.restored);
    const keep = () => created.keep();
    const online = () => void created.flush();
    const focus = async () => {
      if (await created.refresh()) notify(texts.takenOver);
    };
    const onFocus = () => void focus();
    window.addEventListener('pagehide', keep);
    window.addEventListener('online', online);
    window.addEventListener('focus', onFocus);
    return () => {
      window.removeEventListener('pagehide', keep);
      window.removeEventListener('online', online);
      window.removeEventListener('focus', onFocus);
      created.end();
    };
  }, [store, drafts, stored, restored, definitionId, queries]);
  useProblems(store);
  const designer = useMemo<Designer | undefined>(() => {
    const focusCanvas: Designer['focusCanvas'] = (at = [], isRead) => {
      // At once: the next key belongs there. Once more when what was done has been drawn.
      document.querySelector<HTMLElement>('[data-canvas]')?.focus({ preventScroll: true });
      requestAnimationFrame(() => actions.reveal([at].flat(), isRead));
    };
    const open = (next: Dialog) => {
      // Of states there is one kind: nothing has to be chosen.
      if (next.kind === 'insert' && store.state.level.kind === 'machine') focusCanvas(actions.addState(next.target));
      else setDialog(next);
    };
    return saver && { store, saver, actions, catalogue, open, focusCanvas };
  }, [store, saver, actions, catalogue]);
  return { designer, dialog, setDialog };
}

/** With what was not saved the last time. */
function begin(stored: Design, isDeleted: boolean, mayWrite: boolean) {
  const drafts = localDrafts();
  if (isDeleted) {
    const store = new DesignStore(stored, mayWrite);
    store.setSave({ kind: 'deleted' });
    return { store, drafts, restored: false };
  }
  const draft = stored.isReadonly || !mayWrite ? undefined : drafts.read(stored.definitionId);
  const isLeft = draft !== undefined && !isSameContent(draft.design, stored);
  if (draft && !isLeft) drafts.remove(stored.definitionId);
  const store = new DesignStore(stored, mayWrite);
  if (isLeft) store.perform({ patches: [{ path: [], from: stored, to: { ...stored, ...draft.design } }] });
  // The server has moved on since: somebody has to choose.
  if (isLeft && draft.base !== fingerprint(stored)) store.setSave({ kind: 'conflict', theirs: stored });
  return { store, drafts, restored: isLeft };
}

/** Asks the server what is wrong, when the drawing pauses. It tells those who may change it. */
function useProblems(store: DesignStore): void {
  useEffect(() => {
    if (!store.mayWrite) return undefined;
    let checked: Design | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let running: AbortController | undefined;
    const check = async () => {
      const { design } = store;
      running?.abort();
      running = new AbortController();
      const { signal } = running;
      try {
        const { problems, warnings } = await checkDesign(design, signal);
        if (!signal.aborted) store.setProblems(problems, warnings);
      } catch (error) {
        // To those who may not ask, nothing is wrong with the definition.
        const isRefused = toApiError(error).status === 403;
        if (!signal.aborted) store.setProblems(isRefused ? [] : [{ message: messageOf(error) }]);
      }
    };
    const listen = () => {
      if (store.design === checked) return;
      checked = store.design;
      clearTimeout(timer);
      timer = setTimeout(() => void check(), CHECK_MS);
    };
    listen();
    const stop = store.subscribe(listen);
    return () => {
      stop();
      clearTimeout(timer);
      running?.abort();
    };
  }, [store]);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : texts.problems.unchecked);
