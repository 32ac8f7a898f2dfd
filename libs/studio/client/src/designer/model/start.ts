import type { ActivityJson } from '../../api/definitions.js';
import type { ActivityCatalogue } from './descriptors.js';
import type { Level } from './level.js';

/** The activity that a level begins with, as the engine finds it: Start, a trigger, the first that no connection leads to. */
export function startOf(
  { kind, content, activities, connections }: Level,
  catalogue: ActivityCatalogue,
): string | undefined {
  if (kind === 'machine') return (activities.find(({ isInitial }) => isInitial) ?? activities[0])?.id;
  if (kind !== 'flowchart') return activities[0]?.id;
  const targets = new Set(connections.map(({ target }) => target));
  return (
    activities.find(({ id }) => id === content?.start) ??
    activities.find((activity) => catalogue.of(activity)?.isStart) ??
    activities.find(canStart) ??
    activities.find(({ id }) => !targets.has(id)) ??
    activities[0]
  )?.id;
}

const canStart = ({ customProperties }: ActivityJson): boolean =>
  (customProperties as { canStartWorkflow?: unknown } | undefined)?.canStartWorkflow === true;
