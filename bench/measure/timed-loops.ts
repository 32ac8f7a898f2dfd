import type { Sample } from './in-turns.js';

/** As many loops as `concurrency` says, each doing one operation after the other until the time is over. */
export async function runLoops(concurrency: number, seconds: number, operation: () => unknown): Promise<Sample> {
  let operations = 0;
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const end = startedAt + seconds * 1000;
  const loop = async (): Promise<void> => {
    while (performance.now() < end) {
      await operation();
      operations++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  const elapsed = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: operations / elapsed, cpuMicros: (user + system) / operations };
}

export interface TimedWork {
  /** How many of what is counted one run is. */
  readonly units: number;
  readonly run: () => unknown;
  /** After each run: checks what it answered, and cleans up. Not counted. */
  readonly after: (result: never) => unknown;
}

/** Runs one after the other. */
export async function runTimed(seconds: number, { units, run, after }: TimedWork): Promise<Sample> {
  let done = 0;
  let millis = 0;
  let cpuMicros = 0;
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const cpu = process.cpuUsage();
    const startedAt = performance.now();
    const answer = run();
    // A synchronous run is not charged for an `await` it does not need.
    const result = answer instanceof Promise ? ((await answer) as unknown) : answer;
    millis += performance.now() - startedAt;
    const { user, system } = process.cpuUsage(cpu);
    cpuMicros += user + system;
    done += units;
    await after(result as never);
  }
  return { perSecond: (done / millis) * 1000, cpuMicros: cpuMicros / done };
}
