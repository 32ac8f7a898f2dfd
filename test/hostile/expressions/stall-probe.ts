/** What an input cost the process. */
export interface Stall {
  /** Processor time of the longest turn of the event loop, of all threads: what a busy machine takes away does not count. */
  readonly cpuMs: number;
  /** How long that turn, or another one, took by the clock. Of an idle machine it says how long other requests waited. */
  readonly wallMs: number;
  readonly outcome: string;
}

/**
 * Runs something while a probe looks in at every turn of the event loop: between two looks nothing else could run, no
 * request, no health check.
 */
export async function stallOf(run: () => unknown): Promise<Stall> {
  let longest = 0;
  let isOver = false;
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
  const turn = (): void => {
    look();
    if (!isOver) setImmediate(turn);
  };
  await new Promise((resolve) => setImmediate(resolve));
  last = process.cpuUsage();
  lastAt = performance.now();
  setImmediate(turn);
  let outcome: string;
  try {
    const value = await run();
    outcome = `value of ${typeof value === 'string' ? `${value.length} characters` : typeof value}`;
  } catch (error) {
    const { code, name, message } = error as { code?: string; name: string; message: string };
    outcome = code ?? `${name}: ${message.slice(0, 100)}`;
  }
  look();
  isOver = true;
  return { cpuMs: longest / 1000, wallMs: longestWall, outcome };
}
