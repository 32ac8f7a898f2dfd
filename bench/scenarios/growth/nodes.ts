import { type Health, HealthProbe } from '../../measure/health-probe.js';
import type { MeasuredProcess } from '../../processes/measured-process.js';

const LOOK_MILLIS = 20;
/** Of the time at most: where rows are counted, looking must not be what is measured, and be the slower the more there are. */
const LOOK_SHARE = 1 / 20;
const LONGEST_PAUSE_MILLIS = 2_000;

export interface Timed {
  readonly millis: number;
  /** Of all these nodes together. */
  readonly cpuMillis: number;
  readonly health: Health;
}

/** What the task costs these nodes, and how they answer others meanwhile. */
export async function timed(nodes: readonly MeasuredProcess[], task: () => Promise<void>): Promise<Timed> {
  const probe = new HealthProbe(await Promise.all(nodes.map((node) => node.call<string>('url'))));
  try {
    const cpu = await cpuOf(nodes);
    const begin = performance.now();
    await task();
    const millis = performance.now() - begin;
    const cpuMillis = (await cpuOf(nodes)) - cpu;
    return { millis, cpuMillis, health: await probe.end() };
  } finally {
    probe.abort();
  }
}

/** Milliseconds of processor time since they started. */
export async function cpuOf(nodes: readonly MeasuredProcess[]): Promise<number> {
  const used = await Promise.all(nodes.map((node) => node.call<NodeJS.CpuUsage>('cpu')));
  return used.reduce((sum, { user, system }) => sum + (user + system) / 1000, 0);
}

/** Megabytes after a collection: of the node that keeps most. */
export async function heapOf(nodes: readonly MeasuredProcess[]): Promise<number> {
  return Math.max(...(await Promise.all(nodes.map((node) => node.call<number>('heap')))));
}

/** Instances that finished on these nodes since they started. */
export async function finishedOn(nodes: readonly MeasuredProcess[]): Promise<number> {
  const counts = await Promise.all(nodes.map((node) => node.call<number>('finished')));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** @throws when it takes longer than `seconds` */
export async function until(isDone: () => Promise<boolean>, seconds = 600): Promise<void> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const begin = performance.now();
    if (await isDone()) return;
    if (performance.now() > end) throw new Error(`Not done after ${seconds} s.`);
    const looked = performance.now() - begin;
    const pause = Math.min(Math.max(LOOK_MILLIS, looked * (1 / LOOK_SHARE - 1)), LONGEST_PAUSE_MILLIS);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
