import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import type { BenchDatabase } from './databases.js';

/** What `/proc` counts in on Linux: hundredths of a second. */
const MICROS_OF_TICK = 10_000;

/**
 * Processor time of all processes of a PostgreSQL server on this machine, in microseconds; undefined for any other. Also of what it
 * does for others, and of processes that have ended.
 */
export async function serverCpuMicros({ name, url }: BenchDatabase): Promise<number | undefined> {
  if (name !== 'postgres') return undefined;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const own = await statOf(rows[0]!.pid);
    const [server, running] = [await statOf(own.parent), await childrenOf(own.parent)];
    const ticks = server.ticks + server.ticksOfEnded + running.reduce((sum, each) => sum + each.ticks, 0);
    return MICROS_OF_TICK * ticks;
  } catch {
    return undefined;
  } finally {
    await client.end();
  }
}

interface Stat {
  readonly parent: number;
  readonly ticks: number;
  /** Of children that have ended. */
  readonly ticksOfEnded: number;
}

async function statOf(pid: number): Promise<Stat> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  if (!text.includes('(postgres)')) throw new Error('A process of another machine.');
  return read(text);
}

async function childrenOf(parent: number): Promise<Stat[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  // One may have ended meanwhile.
  const texts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  return texts
    .filter((text) => text !== '')
    .map(read)
    .filter((stat) => stat.parent === parent);
}

function read(text: string): Stat {
  // The name, in brackets, may contain anything.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return { parent: fields[1]!, ticks: fields[11]! + fields[12]!, ticksOfEnded: fields[13]! + fields[14]! };
}
