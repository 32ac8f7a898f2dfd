import { loadavg } from 'node:os';
import { httpContender } from '../load/http-contender.js';
import { type Contender, measureInTurns, median, type Sample, type Samples, warmUp } from '../measure/in-turns.js';
import { quantile } from '../measure/timed-loops.js';
import { buildBench, lendBench } from '../processes/build.js';
import { BENCH, MeasuredProcess, stopAll } from '../processes/measured-process.js';
import { profiled } from '../profile/profiled.js';
import type { LoopRequest } from '../workflows/suspend-resume-calls.js';
import { QUOTE_REQUEST } from '../workflows/quote.js';
import { type Subject, subjectsOf } from './against-subjects.js';
import { attempt, type Bench } from './scenario.js';

const SCENARIO = 'against';
const TARGET = '<= 1.03 x';
/** Processes of one build differ by up to 10 %, since each is compiled anew while it runs: one of each says nothing. */
const PROCESSES = 3;
const CONCURRENCY = 32;

/** The processor time of an operation in this build and in another one, in turns: what a change costs. */
export async function against(bench: Bench): Promise<void> {
  const { against: other, build, only } = bench.options;
  if (!other) return bench.report.notMeasured(SCENARIO, 'all', 'name the other build: --against DIR');
  if (build) await buildBench(other);
  const root = await lendBench(other);
  const subjects = subjectsOf(bench.databases);
  for (const subject of subjects)
    if (only.length === 0 || only.some((text) => subject.name.includes(text)))
      await attempt(bench, SCENARIO, subject.name, () => compare(bench, subject, root));
}

async function compare({ options, report }: Bench, subject: Subject, other: string): Promise<void> {
  const { name } = subject;
  report.progress(`${SCENARIO}: ${name}`);
  report.value(SCENARIO, name, 'load', loadavg()[0]!);
  const processes: MeasuredProcess[] = [];
  const start = async (file: string, given: object, root?: string): Promise<MeasuredProcess> => {
    const child = await MeasuredProcess.start(file, given, { root });
    processes.push(child);
    return child;
  };
  try {
    const generator = subject.isServer ? await start('load/load-generator', {}) : undefined;
    const contenders: Contender[] = [];
    const own: MeasuredProcess[] = [];
    for (let i = 0; i < PROCESSES; i++)
      for (const root of [BENCH, other]) {
        const child = await start(subject.file, subject.argument(`${i}${root === BENCH ? 'a' : 'b'}`), root);
        if (root === BENCH) own.push(child);
        contenders.push(await contenderOf(`${root} ${i}`, subject, child, generator));
      }
    await warmUp(contenders, options.warmUp);
    await profiled(options.profile, `${SCENARIO}-${name}`, own.slice(0, 1), async () =>
      tell({ options, report }, subject, await measureInTurns(contenders, options), other),
    );
  } finally {
    await stopAll(processes);
  }
}

async function contenderOf(
  name: string,
  { isServer, isLoop }: Subject,
  child: MeasuredProcess,
  generator: MeasuredProcess | undefined,
): Promise<Contender> {
  if (isServer) {
    const url = `${await child.call<string>('url')}${QUOTE_REQUEST}`;
    const load = { generator: generator!, url, connections: CONCURRENCY, reset: () => child.call('reset') };
    return httpContender(name, child, load);
  }
  const given = (seconds: number): unknown =>
    isLoop ? ({ concurrency: CONCURRENCY, seconds } satisfies LoopRequest) : seconds;
  return { name, measure: (seconds) => child.call<Sample>('run', given(seconds)) };
}

/** The means of the processes' medians, and of their least values: what else the machine does only ever adds to them. */
function tell({ report }: Pick<Bench, 'options' | 'report'>, { name }: Subject, samples: Samples, other: string): void {
  const quotient = (metric: string, pick: (sample: Sample) => number | undefined, of: typeof median): void => {
    const [own, ceiling] = [BENCH, other].map((root) => meanOf(samples, root, pick, of));
    if (own === undefined || ceiling === undefined) return;
    const target = metric === 'least_cpu_us' ? TARGET : undefined;
    report.quotient({
      scenario: SCENARIO,
      variant: name,
      metric,
      own,
      ceiling: { name: 'other build', value: ceiling },
      target,
    });
  };
  quotient('cpu_us', ({ cpuMicros }) => cpuMicros, median);
  quotient('tenth_cpu_us', ({ cpuMicros }) => cpuMicros, tenth);
  quotient(
    'least_cpu_us',
    ({ cpuMicros }) => cpuMicros,
    (values) => Math.min(...values),
  );
  quotient(
    'fast_us',
    ({ fastMicros }) => fastMicros,
    (values) => Math.min(...values),
  );
}

/** Most of the other rounds have met another job. Of few rounds it is the least. */
const tenth = (values: readonly number[]): number => quantile(values, 0.1);

function meanOf(
  samples: Samples,
  root: string,
  pick: (sample: Sample) => number | undefined,
  of: (values: readonly number[]) => number,
): number | undefined {
  const each = [...samples]
    .filter(([name]) => name.startsWith(`${root} `))
    .map(([, rounds]) => rounds.map(pick).filter((value) => value !== undefined))
    .filter(({ length }) => length > 0)
    .map(of);
  return each.length === 0 ? undefined : each.reduce((sum, value) => sum + value, 0) / each.length;
}
