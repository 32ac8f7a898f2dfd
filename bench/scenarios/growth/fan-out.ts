import type { MeasuredProcess } from '../../processes/measured-process.js';
import { fanOutWorkflow } from '../../workflows/fan-out.js';
import { type Dimension, flatHeap, type Values } from './dimension.js';
import { finishedOn, heapOf, type Timed, timed, until } from './nodes.js';
import type { Place } from './place.js';

const HEAP_MB = 256;
const NODES = 2;
const WARM_UP = 1_000;
/** Twice on each node: measured cold, the first thousand that are handed over cost twice what the fifth does. */
const WARM_UPS = 2;
/** The default of `fanOutLimit`: an event for no more is resumed by the node that publishes it, without messages. */
const FAN_OUT_LIMIT = 100;
/** Small sizes are repeated until so many were resumed: a single event of 200 says nothing about the cost of each. */
const LEAST = 2_000;

interface Pace {
  readonly sizes: readonly number[];
  /** Events for each node before it is measured. */
  readonly warmUps: number;
  /** Instances that one of them resumes. */
  readonly warmUp: number;
  /** Instances that are resumed by each measurement, at least. */
  readonly least: number;
}

const PACE: Pace = { sizes: [200, 1_000, 10_000], warmUps: WARM_UPS, warmUp: WARM_UP, least: LEAST };

/** One event that so many instances wait for, sent on one node, which is alone, and which has another one beside it. */
export const fanOut = fanOutOver('fan-out', 1_000, { sizes: [200, 1_000, 10_000, 30_000] });
export const fanOutLarge = fanOutOver('fan-out-large', 100_000, { warmUp: 200 });
/** All states together are forty times the heap: none may be kept. */
export const fanOutHuge = fanOutOver('fan-out-huge', 1_000_000, { warmUps: 1, warmUp: 20, least: 1 });

function fanOutOver(name: string, bytes: number, given: Partial<Pace> = {}): Dimension {
  const pace = { ...PACE, ...given };
  const ofEach = `${bytes / 1000} kB`;
  return {
    name,
    description:
      `One event for many waiting instances with a state of ${ofEach} each, sent to one node of one and of two with a heap ` +
      `of ${HEAP_MB} MB each, until the last instance has finished. An event for ${FAN_OUT_LIMIT} is resumed by the node that ` +
      'publishes it (direct), those beyond from the outbox (handed over): each has a cost of its own.',
    unit: 'waiting instances',
    sizes: pace.sizes,
    metrics: {
      by_one: { unit: '/s', isDrawn: true },
      by_two: { unit: '/s', isDrawn: true },
      two_to_one: { unit: 'x' },
      share_of_second: { unit: '%' },
      cpu_per_instance: { unit: 'ms' },
      cpu_per_direct: { unit: 'ms' },
      cpu_per_handed_over: { unit: 'ms', target: { times: 1.2 } },
      handed_over_to_direct: { unit: 'x', target: { atMost: 1.3 } },
      answered: { unit: 'ms' },
      health_p99: { unit: 'ms', target: { atMost: 250 } },
      heap: flatHeap(1_000),
    },
    run: (place) => measure(place, bytes, pace),
  };
}

interface Sent extends Timed {
  /** Instances of all events together. */
  readonly instances: number;
  /** Until the publisher had its answer, of the event that took longest. */
  readonly answered: number;
}

async function measure(place: Place, bytes: number, { warmUps, warmUp, least }: Pace): Promise<Values> {
  const { size } = place;
  const choice = {
    file: 'measured/growth/fan-out',
    workflows: [fanOutWorkflow],
    more: { bytes },
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
  };
  const [first, second] = (await place.startNodes(NODES, choice)) as [MeasuredProcess, MeasuredProcess];
  for (let round = 0; round < warmUps; round++)
    for (const node of [first, second]) await warmUpAlone(node, node === first ? second : first, warmUp);
  await second.call('pause');
  place.progress('without messages');
  const direct = await send(first, [first], FAN_OUT_LIMIT, least);
  place.progress('one node');
  const byOne = await send(first, [first], size, least);
  const heap = await heapOf([first]);
  await second.call('resume');
  place.progress('two nodes');
  const before = await finishedOn([second]);
  const byTwo = await send(first, [first, second], size, least);
  const share = ((await finishedOn([second])) - before) / byTwo.instances;
  const rate = ({ millis, instances }: Sent): number => (1000 * instances) / millis;
  const cpu = ({ cpuMillis, instances }: Sent): number => cpuMillis / instances;
  const beyond = size - FAN_OUT_LIMIT;
  const handedOver = (cpu(byOne) * size - cpu(direct) * FAN_OUT_LIMIT) / beyond;
  return {
    by_one: rate(byOne),
    by_two: rate(byTwo),
    two_to_one: rate(byTwo) / rate(byOne),
    share_of_second: 100 * share,
    cpu_per_instance: cpu(byOne),
    cpu_per_direct: cpu(direct),
    ...(beyond > 0 && { cpu_per_handed_over: handedOver, handed_over_to_direct: handedOver / cpu(direct) }),
    answered: byOne.answered,
    health_p99: Math.max(byOne.health.p99Millis, byTwo.health.p99Millis),
    heap,
  };
}

/** The other one takes no work meanwhile: it would do half of it, and be as cold as before. */
async function warmUpAlone(node: MeasuredProcess, other: MeasuredProcess, count: number): Promise<void> {
  await other.call('pause');
  await sendOne(node, [node], count);
  await other.call('resume');
}

/** Events for so many each, one after the other. */
async function send(to: MeasuredProcess, by: readonly MeasuredProcess[], count: number, least: number): Promise<Sent> {
  const sent: Sent[] = [];
  for (let left = least; left > 0; left -= count) sent.push(await sendOne(to, by, count));
  const sum = (of: (one: Sent) => number): number => sent.reduce((total, one) => total + of(one), 0);
  const worst = (of: (one: Sent) => number): number => Math.max(...sent.map(of));
  return {
    millis: sum(({ millis }) => millis),
    cpuMillis: sum(({ cpuMillis }) => cpuMillis),
    instances: sum(({ instances }) => instances),
    answered: worst(({ answered }) => answered),
    health: {
      p50Millis: worst(({ health }) => health.p50Millis),
      p99Millis: worst(({ health }) => health.p99Millis),
      longestMillis: worst(({ health }) => health.longestMillis),
    },
  };
}

/** From the event until the last of them has finished. */
async function sendOne(to: MeasuredProcess, by: readonly MeasuredProcess[], count: number): Promise<Sent> {
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
  return { ...all, answered, instances: count };
}
