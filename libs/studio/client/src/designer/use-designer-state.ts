import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { definitionsKey } from '../api/definitions.js';
import { checkDesign, loadDesign, publishDesign, saveDesign } from '../api/designs.js';
import { type ActivityDescriptor, scriptTypesKey } from '../api/descriptors.js';
import { live } from '../api/live/live.js';
import { Refresher } from '../api/live/refresher.js';
import { notify, notifyPlan } from '../parts/toasts.js';
import { designerTexts as texts } from '../texts/designer.js';
import type { Designer, Dialog } from './designer-context.js';
import type { Design } from './model/change.js';
import { isSameContent, withContentOf } from '../api/design-content.js';
import { ActivityCatalogue } from './model/descriptors.js';
import { parseExactly } from '../api/exact-json.js';
import { DesignerActions } from './store/actions.js';
import { DesignStore } from './store/design-store.js';
import { localDrafts } from './store/drafts-of-user.js';
import { leaveBehind, takeOver } from './store/left-savers.js';
import { fingerprint } from './store/local-drafts.js';
import { Saver, type Shelf } from './store/saver.js';
import { writeTyped } from './write-typed.js';
import { useMay } from '../api/permissions.js';
import { AnswerLimit } from '../api/answer-limit.js';
import { ApiError, toApiError } from '../api/api-error.js';
import { scheduleByBrowser } from '../api/schedule-by-browser.js';
import { session } from '../api/session.js';

const CHECK_MS = 600;
/** Between two looks at what others have saved. */
const REFRESH_MS = 1_000;
/** Until a server that could not check is asked again. */
const RECHECK_MS = 5_000;

/** The designer of one definition, for as long as its page is open. @param isDeleted the server does not have it any more */
export function useDesignerState(stored: Design, descriptors: readonly ActivityDescriptor[], isDeleted = false) {
  const [dialog, setDialog] = useState<Dialog>();
  const queries = useQueryClient();
  const { definitionId } = stored;
  const mayWrite = useMay('write:workflow-definitions');
  const [{ store, drafts, restored, origin }] = useState(() => begin(stored, isDeleted, mayWrite));
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
    const { person } = session;
    /** What one person has drawn is not saved in the name of the next. */
    const own = <T>(work: () => Promise<T>): Promise<T> =>
      session.person === person ? work() : Promise.reject(new ApiError({ status: 401 }));
    // All that is saved waits for what was sent before.
    const limit = new AnswerLimit();
    const shelf: Shelf = {
      load: () => own(() => limit.ask((signal) => loadDesign(definitionId, parseExactly, signal))),
      save: (design, over) => own(() => changed(limit.ask((signal) => saveDesign(design, over, parseExactly, signal)))),
      publish: (over) =>
        own(() => changed(limit.ask((signal) => publishDesign(definitionId, over, parseExactly, notifyPlan, signal)))),
    };
    void takeOver(definitionId);
    const created = new Saver(store, shelf, drafts, stored, origin);
    setSaver(created);
    if (restored) notify(texts.restored);
    const keep = () => {
      writeTyped();
      created.keep();
    };
    // Neither the server nor the browser has it.
    const warn = (event: BeforeUnloadEvent) => {
      if (!created.keep()) event.preventDefault();
    };
    const online = () => void created.flush();
    const focus = async () => {
      if (await created.refresh()) notify(texts.takenOver);
    };
    const onFocus = () => void focus();
    // Another person has saved or published it, or may have while nothing was heard.
    const refresher = new Refresher(scheduleByBrowser);
    const stopListening = live.listen(({ name, data }) => {
      const isOfIt = (data as { readonly definitionId?: string }).definitionId === definitionId;
      const isTold = isOfIt && (name === 'definition-changed' || name === 'definition-deleted');
      if (isTold || name === 'ready') refresher.want(definitionId, REFRESH_MS, focus);
    });
    window.addEventListener('pagehide', keep);
    window.addEventListener('beforeunload', warn);
    window.addEventListener('online', online);
    window.addEventListener('focus', onFocus);
    return () => {
      stopListening();
      window.removeEventListener('pagehide', keep);
      window.removeEventListener('beforeunload', warn);
      window.removeEventListener('online', online);
      window.removeEventListener('focus', onFocus);
      leaveBehind(created, store, person);
    };
  }, [store, drafts, stored, restored, origin, definitionId, queries]);
  useEffect(() => store.setMayWrite(mayWrite), [store, mayWrite]);
  useProblems(store, mayWrite);
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
    drafts.read(stored.definitionId);
    const store = new DesignStore(stored, mayWrite);
    store.setSave({ kind: 'deleted' });
    return { store, drafts, restored: false, origin: undefined };
  }
  const draft = stored.isReadonly || !mayWrite ? undefined : drafts.read(stored.definitionId);
  const isLeft = draft !== undefined && !isSameContent(draft.design, stored);
  if (draft && !isLeft) drafts.remove(stored.definitionId);
  const store = new DesignStore(stored, mayWrite);
  if (isLeft) store.perform({ patches: [{ path: [], from: stored, to: withContentOf(stored, draft.design) }] });
  // The server has moved on since: somebody has to choose.
  const isConflict = isLeft && draft.base !== fingerprint(stored);
  if (isConflict) store.setSave({ kind: 'conflict', theirs: stored });
  // Until then it is made of what was there before: kept as made of theirs, it would be saved over it the next time.
  return { store, drafts, restored: isLeft, origin: isConflict ? draft.base : undefined };
}

/** Asks the server what is wrong, when the drawing pauses. It tells those who may change it. */
function useProblems(store: DesignStore, mayWrite: boolean): void {
  useEffect(() => {
    if (!mayWrite) return undefined;
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
        if (signal.aborted) return;
        const { status, isOutage } = toApiError(error);
        // To those who may not ask, nothing is wrong with the definition.
        store.setProblems(status === 403 ? [] : [{ message: messageOf(error) }]);
        // That says nothing about the definition, and would stay until the next change. 401: the login is asked for.
        if (isOutage || status === 401) timer = setTimeout(() => void check(), RECHECK_MS);
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
  }, [store, mayWrite]);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : texts.problems.unchecked);
