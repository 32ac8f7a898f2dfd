import { isDeepStrictEqual } from 'node:util';
import type { BenchDatabase } from '../databases/databases.js';
import { httpContender } from '../load/http-contender.js';
import { type Contender, measureInTurns, type Samples, warmUp } from '../measure/in-turns.js';
import { MeasuredProcess, stopAll } from '../processes/measured-process.js';
import { profiled } from '../profile/profiled.js';
import { QUOTE_ANSWER, QUOTE_REQUEST } from '../workflows/quote.js';
import { attempt, type Bench } from './scenario.js';

const SCENARIO = 'http-sync';
const TARGET = '>= 40 %';
const WARM_UP_CONNECTIONS = 8;
/** A request runs through several times the code of the other scenarios before it is compiled. */
const WARM_UP_FACTOR = 2;

interface Server {
  readonly name: string;
  readonly file: string;
  readonly argument: object;
  readonly target?: string;
}

interface RunningServer extends Server {
  readonly process: MeasuredProcess;
  readonly url: string;
}

/** One ceiling and the servers that are measured beside it. */
interface Group {
  readonly name: string;
  readonly ceiling: Server;
  readonly own: readonly Server[];
}

const FILE = 'measured/http-workflow';

export const IN_MEMORY: readonly Server[] = [
  // These are persisted, if only in memory: instance and journal can be looked at afterwards.
  { name: 'memory', file: FILE, argument: { journal: true } },
  { name: 'memory, no journal', file: FILE, argument: { journal: false } },
  { name: 'not persisted', file: FILE, argument: { journal: true, isForgotten: true }, target: TARGET },
  { name: 'not persisted, no journal', file: FILE, argument: { journal: false, isForgotten: true }, target: TARGET },
  { name: 'in code, memory', file: FILE, argument: { journal: true, inCode: true } },
  {
    name: 'in code, not persisted, no journal',
    file: FILE,
    argument: { journal: false, inCode: true, isForgotten: true },
    target: TARGET,
  },
];

export async function httpSync(bench: Bench): Promise<void> {
  for (const group of [inMemory(), ...bench.databases.fresh().map(onDatabase)])
    await attempt(bench, SCENARIO, group.name, () => compare(bench, group));
}

function inMemory(): Group {
  return {
    name: 'memory',
    ceiling: { name: 'bare controller', file: 'ceilings/bare-controller', argument: {} },
    own: IN_MEMORY,
  };
}

function onDatabase({ name, url, prefix }: BenchDatabase): Group {
  // On SQLite the ceiling has a file of its own: two processes that write one file would wait for each other.
  const ceiling = { url: name === 'sqlite' ? `${url}.hand` : url, prefix: `${prefix}hand_` };
  return {
    name,
    ceiling: { name: 'insert controller', file: 'ceilings/insert-controller', argument: ceiling },
    own: [{ name, file: 'measured/http-workflow', argument: { url, prefix, journal: true } }],
  };
}

async function compare(bench: Bench, group: Group): Promise<void> {
  const { options, report } = bench;
  report.progress(`${SCENARIO}: ${group.name} against ${group.ceiling.name}`);
  const processes: MeasuredProcess[] = [];
  const start = async (file: string, argument: object): Promise<MeasuredProcess> => {
    const child = await MeasuredProcess.start(file, argument);
    processes.push(child);
    return child;
  };
  try {
    const generator = await start('load/load-generator', {});
    const servers: RunningServer[] = [];
    for (const server of [group.ceiling, ...group.own]) {
      const child = await start(server.file, server.argument);
      const url = `${await child.call<string>('url')}${QUOTE_REQUEST}`;
      await checkAnswer(url);
      servers.push({ ...server, process: child, url });
    }
    const contenders = (connections: number): Contender[] => servers.map((s) => contender(s, generator, connections));
    const { cpuSeconds, seconds } = options.warmUp;
    await warmUp(contenders(WARM_UP_CONNECTIONS), { cpuSeconds: cpuSeconds * WARM_UP_FACTOR, seconds });
    const own = servers.slice(1).map((s) => s.process);
    await profiled(options.profile, `${SCENARIO}-${group.name}`, own, async () => {
      for (const connections of options.concurrency)
        tell(bench, group, connections, await measureInTurns(contenders(connections), options));
    });
  } finally {
    await stopAll(processes);
  }
}

function contender(
  { name, file, process, url }: RunningServer,
  generator: MeasuredProcess,
  connections: number,
): Contender {
  const reset = file === 'measured/http-workflow' ? () => process.call('reset') : undefined;
  return httpContender(name, process, { generator, url, connections, reset });
}

function tell({ report }: Bench, group: Group, connections: number, samples: Samples): void {
  const { name: of } = group.ceiling;
  const ceiling = { name: of, variant: `${of} for ${group.name} c${connections}`, samples: samples.get(of)! };
  for (const { name, target } of group.own) {
    const variant = `${name} c${connections}`;
    report.comparison({ scenario: SCENARIO, variant, unit: 'requests', own: samples.get(name)!, ceiling, target });
  }
}

/** A subject that answers something else does other work, and its numbers say nothing. */
async function checkAnswer(url: string): Promise<void> {
  const response = await fetch(url);
  const text = await response.text();
  if (!response.ok || !isDeepStrictEqual(JSON.parse(text), QUOTE_ANSWER))
    throw new Error(`${url} answers ${response.status} ${text}`);
}
