import { type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { session } from '../api/session.js';
import { config } from './config.js';
import { lazyPart } from '../parts/lazy-part.js';

const Login = lazyPart(() => import('./login.js').then(({ Login: loaded }) => loaded));

/** Shows the login in the place of everything as soon as the API asks for credentials; the address stays. */
export function Gate({ children }: { readonly children: ReactNode }) {
  const isAsked = useSyncExternalStore(session.subscribe, () => session.isAsked);
  if (!isAsked) return children;
  if (config.loginUrl !== undefined && session.current === undefined) return <LeaveForLogin url={config.loginUrl} />;
  return (
    <Suspense>
      <Login />
    </Suspense>
  );
}

function LeaveForLogin({ url }: { readonly url: string }) {
  const target = new URL(url, location.href);
  target.searchParams.set('returnUrl', location.href);
  location.assign(target);
  return null;
}
