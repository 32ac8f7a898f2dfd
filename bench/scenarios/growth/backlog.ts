import type { MeasuredProcess } from '../../processes/measured-process.js';
import { CALLING, callingWorkflow } from '../../workflows/calling.js';
import { SHORT, shortWorkflow } from '../../workflows/short.js';
import { type Dimension, flatHeap, type Values } from './dimension.js';
import { finishedOn, heapOf, type Timed, timed, until } from './nodes.js';
import type { NodeChoice, Place } from './place.js';

/** As many as a node keeps in memory, so that none of them goes through the poll. */
const AT_ONCE = 1_000;
const DIRECT_WAVES = 4;
const WARM_UP_WAVES = 2;
const NODES = 3;
/** By each node that has not dispatched, before anything is measured: as many as the first has served by then. */
const WARM_BACKLOG = AT_ONCE * DIRECT_WAVES;

/** Starts that a killed node left in the outbox, drained by one node and by three, against direct dispatch when idle. */
export const backlog: Dimension = {
  name: 'backlog',
  description:
    'Dispatched starts that a killed node left, served by one node and by three; beside it direct dispatch to a node that has nothing else to do.',
  unit: 'waiting starts',
  sizes: [1_000, 10_000, 30_000],
  metrics: {
    direct: { unit: '/s', isDrawn: true },
    drained_by_one: { unit: '/s', isDrawn: true },
    drained_by_three: { unit: '/s', isDrawn: true },
    share_of_direct: { unit: '%', target: { atLeast: 80 } },
    three_to_one: { unit: 'x', target: { atLeast: 1 } },
    direct_cpu_per_start: { unit: 'ms' },
    cpu_per_start: { unit: 'ms', target: { times: 1.2 } },
    // Of all three nodes: on a machine that has other work to do, it tells more than their rate.
    three_cpu_per_start: { unit: 'ms' },
    health_p99: { unit: 'ms', target: { atMost: 250 } },
    heap: flatHeap(10_000),
  },
  run: (place) => measure(place, SHORT, { workflows: [shortWorkflow] }),
};

/** The same for starts that mostly wait: the processors are idle, so that a second and a third node can help on any machine. */
export const backlogOfCalls: Dimension = {
  ...backlog,
  name: 'backlog-calls',
  description: `${backlog.description} Each start waits 50 ms for another service.`,
  sizes: [1_000, 10_000, 20_000],
  metrics: { ...backlog.metrics, three_to_one: { unit: 'x', target: { atLeast: 2 } } },
  run: (place) => measure(place, CALLING, { workflows: [callingWorkflow], file: 'measured/growth/calling' }),
};

async function measure(place: Place, definitionId: string, choice: NodeChoice): Promise<Values> {
  const nodes = await place.startNodes(NODES, choice);
  for (const node of nodes) for (let wave = 0; wave < WARM_UP_WAVES; wave++) await direct(node, definitionId, AT_ONCE);
  const waves: Timed[] = [];
  for (let wave = 0; wave < DIRECT_WAVES; wave++) waves.push(await direct(nodes[0]!, definitionId, AT_ONCE));
  const sum = (of: (wave: Timed) => number): number => waves.reduce((total, wave) => total + of(wave), 0);
  const directly = AT_ONCE * DIRECT_WAVES;
  const directRate = (1000 * directly) / sum(({ millis }) => millis);
  // Each alone: the first has served more than the others by then, and three of which two are cold would be compared with a warm one.
  for (const node of nodes.slice(1)) await drain(place, definitionId, nodes, [node], WARM_BACKLOG);
  const byOne = await drain(place, definitionId, nodes, nodes.slice(0, 1));
  const heap = await heapOf(nodes.slice(0, 1));
  const byThree = await drain(place, definitionId, nodes, nodes);
  const rate = ({ millis }: Timed): number => (1000 * place.size) / millis;
  return {
    direct: directRate,
    drained_by_one: rate(byOne),
    drained_by_three: rate(byThree),
    share_of_direct: (100 * rate(byOne)) / directRate,
    three_to_one: byOne.millis / byThree.millis,
    direct_cpu_per_start: sum(({ cpuMillis }) => cpuMillis) / directly,
    cpu_per_start: byOne.cpuMillis / place.size,
    three_cpu_per_start: byThree.cpuMillis / place.size,
    health_p99: Math.max(byOne.health.p99Millis, byThree.health.p99Millis),
    heap,
  };
}

/** From the first dispatch until the last instance has finished. */
async function direct(node: MeasuredProcess, definitionId: string, count: number): Promise<Timed> {
  const before = await finishedOn([node]);
  return timed([node], async () => {
    await node.call('dispatch', { definitionId, count });
    await until(async () => (await finishedOn([node])) - before >= count);
  });
}

/** From the moment on at which these nodes take work, until the last instance has finished. */
async function drain(
  place: Place,
  definitionId: string,
  all: readonly MeasuredProcess[],
  by: readonly MeasuredProcess[],
  count = place.size,
): Promise<Timed> {
  await Promise.all(all.map((node) => node.call('pause')));
  const dead = await place.startNode({ file: 'measured/growth/backlog' });
  await dead.call('leave', { definitionId, count });
  await dead.kill();
  const before = await finishedOn(by);
  const drained = await timed(by, async () => {
    await Promise.all(by.map((node) => node.call('resume')));
    await until(async () => (await finishedOn(by)) - before >= count);
  });
  const { waiting, deadLetters } = await by[0]!.call<{ waiting: number; deadLetters: number }>('outbox');
  if (waiting + deadLetters > 0) throw new Error(`${waiting} messages are left, ${deadLetters} dead letters.`);
  return drained;
}
