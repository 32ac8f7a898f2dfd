import type { BenchDatabase } from '../../databases/databases.js';
import { MeasuredProcess, stopAll } from '../../processes/measured-process.js';
import { attempt, type Bench } from '../scenario.js';
import { crons, guardedCrons, ownCrons } from './crons.js';
import { killed } from './killed.js';
import { oneShot } from './one-shot.js';
import { type Place, SCENARIO } from './place.js';
import { sleeping } from './sleeping.js';

type Part = (place: Place) => Promise<void>;

/** How late timers are, whether each comes once, also when a node is killed, and what those cost that are not due. */
export async function timers(bench: Bench): Promise<void> {
  const parts: Readonly<Record<string, Part>> = {
    'one-shot': oneShot,
    kill: killed,
    crons,
    'guarded-crons': guardedCrons,
    'own-crons': ownCrons,
    sleeping,
  };
  for (const [name, part] of Object.entries(parts)) {
    if (bench.options.timers.parts.length > 0 && !bench.options.timers.parts.includes(name)) continue;
    for (const database of bench.databases.fresh())
      await attempt(bench, SCENARIO, `${database.name}, ${name}`, () => on(bench, database, part));
  }
}

async function on(bench: Bench, database: BenchDatabase, part: Part): Promise<void> {
  const nodes: MeasuredProcess[] = [];
  const { url, prefix } = database;
  const { atOnce } = bench.options.timers;
  const runtime = atOnce === undefined ? undefined : { scheduling: { concurrency: atOnce } };
  const start = async (): Promise<MeasuredProcess> => {
    const node = await MeasuredProcess.start('measured/timers', { url, prefix, runtime });
    nodes.push(node);
    return node;
  };
  try {
    await part({ bench, database, start });
  } finally {
    await stopAll(nodes);
  }
}
