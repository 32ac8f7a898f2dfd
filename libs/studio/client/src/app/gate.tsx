import { Fragment, type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { watchWho } from '../api/identity.js';
import { session } from '../api/session.js';
import { config } from './config.js';
import { lazyPart } from '../parts/lazy-part.js';

const Login = lazyPart(() => import('./login.js').then(({ Login: loaded }) => loaded));
const LoginElsewhere = lazyPart(() => import('./login.js').then(({ LoginElsewhere: loaded }) => loaded));
const LoginOnTop = lazyPart(() => import('./login.js').then(({ LoginOnTop: loaded }) => loaded));

// Who logs in to the API is known by that.
if (config.loginUrl !== undefined) watchWho();

// Keys of the pages, such as Escape of a dialog with a form, are not meant for them while the login is on top.
window.addEventListener(
  'keydown',
  (event) => {
    if (!session.isAsked || !(session.expired || session.isShown)) return;
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
  // Of the application's own session; of a login to the API, what has expired is known.
  const elsewhere = isAsked && session.current === undefined ? config.loginUrl : undefined;
  const staysOpen = elsewhere !== undefined && session.isShown;
  if (elsewhere !== undefined && !staysOpen) return <LeaveForLogin url={elsewhere} />;
  if (isAsked && !expired && !staysOpen)
    return (
      <Suspense>
        <Login />
      </Suspense>
    );
  return (
    <>
      <Fragment key={person}>{children}</Fragment>
      {staysOpen && (
        <Suspense>
          <LoginElsewhere url={addressOfLogin(elsewhere)} />
        </Suspense>
      )}
      {isAsked && expired && !staysOpen && (
        <Suspense>
          <LoginOnTop user={expired.kind === 'user' ? expired.name : undefined} />
        </Suspense>
      )}
    </>
  );
}

function LeaveForLogin({ url }: { readonly url: string }) {
  location.assign(addressOfLogin(url));
  return null;
}

/** With the address to come back to. */
function addressOfLogin(url: string): string {
  const target = new URL(url, location.href);
  target.searchParams.set('returnUrl', location.href);
  return target.href;
}
