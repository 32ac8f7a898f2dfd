import type { WorkflowClock } from '../clock/workflow-clock.js';
import type { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/**
 * How long an application may take to start once its store is ready. When a later hook of its start throws, Nest notifies no provider: an application that is
 * not up by then has failed, or is slow, and is noted again when it is up.
 */
const STARTING_MS = 60_000;

interface Use {
  readonly clock: WorkflowClock;
  /** When its store was ready, while other parts of the application start. Undefined: it is being made ready, or the application is up. */
  startingSince?: number;
}

/** Applications of this process that use a store: where several were given the same one, it is closed with the last of them. */
const users = new WeakMap<WorkflowPersistence, Map<object, Use>>();

/** Notes that an application uses a store, and what of those before it has failed. */
export function beginUse(store: WorkflowPersistence, user: object, clock: WorkflowClock): void {
  const known = users.get(store) ?? new Map<object, Use>();
  for (const [other, use] of known) if (leftMs(use) === 0) known.delete(other);
  users.set(store, known.set(user, { clock }));
}

/** Notes that the store is ready. */
export function storeIsReady(store: WorkflowPersistence, user: object): void {
  const use = users.get(store)?.get(user);
  if (use) use.startingSince = use.clock.monotonic();
}

/** Notes that an application does not use a store any more. */
export function endUse(store: WorkflowPersistence, user: object): void {
  users.get(store)?.delete(user);
}

/**
 * When a store may be closed that an application has used, in milliseconds: 0 if no other uses it. Infinity: another one does, and closes
 * it. What lies between is left to one that starts, unless that fails.
 */
export function usedForMs(store: WorkflowPersistence): number {
  const known = users.get(store);
  return known ? Math.max(0, ...[...known.values()].map(leftMs)) : Infinity;
}

/** Notes that a store is being closed. */
export function forgetUsers(store: WorkflowPersistence): void {
  users.delete(store);
}

function leftMs({ clock, startingSince }: Use): number {
  return startingSince === undefined ? Infinity : Math.max(0, startingSince + STARTING_MS - clock.monotonic());
}
