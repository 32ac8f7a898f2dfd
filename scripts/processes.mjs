// Processes of this machine, as Linux shows them below /proc. Elsewhere there are none.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';

const TICKS_PER_SECOND = 100;
export const isShown = existsSync('/proc/self/task');

/** Undefined if it has ended meanwhile. */
function processOf(id) {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
    const end = stat.lastIndexOf(')');
    const fields = stat.slice(end + 2).split(' ');
    const [user, system, ofChildren, systemOfChildren] = fields.slice(11, 15).map(Number);
    return {
      id: Number(id),
      parent: Number(fields[1]),
      name: stat.slice(stat.indexOf('(') + 1, end),
      seconds: (user + system) / TICKS_PER_SECOND,
      secondsOfChildren: (ofChildren + systemOfChildren) / TICKS_PER_SECOND,
      // Another process may get the number of one that has ended.
      startedAt: fields[19],
    };
  } catch {
    return undefined;
  }
}

const numbersIn = (folder) => {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
};

/**
 * `{ id, parent, name, seconds, secondsOfChildren, startedAt }` of each: seconds of the processor since it started, and those of its children
 * that have ended.
 */
export const processes = () => numbersIn('/proc').map(processOf).filter(Boolean);

/** The process itself and all that it has started, directly or not. */
export function familyOf(id, all = processes()) {
  const family = [id];
  // It grows while it is walked.
  for (const one of family) for (const child of all) if (child.parent === one) family.push(child.id);
  return family;
}

/** From now on they have what others leave of the processors. So has what they start later. */
export function lowerPriority(id, niceness) {
  for (const one of familyOf(id))
    for (const thread of numbersIn(`/proc/${one}/task`))
      try {
        os.setPriority(Number(thread), niceness);
      } catch {
        // It has ended meanwhile.
      }
}
