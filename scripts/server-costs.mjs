// What no step accounts for: servers of databases, which tests and benchmarks do not start, and browsers, whose processes nobody waits for.
import { processes } from './processes.mjs';

const SERVERS = ['postgres', 'mariadbd', 'mysqld', 'redis-server'];
/** Chromium's own and those of its pages. */
const BROWSERS = /^(?:chrom|headless_shell)/;

/** Seconds since they started, by name, with their processes that have ended. Linux alone says so: elsewhere none. */
export function serverSeconds() {
  const seconds = {};
  for (const { name, seconds: own, secondsOfChildren } of processes())
    if (SERVERS.includes(name)) seconds[name] = (seconds[name] ?? 0) + own + secondsOfChildren;
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

/**
 * Counts what browsers take from now on: their processes come and go, so that it looks at them each second.
 * @param look the processes that are there
 * @returns looks once more, ends, and answers with their seconds
 */
export function countBrowsers(look = processes) {
  const taken = new Map();
  const before = new Map();
  const count = (into) => {
    for (const { id, name, seconds, startedAt } of look())
      if (BROWSERS.test(name)) into.set(`${id} ${startedAt}`, seconds);
  };
  // Those that run already are another one's, up to now.
  count(before);
  const timer = setInterval(() => count(taken), 1000);
  // It keeps no process alive.
  timer.unref();
  return () => {
    clearInterval(timer);
    count(taken);
    return [...taken].reduce((sum, [key, seconds]) => sum + seconds - (before.get(key) ?? 0), 0);
  };
}
