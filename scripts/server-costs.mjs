// What servers of databases take of the processors: tests and benchmarks do not start them, so that no step accounts for it.
import { readdirSync, readFileSync } from 'node:fs';

const SERVERS = ['postgres', 'mariadbd', 'mysqld', 'redis-server'];
const TICKS_PER_SECOND = 100;

/** A process that is running; undefined if it has ended meanwhile. */
function processOf(id) {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
    const end = stat.lastIndexOf(')');
    const [user, system, ofChildren, systemOfChildren] = stat
      .slice(end + 2)
      .split(' ')
      .slice(11, 15)
      .map(Number);
    const ticks = user + system + ofChildren + systemOfChildren;
    return { name: stat.slice(stat.indexOf('(') + 1, end), seconds: ticks / TICKS_PER_SECOND };
  } catch {
    return undefined;
  }
}

/** Seconds since they started, by name, with their processes that have ended. Linux alone says so: elsewhere none. */
export function serverSeconds() {
  let ids;
  try {
    ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return {};
  }
  const seconds = {};
  for (const { name, seconds: taken } of ids.map(processOf).filter((each) => each && SERVERS.includes(each.name)))
    seconds[name] = (seconds[name] ?? 0) + taken;
  return seconds;
}

/** What they have taken since, of those that have taken a second. A server that was started meanwhile counts from its start. */
export const secondsSince = (before, now = serverSeconds()) =>
  Object.entries(now)
    .map(([name, seconds]) => ({
      name,
      seconds: seconds >= (before[name] ?? 0) ? seconds - (before[name] ?? 0) : seconds,
    }))
    .filter(({ seconds }) => seconds >= 1);
