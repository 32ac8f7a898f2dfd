import type { BenchDatabase } from '../databases/databases.js';
import { type Contender, measureInTurns, type Sample, warmUp } from '../measure/in-turns.js';
import { MeasuredProcess, stopAll } from '../processes/measured-process.js';
import { profiled } from '../profile/profiled.js';
import type { LoopRequest, StateSample } from '../workflows/suspend-resume-calls.js';
import { attempt, type Bench } from './scenario.js';

const SCENARIO = 'suspend-resume';
const TARGET = '>= 80 %';
/** With one at a time there is nothing to share a transaction with. */
const TARGET_FROM_CONCURRENCY = 32;
const AMONG_OTHERS_TARGET = '<= 1.2 x';
/** More would measure the collector of a heap that no process has. */
const MOST_IN_MEMORY = 100_000;
const OWN = 'own';
/** The same without a neighbour, in turns with it: what else the machine does meets both. */
const ALONE = 'alone';
const WITHOUT_JOURNAL = 'no journal';
const CEILING = 'hand-written';
const WARM_UP_CONCURRENCY = 8;
const PART_OF_A_ROUND = 0.8;

/** Where the instances are, and how many others wait there. */
interface Place {
  readonly name: string;
  /** Absent: in memory, which has no ceiling. */
  readonly database?: BenchDatabase;
  readonly waiting: number;
}

export async function suspendResume(bench: Bench): Promise<void> {
  for (const waiting of bench.options.waiting) {
    const places: Place[] = waiting <= MOST_IN_MEMORY ? [{ name: 'memory', waiting }] : [];
    for (const database of bench.databases.fresh()) places.push({ name: database.name, database, waiting });
    for (const place of places) await attempt(bench, SCENARIO, place.name, () => compare(bench, place));
  }
}

async function compare({ options, report }: Bench, place: Place): Promise<void> {
  const { name, waiting } = place;
  report.progress(`${SCENARIO}: ${name}, ${waiting} other instances`);
  const processes = new Map<string, MeasuredProcess>();
  try {
    await startAll(place, processes, (sample) =>
      report.value(SCENARIO, `${name}, ${waiting} others`, 'state_bytes', sample),
    );
    await warmUp(contendersOf(processes, WARM_UP_CONCURRENCY), options.warmUp);
    await profiled(options.profile, `${SCENARIO}-${name}-${waiting}`, [processes.get(OWN)!], () =>
      measure({ options, report }, place, processes),
    );
  } finally {
    await stopAll([...processes.values()]);
  }
}

async function startAll(
  { database, waiting }: Place,
  processes: Map<string, MeasuredProcess>,
  tellSize: (bytes: number) => void,
): Promise<void> {
  const start = async (name: string, file: string, argument: object): Promise<MeasuredProcess> => {
    const child = await MeasuredProcess.start(file, argument);
    processes.set(name, child);
    if (name !== ALONE) await child.call('seed', waiting);
    return child;
  };
  const own = await start(OWN, 'measured/suspend-resume', { ...database, journal: true });
  if (database) {
    const sample = await own.call<StateSample>('sample');
    tellSize(sample.waiting.length);
    await start(CEILING, 'ceilings/two-transactions', { ...apart(database, 'hand'), sample });
  }
  if (waiting > 0)
    await start(ALONE, 'measured/suspend-resume', { ...(database && apart(database, 'alone')), journal: true });
  // Tells what the journal costs; once is enough.
  if (waiting === 0)
    await start(WITHOUT_JOURNAL, 'measured/suspend-resume', {
      ...(database && apart(database, 'quiet')),
      journal: false,
    });
}

async function measure(
  { options, report }: Pick<Bench, 'options' | 'report'>,
  { name: where, waiting }: Place,
  processes: ReadonlyMap<string, MeasuredProcess>,
): Promise<void> {
  const among = waiting ? `, among ${waiting.toLocaleString('en')}` : '';
  for (const concurrency of options.concurrency) {
    const rounds = { ...options, seconds: options.seconds * PART_OF_A_ROUND };
    const samples = await measureInTurns(contendersOf(processes, concurrency), rounds);
    const variant = `${where} c${concurrency}${among}`;
    const byHand = samples.get(CEILING);
    const ceiling = byHand && { name: CEILING, variant: `${CEILING} ${variant}`, samples: byHand };
    const tell = (own: string, full: string, target?: string): void => {
      const measured = samples.get(own);
      if (measured)
        report.comparison({ scenario: SCENARIO, variant: full, unit: 'workflows', own: measured, ceiling, target });
    };
    tell(OWN, variant, ceiling && concurrency >= TARGET_FROM_CONCURRENCY ? TARGET : undefined);
    tell(WITHOUT_JOURNAL, `${variant}, ${WITHOUT_JOURNAL}`);
    const alone = samples.get(ALONE);
    if (alone)
      report.times({ scenario: SCENARIO, variant, own: samples.get(OWN)!, alone, target: AMONG_OTHERS_TARGET });
  }
}

function contendersOf(processes: ReadonlyMap<string, MeasuredProcess>, concurrency: number): Contender[] {
  return [...processes].map(([name, child]) => ({
    name,
    measure: (seconds) => child.call<Sample>('run', { concurrency, seconds } satisfies LoopRequest),
  }));
}

/** Tables of its own and, on SQLite, a file of its own: two writers of one file would wait for each other. */
function apart({ name, url, prefix }: BenchDatabase, who: string): { url: string; prefix: string } {
  return { url: name === 'sqlite' ? `${url}.${who}` : url, prefix: `${prefix}${who}_` };
}
