import type { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/** Applications of this process that use a store: where several were given the same one, it is closed with the last of them. */
const users = new WeakMap<WorkflowPersistence, Set<object>>();

/** Notes that an application uses a store. */
export function beginUse(store: WorkflowPersistence, user: object): void {
  const known = users.get(store) ?? new Set();
  users.set(store, known.add(user));
}

/** Notes that an application does not use a store any more. @returns whether no other one does */
export function endUse(store: WorkflowPersistence, user: object): boolean {
  const known = users.get(store);
  known?.delete(user);
  return !known?.size;
}
