import type { MeasuredProcess } from '../../processes/measured-process.js';
import { fanOutWorkflow } from '../../workflows/fan-out.js';
import type { Dimension, Values } from './dimension.js';
import { finishedOn, heapOf, type Timed, timed, until } from './nodes.js';
import type { Place } from './place.js';

const HEAP_MB = 256;
const NODES = 2;
const WARM_UP = 200;

/** One event that so many instances wait for, sent on one node, which is alone, and which has another one beside it. */
export const fanOut = fanOutOver('fan-out', 1_000);
export const fanOutLarge = fanOutOver('fan-out-large', 100_000);

function fanOutOver(name: string, bytes: number): Dimension {
  const ofEach = `${bytes / 1000} kB`;
  return {
    name,
    description: `One event for many waiting instances with a state of ${ofEach} each, sent to one node of one and of two with a heap of ${HEAP_MB} MB each, until the last instance has finished.`,
    unit: 'waiting instances',
    sizes: [100, 1_000, 10_000],
    metrics: {
      by_one: { unit: '/s', isDrawn: true },
      by_two: { unit: '/s', isDrawn: true },
      two_to_one: { unit: 'x' },
      share_of_second: { unit: '%' },
      cpu_per_instance: { unit: 'ms', target: { times: 1.2 } },
      answered: { unit: 'ms' },
      health_p99: { unit: 'ms', target: { atMost: 250 } },
      heap: { unit: 'MB', target: { flatAbove: 1_000, times: 1.2 } },
    },
    run: (place) => measure(place, bytes),
  };
}

interface Sent extends Timed {
  /** Until the publisher had its answer. */
  readonly answered: number;
}

async function measure(place: Place, bytes: number): Promise<Values> {
  const choice = {
    file: 'measured/growth/fan-out',
    workflows: [fanOutWorkflow],
    more: { bytes },
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
  };
  const [first, second] = (await place.startNodes(NODES, choice)) as [MeasuredProcess, MeasuredProcess];
  for (const node of [first, second]) await send(node, [first, second], WARM_UP);
  place.progress('one node');
  await second.call('pause');
  const byOne = await send(first, [first], place.size);
  const heap = await heapOf([first]);
  await second.call('resume');
  place.progress('two nodes');
  const before = await finishedOn([second]);
  const byTwo = await send(first, [first, second], place.size);
  const share = ((await finishedOn([second])) - before) / place.size;
  const rate = ({ millis }: Timed): number => (1000 * place.size) / millis;
  return {
    by_one: rate(byOne),
    by_two: rate(byTwo),
    two_to_one: byOne.millis / byTwo.millis,
    share_of_second: 100 * share,
    cpu_per_instance: byOne.cpuMillis / place.size,
    answered: byOne.answered,
    health_p99: Math.max(byOne.health.p99Millis, byTwo.health.p99Millis),
    heap,
  };
}

/** From the event until the last of them has finished. */
async function send(to: MeasuredProcess, by: readonly MeasuredProcess[], count: number): Promise<Sent> {
  await to.call('seed', count);
  const before = await finishedOn(by);
  let answered = 0;
  const all = await timed(by, async () => {
    const begin = performance.now();
    await to.call<number>('publish');
    answered = performance.now() - begin;
    await until(async () => (await finishedOn(by)) - before >= count);
  });
  const { waiting, deadLetters } = await to.call<{ waiting: number; deadLetters: number }>('outbox');
  if (waiting + deadLetters > 0) throw new Error(`${waiting} messages are left, ${deadLetters} dead letters.`);
  return { ...all, answered };
}
