/** What one contender did in one round. */
export interface Sample {
  readonly perSecond: number;
  /** Processor time of the measured process per operation, in microseconds; where it says something. */
  readonly cpuMicros?: number;
  /** Time per operation of the fastest tenth, where a round has many short runs: nearly that of a machine at rest. */
  readonly fastMicros?: number;
  /** Median time of an operation in milliseconds, waiting included; where operations are timed one by one. */
  readonly p50Millis?: number;
  /** 99th percentile in milliseconds, where the load generator knows it. */
  readonly p99Millis?: number;
}

export interface Contender {
  readonly name: string;
  measure(seconds: number): Promise<Sample>;
}

export interface Rounds {
  readonly rounds: number;
  readonly seconds: number;
}

const WARM_UP_ROUND_SECONDS = 0.4;

/**
 * Runs each until it has had so much processor time, since that is what makes the compiler optimise it: on a busy machine
 * a fixed time would leave the one with more code half warm.
 */
export async function warmUp(
  contenders: readonly Contender[],
  limits: { cpuSeconds: number; seconds: number },
): Promise<void> {
  for (const contender of contenders) {
    const end = performance.now() + limits.seconds * 1000;
    for (let spent = 0; spent < limits.cpuSeconds && performance.now() < end;) {
      const { perSecond, cpuMicros = 0 } = await contender.measure(WARM_UP_ROUND_SECONDS);
      spent += (perSecond * WARM_UP_ROUND_SECONDS * cpuMicros) / 1e6;
    }
  }
}

export type Samples = ReadonlyMap<string, readonly Sample[]>;

/**
 * Measures all contenders in each round, one right after the other, so that what else the machine does meets own and
 * ceiling alike. Every other round runs backwards: no subject always follows the slowest.
 */
export async function measureInTurns(contenders: readonly Contender[], { rounds, seconds }: Rounds): Promise<Samples> {
  const samples = new Map<string, Sample[]>(contenders.map((c) => [c.name, []]));
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? contenders : contenders.toReversed();
    for (const contender of order) samples.get(contender.name)!.push(await contender.measure(seconds));
  }
  return samples;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function medianOf(samples: readonly Sample[], pick: (sample: Sample) => number | undefined): number | undefined {
  const values = samples.map(pick).filter((value) => value !== undefined);
  return values.length ? median(values) : undefined;
}

/**
 * Own part of the ceiling: the median of the rounds' own quotients, not the quotient of two medians, which may come from
 * different moments of the machine.
 */
export function shareOf(own: readonly Sample[], ceiling: readonly Sample[]): number {
  return median(own.map((sample, round) => sample.perSecond / ceiling[round]!.perSecond));
}

/** The same by time per operation: 0.5 means that an operation takes twice that of the ceiling. */
export function timeShareOf(
  own: readonly Sample[],
  ceiling: readonly Sample[],
  time: 'cpuMicros' | 'fastMicros' | 'p50Millis',
): number | undefined {
  if (own.some((s) => !s[time]) || ceiling.some((s) => !s[time])) return undefined;
  return median(own.map((sample, round) => ceiling[round]![time]! / sample[time]!));
}
