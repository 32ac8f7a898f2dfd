import { CloseButton } from '@mantine/core';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { toApiError } from '../api/api-error.js';
import { shellTexts } from '../texts/shell.js';
import { AlterationToast } from './alteration-toast.js';
import { PlanToast } from './plan-toast.js';
import css from './toasts.module.css';

interface Toast {
  readonly id: number;
  readonly isError: boolean;
  readonly text: string;
  readonly more: string;
  /** Of work that continues at the server. */
  readonly planId?: string;
  /** If true, that is a plan of alterations. */
  readonly isOfAlterations?: boolean;
}

const SHOWN_MS = 6_000;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

const dismiss = (id: number) => set(toasts.filter((toast) => toast.id !== id));

function show(toast: Omit<Toast, 'id'>): void {
  const id = (lastId += 1);
  set([...toasts, { ...toast, id }]);
  // Errors stay until they are read, and work until it has been seen to end.
  if (!toast.isError && toast.planId === undefined) window.setTimeout(() => dismiss(id), SHOWN_MS);
}

/** Another person comes: what was said is not for them. */
export const dismissAll = (): void => set([]);

/** What has been done. */
export const notify = (text: string, more = ''): void => show({ isError: false, text, more });

/** That the server continues with work on many, and how far it is. */
export const notifyPlan = (planId: string): void => show({ isError: false, text: '', more: '', planId });

/** The same of alterations. */
export const notifyAlterations = (planId: string): void =>
  show({ isError: false, text: '', more: '', planId, isOfAlterations: true });

/** What failed where no place of its own shows it. */
export function notifyError(error: unknown): void {
  const { title, detail, wayOn } = toApiError(error);
  show({ isError: true, text: [title, detail].filter(Boolean).join(' '), more: wayOn });
}

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a narrow screen the page leaves them room: they would lie on what it is about.
    const { style } = document.documentElement;
    const watch = new ResizeObserver(([entry]) =>
      style.setProperty('--notices', `${entry!.contentRect.height === 0 ? 0 : entry!.contentRect.height + 24}px`),
    );
    watch.observe(region.current!);
    return () => watch.disconnect();
  }, []);
  return (
    <div ref={region} className={css.region} role="status" aria-live="polite">
      {shown.map(({ id, isError, text, more, planId, isOfAlterations }) => (
        <div key={id} className={css.toast} data-error={isError || undefined}>
          <div className={css.text}>
            {planId === undefined ? (
              <strong>{text}</strong>
            ) : isOfAlterations ? (
              <AlterationToast planId={planId} />
            ) : (
              <PlanToast planId={planId} />
            )}
            {more && <div>{more}</div>}
          </div>
          <CloseButton size="sm" aria-label={shellTexts.close} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
