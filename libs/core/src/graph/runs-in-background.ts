import type { ActivityNode } from './activity-node.js';

/** A `Job` always, a `Task` when the definition or else its class says so; nothing else. */
export function runsInBackground({ registration, customProperties }: ActivityNode): boolean {
  const { kind, runAsynchronously } = registration.descriptor;
  if (kind === 'Job') return true;
  return kind === 'Task' && ((customProperties.runAsynchronously as boolean | undefined) ?? runAsynchronously);
}
