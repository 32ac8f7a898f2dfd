import type { ActivityJson } from '../../api/definitions.js';
import type { Design } from './change.js';
import type { ActivityCatalogue } from './descriptors.js';
import { levelAt, type Step } from './level.js';
import { isActivity, slotsOf } from './ports.js';
import { isTransition, labelOfTransition, transitionId } from './state-machine.js';

export interface Found {
  readonly activity: ActivityJson;
  /** The level that shows it. */
  readonly steps: readonly Step[];
  /** Names of what it stands in. */
  readonly trail: readonly string[];
}

/** Every activity of a definition with the way to it. */
export function findAll(design: Design, catalogue: ActivityCatalogue): Found[] {
  const found: Found[] = [];
  const visit = (steps: readonly Step[], trail: readonly string[]) => {
    const { activities, connections } = levelAt(design, steps);
    for (const activity of activities) {
      found.push({ activity, steps, trail });
      for (const slot of slotsOf(activity, catalogue.of(activity)))
        if (slot.isFilled)
          visit([...steps, { id: activity.id, slot: slot.path }], [...trail, activity.name || activity.id]);
    }
    for (const { index, json } of connections.filter(isTransition))
      for (const slot of ['trigger', 'action'] as const)
        if (isActivity(json[slot]))
          visit([...steps, { id: transitionId(index), slot: [slot] }], [...trail, labelOfTransition(json) || slot]);
  };
  visit([], []);
  return found;
}
