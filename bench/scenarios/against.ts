import path from 'node:path';
import { httpContender } from '../load/http-contender.js';
import { type Contender, measureInTurns, median, type Samples, warmUp } from '../measure/in-turns.js';
import { buildBench } from '../processes/build.js';
import { BENCH, MeasuredProcess, stopAll } from '../processes/measured-process.js';
import { QUOTE_REQUEST } from '../workflows/quote.js';
import { IN_MEMORY } from './http-sync.js';
import { attempt, type Bench } from './scenario.js';

const SCENARIO = 'against';
const TARGET = '<= 1.03 x';
/** Processes of one build differ by up to 10 %, since each is compiled anew while it runs: one of each says nothing. */
const PROCESSES = 3;
const CONNECTIONS = 32;

/** The processor time of a request in this build and in another one, in turns: what a change costs. */
export async function against(bench: Bench): Promise<void> {
  const { against: other, build } = bench.options;
  if (!other) return bench.report.notMeasured(SCENARIO, 'http-sync', 'name the other build: --against DIR');
  if (build) await buildBench(other);
  for (const { name, argument } of IN_MEMORY)
    await attempt(bench, SCENARIO, name, () => compare(bench, name, argument, path.join(other, 'bench')));
}

async function compare({ options, report }: Bench, name: string, argument: object, other: string): Promise<void> {
  report.progress(`${SCENARIO}: ${name}`);
  const processes: MeasuredProcess[] = [];
  const start = async (file: string, given: object, root?: string): Promise<MeasuredProcess> => {
    const child = await MeasuredProcess.start(file, given, { root });
    processes.push(child);
    return child;
  };
  try {
    const generator = await start('load/load-generator', {});
    const contenders: Contender[] = [];
    for (let i = 0; i < PROCESSES; i++)
      for (const root of [BENCH, other]) {
        const server = await start('measured/http-workflow', argument, root);
        const url = `${await server.call<string>('url')}${QUOTE_REQUEST}`;
        const load = { generator, url, connections: CONNECTIONS, reset: () => server.call('reset') };
        contenders.push(httpContender(`${root} ${i}`, server, load));
      }
    await warmUp(contenders, options.warmUp);
    const samples = await measureInTurns(contenders, options);
    const cpu = (root: string): number => median(cpuOf(samples, root));
    const ceiling = { name: 'other build', value: cpu(other) };
    report.quotient({ scenario: SCENARIO, variant: name, metric: 'cpu_us', own: cpu(BENCH), ceiling, target: TARGET });
  } finally {
    await stopAll(processes);
  }
}

function cpuOf(samples: Samples, root: string): number[] {
  return [...samples].flatMap(([name, rounds]) =>
    name.startsWith(`${root} `) ? rounds.map(({ cpuMicros }) => cpuMicros ?? 0) : [],
  );
}
