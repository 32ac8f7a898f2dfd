import { useSyncExternalStore } from 'react';
import { session } from './session.js';
import { permissionsIn } from './token-permissions.js';

/** How the user has logged in; of a login that has expired as well. */
export const useAuthorization = (): string | undefined =>
  useSyncExternalStore(session.subscribe, () => session.lastAuthorization);

/**
 * Whether the token of a login allows what needs one of these permissions. Nothing is known of an API key or of the application's own
 * session: true, until the server refuses.
 */
export function isGranted(authorization: string | undefined, permissions: readonly string[]): boolean {
  const granted = authorization?.startsWith('Bearer ') ? permissionsIn(authorization) : undefined;
  return !granted || granted.includes('*') || permissions.some((permission) => granted.includes(permission));
}

/** Whether the user may do what needs one of these permissions, as `isGranted` tells. */
export const useMay = (...permissions: readonly string[]): boolean => isGranted(useAuthorization(), permissions);

/** What most routes about definitions take that change nothing. */
export const READ_DEFINITIONS = ['read:workflow-definitions', 'read:*'] as const;

/** What the routes take that give definitions as files. */
export const EXPORT_DEFINITIONS = 'read:workflow-definitions';

/** What routes about instances take that change nothing. */
export const READ_INSTANCES = 'read:workflow-instances';

/** What routes take that change a task. */
export const WORK_ON_TASKS = ['complete:user-tasks', 'manage:user-tasks'] as const;

/** What routes about the runtime take. */
export const READ_RUNTIME = ['read:workflow-runtime', 'ManageWorkflowRuntime'] as const;
