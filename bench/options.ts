import path from 'node:path';
import { parseArgs } from 'node:util';

export const SCENARIOS = [
  'http-sync',
  'steps',
  'suspend-resume',
  'encryption',
  'cross-node',
  'growth',
  'start',
  'timers',
  'against',
] as const;
/** What needs nothing else. */
const ALONE = SCENARIOS.filter((name) => name !== 'against');
const TIMER_PARTS = ['one-shot', 'kill', 'crons', 'guarded-crons', 'own-crons', 'sleeping'] as const;
export type ScenarioName = (typeof SCENARIOS)[number];

export const DATABASE_NAMES = ['sqlite', 'mariadb', 'postgres'] as const;
export type DatabaseName = (typeof DATABASE_NAMES)[number];

export interface BenchOptions {
  readonly scenarios: readonly ScenarioName[];
  readonly databases: readonly DatabaseName[];
  readonly concurrency: readonly number[];
  /** Numbers of other waiting instances, for suspend-resume. */
  readonly waiting: readonly number[];
  /** Published definitions of the full host, for start. */
  readonly definitions: number;
  /** Names of dimensions, for growth. Empty: all. */
  readonly dimensions: readonly string[];
  /** For growth, in place of the dimensions' own. */
  readonly sizes: readonly number[] | undefined;
  /** Folder for the curves and tables of growth. */
  readonly output: string;
  /** A `growth.json` of an earlier run, whose curves are drawn as well. */
  readonly before: string | undefined;
  /** Files `growth.json` of runs whose numbers are drawn together. Not empty: nothing is measured. */
  readonly draw: readonly string[];
  readonly rounds: number;
  /** Of one round of one contender; each scenario scales it to its own needs. */
  readonly seconds: number;
  /** How long a contender runs before it is measured: until it had that much processor time, or as long as that. */
  readonly warmUp: { readonly cpuSeconds: number; readonly seconds: number };
  /** Folder for CPU profiles of Waymark's own processes. */
  readonly profile: string | undefined;
  readonly build: boolean;
  readonly timers: TimerSizes;
  /** Folder of another checkout, for against. */
  readonly against: string | undefined;
  /** Parts of names of what against compares. Empty: all. */
  readonly only: readonly string[];
  /** Its numbers mean nothing: it only shows that everything runs. */
  readonly isQuick: boolean;
}

export interface TimerSizes {
  /** Delays that are due within `overSeconds`. */
  readonly count: number;
  readonly overSeconds: number;
  /** Each starts an instance a second. */
  readonly crons: number;
  /** Delays that are due in a month. */
  readonly sleeping: number;
  /** Processes that share the one-shot delays. */
  readonly nodes: number;
  /** `scheduling.concurrency` of the nodes. Undefined: its default. */
  readonly atOnce: number | undefined;
  /** Empty: all. */
  readonly parts: readonly string[];
}

export const USAGE = `npm run bench -- [scenario...] [options]

  scenarios            ${SCENARIOS.join(', ')}; default: all but against
  --quick              a smoke run: one short round; its numbers mean nothing
  --rounds N           measured rounds, of which the median counts (default 3)
  --seconds N          length of a round (default 1)
  --databases a,b      ${DATABASE_NAMES.join(', ')} (memory is always measured); 'none' for memory only
  --concurrency a,b    (default 1,32)
  --waiting a,b        other waiting instances in suspend-resume (default 0,10000); 1000000 takes many minutes to set up
  --definitions N      definitions of the full host in start (default 10000)
  --dimensions a,b     of growth (default: all)
  --sizes a,b          of growth, in place of each dimension's own
  --output DIR         for the curves (SVG) and tables of growth (default data/growth)
  --before FILE        growth.json of an earlier run, drawn as broken lines
  --draw FILE,FILE     measure nothing: join the growth.json of several runs, such as one of each database, in one picture
  --profile DIR        write CPU profiles of Waymark's processes there and print where their time went
  --timers N           delays in timers (default 10000)
  --over N             seconds within which they are due (default 10)
  --crons N            in timers (default 100)
  --sleeping N         in timers (default 10000); 1000000 takes many minutes to set up
  --at-once N          rows that a node of timers fires at the same time (default: that of the option scheduling.concurrency)
  --nodes N            processes that share the one-shot delays of timers (default 1)
  --parts a,b          of timers: ${TIMER_PARTS.join(', ')} (default: all)
  --against DIR        of another checkout with its dependencies, for the scenario against
  --only a,b           what against compares: names with one of these texts (default: all)
  --no-build           measure what was compiled before
`;

