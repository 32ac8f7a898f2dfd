import { type Contender, measureInTurns, type Sample, warmUp } from '../measure/in-turns.js';
import { MeasuredProcess, stopAll } from '../processes/measured-process.js';
import { profiled } from '../profile/profiled.js';
import { attempt, type Bench } from './scenario.js';

const SCENARIO = 'steps';
const WITHOUT_JOURNAL = '>= 25 %';
const WITH_JOURNAL = '>= 10 %';
const HISTORY = 100_000;
/** There is no request or disk to wait for, so that short rounds say as much. */
const PART_OF_A_ROUND = 0.5;

interface Variant {
  readonly name: string;
  readonly file: string;
  readonly argument: unknown;
  readonly target?: string;
}

interface Group {
  readonly name: string;
  readonly unit: string;
  readonly ceiling: Variant;
  readonly variants: readonly Variant[];
}

const GROUPS: readonly Group[] = [
  {
    name: 'steps',
    unit: 'steps',
    ceiling: { name: 'plain loop, awaited', file: 'ceilings/plain-loop', argument: { awaited: true } },
    variants: [
      { name: 'engine, journal', file: 'measured/engine-steps', argument: { journal: true }, target: WITH_JOURNAL },
      {
        name: 'engine, no journal',
        file: 'measured/engine-steps',
        argument: { journal: false },
        target: WITHOUT_JOURNAL,
      },
      {
        name: 'runtime in memory, journal',
        file: 'measured/runtime-steps',
        argument: { journal: true },
        target: WITH_JOURNAL,
      },
      {
        name: 'runtime in memory, no journal',
        file: 'measured/runtime-steps',
        argument: { journal: false },
        target: WITH_JOURNAL,
      },
      { name: 'plain loop, synchronous', file: 'ceilings/plain-loop', argument: { awaited: false } },
    ],
  },
  {
    name: 'resumes',
    unit: 'resumes',
    ceiling: { name: 'fresh instance', file: 'measured/resume-steps', argument: { history: 0 } },
    variants: [
      {
        name: `resume, ${HISTORY.toLocaleString('en')} activities behind it`,
        file: 'measured/resume-steps',
        argument: { history: HISTORY },
        target: '>= 83 %',
      },
    ],
  },
  {
    name: 'compilations',
    unit: 'compilations',
    ceiling: { name: 'JSON.parse of the text', file: 'measured/compile-flowchart', argument: { compiled: false } },
    variants: [
      {
        name: 'flowchart of 10,000 activities',
        file: 'measured/compile-flowchart',
        argument: { compiled: true },
        target: '>= 0.5 /s',
      },
    ],
  },
  {
    name: 'expressions',
    unit: 'evaluations',
    ceiling: { name: 'bare QuickJS call', file: 'ceilings/quickjs-call', argument: {} },
    variants: [
      { name: 'JavaScript expression', file: 'measured/javascript-expression', argument: { sandboxOnly: false } },
      {
        name: 'JavaScript expression, in the sandbox',
        file: 'measured/javascript-expression',
        argument: { sandboxOnly: true },
        target: '>= 50 %',
      },
      {
        name: 'JavaScript expression, in a worker thread',
        file: 'measured/javascript-expression',
        argument: { sandboxOnly: true, sandbox: 'worker', atOnce: 1 },
      },
      {
        name: 'JavaScript expression, in worker threads, 8 at once',
        file: 'measured/javascript-expression',
        argument: { sandboxOnly: true, sandbox: 'worker', atOnce: 8 },
      },
    ],
  },
];

export async function steps(bench: Bench): Promise<void> {
  for (const group of GROUPS) await attempt(bench, SCENARIO, group.name, () => compare(bench, group));
}

/** Each variant has a process of its own, so that none runs on what another one made the compiler assume. */
async function compare(bench: Bench, { unit, ceiling, variants }: Group): Promise<void> {
  const { options, report } = bench;
  const processes = new Map<Variant, MeasuredProcess>();
  try {
    for (const variant of [ceiling, ...variants])
      await attempt(bench, SCENARIO, variant.name, async () => {
        processes.set(variant, await MeasuredProcess.start(variant.file, variant.argument));
      });
    const contenders = [...processes].map(([{ name }, child]): Contender => ({
      name,
      measure: (seconds) => child.call<Sample>('run', seconds),
    }));
    await warmUp(contenders, options.warmUp);
    const own = [...processes].filter(([{ file }]) => file.startsWith('measured/')).map(([, child]) => child);
    await profiled(options.profile, `${SCENARIO}-${unit}`, own, async () => {
      const samples = await measureInTurns(contenders, { ...options, seconds: options.seconds * PART_OF_A_ROUND });
      const of = { name: ceiling.name, variant: ceiling.name, samples: samples.get(ceiling.name)! };
      for (const { name, target } of variants) {
        const measured = samples.get(name);
        if (measured)
          report.comparison({ scenario: SCENARIO, variant: name, unit, own: measured, ceiling: of, target });
      }
    });
  } finally {
    await stopAll([...processes.values()]);
  }
}
