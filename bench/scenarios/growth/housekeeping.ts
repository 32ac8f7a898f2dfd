import type { MeasuredProcess } from '../../processes/measured-process.js';
import { SHORT, shortWorkflow } from '../../workflows/short.js';
import { WAITING, waitingWorkflow } from '../../workflows/waiting.js';
import { type Dimension, flatHeap, type Values } from './dimension.js';
import { cpuOf, finishedOn, heapOf, timed, until } from './nodes.js';
import type { NodeChoice, Place } from './place.js';

/** Rounds begin the work; how fast it goes is for the drains alone. */
const SEEDING: NodeChoice = { runtime: { pollIntervalMs: 2 ** 30 }, file: 'measured/growth/housekeeping' };
const WORKING: NodeChoice = { runtime: { pollIntervalMs: 50 }, file: 'measured/growth/housekeeping' };

interface Removed {
  readonly rows: number;
  readonly beganAt: number;
  readonly endedAt: number;
}

/** What housekeeping removes or recovers: what is over, and what a dead node left. */
export const housekeeping: Dimension = {
  name: 'housekeeping',
  description:
    'Finished instances whose time is over, each with a request key, and expired stimuli, removed side by side by one node; then interrupted bursts of a dead node taken over, and undelivered stimuli of one delivered.',
  unit: 'rows of each kind',
  sizes: [1_000, 10_000, 30_000],
  metrics: {
    retention: { unit: '/s', target: { atLeast: 400 } },
    keys: { unit: '/s', target: { atLeast: 400 } },
    expiry: { unit: '/s', target: { atLeast: 400 } },
    taken_over: { unit: '/s', target: { atLeast: 200 } },
    delivered: { unit: '/s', target: { atLeast: 200 } },
    cpu_per_take_over: { unit: 'ms', target: { times: 1.2 } },
    cpu_per_delivery: { unit: 'ms', target: { times: 1.2 } },
    health_p99: { unit: 'ms', target: { atMost: 250 } },
    heap: flatHeap(10_000),
  },
  run: measure,
};

async function measure(place: Place): Promise<Values> {
  const { size: count } = place;
  const workflows = [shortWorkflow, waitingWorkflow];
  const seeding = await place.startNode({ ...SEEDING, workflows });
  await seeding.call('dispatch', { definitionId: SHORT, count: 1 });
  await seeding.call('dispatch', { definitionId: WAITING, count: 1 });
  const idOf = async (subStatus: string): Promise<string> => {
    await until(async () => (await seeding.call('ids', subStatus)) !== undefined);
    return seeding.call<string>('ids', subStatus);
  };
  const [finishedId, waitingId] = [await idOf('Finished'), await idOf('Suspended')];

  await seeding.call('seedOver', { finishedId, count });
  const removing = await place.startNode({ ...WORKING, workflows });
  const over = await timed([removing], () =>
    until(async () => {
      const removed = await removing.call<Record<string, Removed>>('removed');
      return ['retention', 'keys', 'expiry'].every((kind) => (removed[kind]?.rows ?? 0) >= count);
    }),
  );
  const removed = await removing.call<Record<string, Removed>>('removed');
  const heap = await heapOf([removing]);
  await removing.stop();
  const rate = ({ rows, beganAt, endedAt }: Removed): number => (1000 * rows) / (endedAt - beganAt);

  await seeding.call('seedInterrupted', { waitingId, count });
  const interrupted = (): Promise<number> => seeding.call('instances', { isExecuting: true });
  const taking = await place.startNode({ ...WORKING, workflows });
  const taken = await fromTheFirstOn(taking, async () => count - (await interrupted()), count);

  await taking.call('pause');
  await seeding.call('seedUndelivered', { waitingId, count });
  const before = await finishedOn([taking]);
  await taking.call('resume');
  const delivered = await fromTheFirstOn(taking, async () => (await finishedOn([taking])) - before, count);
  return {
    retention: rate(removed.retention!),
    keys: rate(removed.keys!),
    expiry: rate(removed.expiry!),
    taken_over: (1000 * count) / taken.millis,
    delivered: (1000 * count) / delivered.millis,
    cpu_per_take_over: taken.cpuMillis / count,
    cpu_per_delivery: delivered.cpuMillis / count,
    health_p99: over.health.p99Millis,
    heap,
  };
}

/** From when the first rows were dealt with until all were. */
async function fromTheFirstOn(
  node: MeasuredProcess,
  done: () => Promise<number>,
  count: number,
): Promise<{ millis: number; cpuMillis: number }> {
  await until(async () => (await done()) > 0);
  const begin = performance.now();
  const cpu = await cpuOf([node]);
  await until(async () => (await done()) >= count);
  return { millis: performance.now() - begin, cpuMillis: (await cpuOf([node])) - cpu };
}
