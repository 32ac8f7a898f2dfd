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

/**
 * The one that a run names. Several may have its id, each in a container of its own: then the one whose way down is in the id of the
 * node, which has the ids of all that it stands in.
 */
export function findNode(all: readonly Found[], id: string, nodeId: string): Found | undefined {
  const candidates = all.filter(({ activity }) => activity.id === id);
  const around = nodeId.split(':');
  const isOnWay = ({ steps }: Found) => {
    let from = 0;
    return steps.every((step) => {
      const at = around.indexOf(step.id, from);
      from = at + 1;
      return at >= 0;
    });
  };
  // The deepest: what is shallow is on more ways.
  return candidates.filter(isOnWay).toSorted((a, b) => b.steps.length - a.steps.length)[0] ?? candidates[0];
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
