/** What an input cost the process. */
export interface Stall {
  /** Processor time of the longest turn of the event loop, of all threads: what a busy machine takes away does not count. */
  readonly cpuMs: number;
  /** How long that turn, or another one, took by the clock. Of an idle machine it says how long other requests waited. */
  readonly wallMs: number;
  readonly outcome: string;
}

/** Milliseconds between two looks. In every turn they would keep a processor busy while a worker has the work. */
const LOOK_MS = 2;

/**
 * Runs something while a probe looks in at the turns of the event loop: once for short ones that follow each other, and between two looks
 * around a long one nothing else could run, no request, no health check.
 */
export async function stallOf(run: () => unknown): Promise<Stall> {
  let longest = 0;
  let longestWall = 0;
  let last = process.cpuUsage();
  let lastAt = performance.now();
  const look = (): void => {
    const { user, system } = process.cpuUsage(last);
    longest = Math.max(longest, user + system);
    last = process.cpuUsage();
    const now = performance.now();
    longestWall = Math.max(longestWall, now - lastAt);
    lastAt = now;
  };
  await new Promise((resolve) => setImmediate(resolve));
  last = process.cpuUsage();
  lastAt = performance.now();
  const looking = setInterval(look, LOOK_MS);
  let outcome: string;
  try {
    const value = await run();
    outcome = `value of ${typeof value === 'string' ? `${value.length} characters` : typeof value}`;
  } catch (error) {
    const { code, name, message } = error as { code?: string; name: string; message: string };
    outcome = code ?? `${name}: ${message.slice(0, 100)}`;
  }
  look();
  clearInterval(looking);
  return { cpuMs: longest / 1000, wallMs: longestWall, outcome };
}
