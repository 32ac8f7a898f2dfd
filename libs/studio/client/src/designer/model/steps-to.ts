import type { Design } from './change.js';
import { getAt, type Path } from './json-path.js';
import { activityPath, type Level, levelAt, type Step } from './level.js';
import { isActivity } from './ports.js';
import { isMachine, isTransition, transitionId } from './state-machine.js';

/** Members of a container that are seen when it is opened itself. */
const OWN: ReadonlySet<unknown> = new Set(['activities', 'connections', 'states', 'transitions']);

/** The way down to the level on which what stands at a path is seen, as far as it is still there. */
export function stepsTo(design: Design, path: Path): Step[] {
  const steps: Step[] = [];
  for (;;) {
    const level = levelAt(design, steps);
    // It did not lead down: what was there is gone.
    if (level.steps.length < steps.length) return [...level.steps];
    const step = stepOn(design, level, path);
    if (!step) return steps;
    steps.push(step);
  }
}

function stepOn(design: Design, level: Level, path: Path): Step | undefined {
  const ids = [
    ...level.activities.map(({ id }) => id),
    ...level.connections.filter(isTransition).map(({ index }) => transitionId(index)),
  ];
  for (const id of ids) {
    const own = activityPath(level, id);
    if (!own || !startsWith(path, own)) continue;
    const inner = path.slice(own.length);
    const found = getAt(design, own);
    const isContainer = isActivity(found) && (Array.isArray(found.activities) || isMachine(found));
    if (isContainer && own.length > level.path.length && OWN.has(inner[0])) return { id, slot: [] };
    for (let length = 1; length <= inner.length; length++) {
      const slot = inner.slice(0, length);
      if (isActivity(getAt(design, [...own, ...slot]))) return { id, slot };
    }
  }
  return undefined;
}

const startsWith = (path: Path, start: Path): boolean => start.every((key, index) => path[index] === key);
