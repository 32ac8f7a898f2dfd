import path from 'node:path';
import { median } from '../measure/in-turns.js';
import { buildHost } from '../processes/build.js';
import { BENCH, MeasuredProcess } from '../processes/measured-process.js';
import { measureStart, type Start } from '../processes/started-server.js';
import type { Bench } from './scenario.js';

const SCENARIO = 'start';
const HOST = path.join(BENCH, '../dist/main.js');
const BARE = path.join(BENCH, 'dist/ceilings/bare-application.js');
/** More than elsewhere: a start is short, and a single one says little. */
const EXTRA_ROUNDS = 2;

export async function start(bench: Bench): Promise<void> {
  const { options, report, databases } = bench;
  if (options.build) await buildHost();
  report.progress(`${SCENARIO}: storing ${options.definitions} definitions`);
  const full = `${options.definitions.toLocaleString('en')} definitions`;
  const servers = [
    { name: 'bare application', file: BARE, url: `sqlite:${databases.file('start-bare.db')}` },
    { name: 'empty', file: HOST, url: `sqlite:${databases.file('start-empty.db')}` },
    { name: full, file: HOST, url: `sqlite:${databases.file('start-full.db')}` },
  ] as const;
  await seed(servers[2].url, options.definitions);
  report.progress(`${SCENARIO}: bare application, empty host, host with ${full}`);
  const starts = new Map<string, Start[]>(servers.map(({ name }) => [name, []]));
  const once = ({ file, url }: (typeof servers)[number]): Promise<Start> => measureStart(file, { DATABASE_URL: url });
  // The warm-up creates the tables and fills the file cache: measured is the start of an application that was there before.
  for (const server of servers) await once(server);
  const rounds = options.rounds === 1 ? 1 : options.rounds + EXTRA_ROUNDS;
  for (let round = 0; round < rounds; round++)
    for (const server of servers) starts.get(server.name)!.push(await once(server));
  tell(bench, starts, full);
}

function tell({ report }: Bench, starts: ReadonlyMap<string, readonly Start[]>, full: string): void {
  const metrics = [
    { metric: 'start_ms', of: (s: Start) => s.startMillis, target: '<= 2 x' },
    { metric: 'start_cpu_ms', of: (s: Start) => s.cpuMillis, target: '<= 2 x' },
    { metric: 'resident_MB', of: (s: Start) => s.residentMegabytes, target: '<= 1.5 x' },
  ];
  for (const { metric, of, target } of metrics) {
    const value = (name: string): number => median(starts.get(name)!.map(of));
    report.value(SCENARIO, 'bare application', metric, value('bare application'));
    const quotient = (variant: string, ceiling: string, goal: string): void =>
      report.quotient({
        scenario: SCENARIO,
        variant,
        metric,
        own: value(variant),
        ceiling: { name: ceiling, value: value(ceiling) },
        target: goal,
      });
    quotient('empty', 'bare application', target);
    quotient(full, 'empty', '<= 1.5 x');
  }
}

async function seed(url: string, count: number): Promise<void> {
  const child = await MeasuredProcess.start('measured/seed-definitions', { url, count });
  try {
    const published = await child.call<number>('seed');
    if (published !== count) throw new Error(`${published} definitions are published, not ${count}.`);
  } finally {
    await child.stop();
  }
}
