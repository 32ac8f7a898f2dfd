import type { DefinitionProblem } from '../../api/designs.js';
import type { Design } from './change.js';
import type { Found } from './find.js';
import { isActivity } from './ports.js';

/**
 * The way to what a problem is about. A definition may have hundreds of problems: the activities are put in order once for all of them.
 * @param all every activity of the definition, as `findAll` gives them
 */
export function problemFinder(
  design: Design,
  all: readonly Found[],
): (problem: DefinitionProblem) => Found | undefined {
  const byId = new Map<string, Found[]>();
  for (const found of all) {
    const same = byId.get(found.activity.id);
    if (same) same.push(found);
    else byId.set(found.activity.id, [found]);
  }
  return ({ activityId = '', path }) => {
    const candidates = byId.get(activityId) ?? [];
    if (candidates.length < 2 || path === undefined) return candidates[0];
    // Ids are unique in their container only.
    const named = activityAt(design, path, activityId);
    return candidates.find(({ activity }) => activity === named) ?? candidates[0];
  };
}

/** The deepest activity of that id on the way to a place such as `root.activities[0].text`. */
function activityAt(design: Design, path: string, id: string): unknown {
  let at: unknown = design;
  let found: unknown;
  for (const key of path.split(/[.[\]]+/).filter(Boolean)) {
    if (typeof at !== 'object' || at === null) break;
    at = (at as Readonly<Record<string, unknown>>)[key];
    if (isActivity(at) && at.id === id) found = at;
  }
  return found;
}
