import { useSyncExternalStore } from 'react';
import { session } from './session.js';
import { permissionsIn } from './token-permissions.js';

/**
 * Whether the user may do what needs this permission, as the token of the login says. Nothing is known of an API key or of the
 * application's own session: true, until the server refuses.
 */
export function useMay(permission: string): boolean {
  const authorization = useSyncExternalStore(session.subscribe, () => session.lastAuthorization);
  const granted = authorization?.startsWith('Bearer ') ? permissionsIn(authorization) : undefined;
  return !granted || granted.includes('*') || granted.includes(permission);
}
