import type { Sample } from './in-turns.js';

/** As many loops as `concurrency` says, each doing one operation after the other until the time is over. */
export async function runLoops(concurrency: number, seconds: number, operation: () => unknown): Promise<Sample> {
  const millis: number[] = [];
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const end = startedAt + seconds * 1000;
  const loop = async (): Promise<void> => {
    for (let begun = performance.now(); begun < end;) {
      await operation();
      const now = performance.now();
      millis.push(now - begun);
      begun = now;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  const elapsed = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const operations = millis.length;
  return {
    perSecond: operations / elapsed,
    cpuMicros: (user + system) / operations,
    p50Millis: quantile(millis, 0.5),
  };
}

/** @param part 0.5 for the median */
export function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]!;
}

export interface TimedWork {
  /** How many of what is counted one run is. */
  readonly units: number;
  readonly run: () => unknown;
  /** After each run: checks what it answered, and cleans up. Not counted. */
  readonly after: (result: never) => unknown;
}

/**
 * Runs one after the other. The rate is that of the median run, since a run is shorter than a turn of the scheduler: most
 * runs are whole even when another job has the processor now and then. The fastest tenth tells what a quiet machine would.
 */
export async function runTimed(seconds: number, { units, run, after }: TimedWork): Promise<Sample> {
  const runs: number[] = [];
  let cpuMicros = 0;
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const cpu = process.cpuUsage();
    const startedAt = performance.now();
    const answer = run();
    // A synchronous run is not charged for an `await` it does not need.
    const result = answer instanceof Promise ? ((await answer) as unknown) : answer;
    runs.push(performance.now() - startedAt);
    const { user, system } = process.cpuUsage(cpu);
    cpuMicros += user + system;
    await after(result as never);
  }
  runs.sort((a, b) => a - b);
  const unitMicros = (part: number): number => (runs[Math.floor(runs.length * part)]! * 1000) / units;
  return {
    perSecond: 1e6 / unitMicros(0.5),
    cpuMicros: cpuMicros / (runs.length * units),
    fastMicros: unitMicros(0.1),
  };
}
