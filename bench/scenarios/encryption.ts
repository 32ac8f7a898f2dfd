import type { BenchDatabase } from '../databases/databases.js';
import { httpContender } from '../load/http-contender.js';
import { type Contender, measureInTurns, type Sample, warmUp } from '../measure/in-turns.js';
import { MeasuredProcess, stopAll } from '../processes/measured-process.js';
import { profiled } from '../profile/profiled.js';
import { QUOTE_REQUEST } from '../workflows/quote.js';
import type { LoopRequest } from '../workflows/suspend-resume-calls.js';
import { attempt, type Bench } from './scenario.js';

const SCENARIO = 'encryption';
const WARM_UP_CONCURRENCY = 8;

/** One workload, done by a process with keys and an encrypted variable, and by one with neither. */
interface Workload {
  readonly name: string;
  readonly unit: string;
  readonly file: string;
  readonly target?: string;
  /** How a running process is measured. */
  contender(name: string, process: MeasuredProcess, generator: MeasuredProcess): Promise<AtConcurrency>;
}

type AtConcurrency = (concurrency: number) => Contender;

const WORKLOADS: readonly Workload[] = [
  {
    name: 'suspend-resume',
    unit: 'workflows',
    file: 'measured/suspend-resume',
    target: '>= 80 %',
    contender: async (name, process) => (concurrency) => ({
      name,
      measure: (seconds) => process.call<Sample>('run', { concurrency, seconds } satisfies LoopRequest),
    }),
  },
  {
    name: 'http-sync',
    unit: 'requests',
    file: 'measured/http-workflow',
    async contender(name, process, generator) {
      const url = `${await process.call<string>('url')}${QUOTE_REQUEST}`;
      const reset = () => process.call('reset');
      return (connections) => httpContender(name, process, { generator, url, connections, reset });
    },
  },
];

/** What it costs to store one variable encrypted, beside the same workflow that stores it plain. */
export async function encryption(bench: Bench): Promise<void> {
  for (const workload of WORKLOADS) {
    await attempt(bench, SCENARIO, `${workload.name}, memory`, () => compare(bench, workload, undefined));
    for (const database of bench.databases.fresh())
      await attempt(bench, SCENARIO, `${workload.name}, ${database.name}`, () => compare(bench, workload, database));
  }
}

async function compare(bench: Bench, workload: Workload, database: BenchDatabase | undefined): Promise<void> {
  const { options, report } = bench;
  const where = `${workload.name}, ${database?.name ?? 'memory'}`;
  report.progress(`${SCENARIO}: ${where}`);
  const processes: MeasuredProcess[] = [];
  const start = async (file: string, argument: object): Promise<MeasuredProcess> => {
    const child = await MeasuredProcess.start(file, argument);
    processes.push(child);
    return child;
  };
  try {
    const generator = await start('load/load-generator', {});
    const contenderOf = async (name: string, isEncrypted: boolean): Promise<AtConcurrency> => {
      const argument = { ...(database && apart(database, name)), journal: true, isEncrypted };
      return workload.contender(name, await start(workload.file, argument), generator);
    };
    const both = [await contenderOf('encrypted', true), await contenderOf('plain', false)];
    const at = (concurrency: number): Contender[] => both.map((contender) => contender(concurrency));
    await warmUp(at(WARM_UP_CONCURRENCY), options.warmUp);
    await profiled(options.profile, `${SCENARIO}-${where}`, processes.slice(1), async () => {
      for (const concurrency of options.concurrency) {
        const samples = await measureInTurns(at(concurrency), options);
        const variant = `${where} c${concurrency}`;
        const ceiling = { name: 'plain', variant: `plain ${variant}`, samples: samples.get('plain')! };
        const own = samples.get('encrypted')!;
        const { unit, target } = workload;
        report.comparison({ scenario: SCENARIO, variant, unit, own, ceiling, target });
      }
    });
  } finally {
    await stopAll(processes);
  }
}

/** Tables of its own and, on SQLite, a file of its own: two writers of one file would wait for each other. */
function apart({ name, url, prefix }: BenchDatabase, who: string): { url: string; prefix: string } {
  return { url: name === 'sqlite' ? `${url}.${who}` : url, prefix: `${prefix}${who}_` };
}