/** @throws TypeError with a sentence for the user */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    allowNegative: true,
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      databases: { type: 'string' },
      concurrency: { type: 'string', default: '1,32' },
      waiting: { type: 'string' },
      definitions: { type: 'string' },
      dimensions: { type: 'string', default: '' },
      sizes: { type: 'string' },
      output: { type: 'string', default: 'data/growth' },
      before: { type: 'string' },
      draw: { type: 'string', default: '' },
      profile: { type: 'string' },
      build: { type: 'boolean', default: true },
      timers: { type: 'string' },
      over: { type: 'string' },
      crons: { type: 'string' },
      sleeping: { type: 'string' },
      nodes: { type: 'string' },
      'at-once': { type: 'string' },
      parts: { type: 'string', default: '' },
      against: { type: 'string' },
      only: { type: 'string', default: '' },
    },
  });
  const { quick } = values;
  return {
    scenarios: positionals.length ? positionals.map((name) => oneOf(SCENARIOS, name, 'scenario')) : ALONE,
    databases: list(values.databases ?? DATABASE_NAMES.join())
      .filter((name) => name !== 'none')
      .map((name) => oneOf(DATABASE_NAMES, name, 'database')),
    concurrency: list(values.concurrency).map((n) => number(n, 'concurrency', 1)),
    waiting: list(values.waiting ?? (quick ? '0,200' : '0,10000')).map((n) => number(n, 'waiting', 0)),
    definitions: number(values.definitions ?? (quick ? '200' : '10000'), 'definitions', 1),
    dimensions: list(values.dimensions),
    sizes:
      values.sizes === undefined
        ? undefined
        : list(values.sizes)
            .map((n) => number(n, 'sizes', 1))
            .toSorted((a, b) => a - b),
    output: values.output,
    before: values.before,
    draw: list(values.draw),
    rounds: number(values.rounds ?? (quick ? '1' : '3'), 'rounds', 1),
    seconds: number(values.seconds ?? (quick ? '0.3' : '1'), 'seconds', 0.05),
    warmUp: quick ? { cpuSeconds: 0.1, seconds: 0.4 } : { cpuSeconds: 2, seconds: 6 },
    profile: values.profile,
    build: values.build,
    timers: {
      count: number(values.timers ?? (quick ? '200' : '10000'), 'timers', 1),
      overSeconds: number(values.over ?? (quick ? '2' : '10'), 'over', 1),
      crons: number(values.crons ?? (quick ? '10' : '100'), 'crons', 1),
      sleeping: number(values.sleeping ?? (quick ? '200' : '10000'), 'sleeping', 1),
      nodes: number(values.nodes ?? '1', 'nodes', 1),
      atOnce: values['at-once'] === undefined ? undefined : number(values['at-once'], 'at-once', 1),
      parts: list(values.parts).map((name) => oneOf(TIMER_PARTS, name, 'part')),
    },
    against: values.against === undefined ? undefined : path.resolve(values.against),
    only: list(values.only),
    isQuick: quick,
  };
}

function list(text: string): string[] {
  return text.split(',').filter((item) => item !== '');
}

function oneOf<T extends string>(known: readonly T[], given: string, what: string): T {
  const found = known.find((name) => name === given);
  if (!found) throw new TypeError(`There is no ${what} '${given}'. Choose among: ${known.join(', ')}.`);
  return found;
}

function number(text: string, name: string, least: number): number {
  const value = Number(text);
  if (!(value >= least)) throw new TypeError(`--${name} takes numbers from ${least}, not '${text}'.`);
  return value;
}
