import { Fragment, type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { session } from '../api/session.js';
import { config } from './config.js';
import { lazyPart } from '../parts/lazy-part.js';

const Login = lazyPart(() => import('./login.js').then(({ Login: loaded }) => loaded));
const LoginOnTop = lazyPart(() => import('./login.js').then(({ LoginOnTop: loaded }) => loaded));

// Keys of the pages, such as Escape of a dialog with a form, are not meant for them while the login is on top.
window.addEventListener(
  'keydown',
  (event) => {
    if (!session.isAsked || !session.expired) return;
    if (event.key === 'Escape') event.preventDefault();
    if (event.key === 'Escape' || event.ctrlKey || event.metaKey) event.stopImmediatePropagation();
  },
  { capture: true },
);

/**
 * Shows the login in the place of everything as soon as the API asks for credentials; the address stays. When a login has expired, it
 * is on top of the page, on which a form may be half filled in.
 */
export function Gate({ children }: { readonly children: ReactNode }) {
  const isAsked = useSyncExternalStore(session.subscribe, () => session.isAsked);
  const expired = useSyncExternalStore(session.subscribe, () => session.expired);
  const person = useSyncExternalStore(session.subscribe, () => session.person);
  if (isAsked && config.loginUrl !== undefined && session.current === undefined)
    return <LeaveForLogin url={config.loginUrl} />;
  if (isAsked && !expired)
    return (
      <Suspense>
        <Login />
      </Suspense>
    );
  return (
    <>
      <Fragment key={person}>{children}</Fragment>
      {isAsked && expired && (
        <Suspense>
          <LoginOnTop user={expired.kind === 'user' ? expired.name : undefined} />
        </Suspense>
      )}
    </>
  );
}

function LeaveForLogin({ url }: { readonly url: string }) {
  const target = new URL(url, location.href);
  target.searchParams.set('returnUrl', location.href);
  location.assign(target);
  return null;
}
