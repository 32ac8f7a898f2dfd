import type { MeasuredProcess } from '../../processes/measured-process.js';
import { ALL_STORES, type Dimension, type Values } from './dimension.js';
import { heapOf, type Timed, timed } from './nodes.js';
import type { Place } from './place.js';

/** One instance with so many branches: all of them wait, and then all of them continue. */
export const branches: Dimension = {
  name: 'branches',
  description:
    'One instance of so many branches, each of which waits and continues: at delays that are due at the same time, and at stimuli that come at the same time. `heap_growth` is what one more instance leaves on the heap.',
  unit: 'branches',
  sizes: [100, 1_000, 10_000],
  databases: ALL_STORES,
  metrics: {
    delays: { unit: 'ms', target: { atMost: 60_000 } },
    delays_cpu: { unit: 'ms', target: { perUnit: 1.5 } },
    stimuli: { unit: 'ms', target: { atMost: 60_000 } },
    stimuli_cpu: { unit: 'ms', target: { perUnit: 1.5 } },
    health_p99: { unit: 'ms' },
    // Holds a definition of so many activities as well.
    heap: { unit: 'MB' },
    heap_growth: { unit: 'MB', target: { atMost: 5 } },
  },
  run: measure,
};

/** Resumes before those that count, and those. Together fewer than the smallest size has branches. */
const RESUMES = { warmUps: 20, resumes: 30 };

/** One instance with so many branches that wait: what it costs to continue with one of them. */
export const oneBranch: Dimension = {
  name: 'one-branch',
  description:
    'One of so many waiting branches of an instance is resumed, in a burst of its own: the cheapest of thirty resumes, since other jobs on the machine only add to it. The state is one text in one row, which each burst writes as a whole; the node that has written it last restores and makes text only of what it touches.',
  unit: 'branches',
  sizes: [100, 500, 2_000, 5_000],
  databases: ALL_STORES,
  metrics: {
    resume_cpu: { unit: 'ms', target: { times: 3 } },
    resume: { unit: 'ms' },
    health_p99: { unit: 'ms', target: { atMost: 250 } },
  },
  async run(place) {
    const node = await place.startNode({ file: 'measured/growth/branches', more: { count: place.size } });
    let resumed = { cpuMillis: 0, millis: 0 };
    const { health } = await timed([node], async () => {
      resumed = await node.call<typeof resumed>('oneByOne', RESUMES);
    });
    return { resume_cpu: resumed.cpuMillis, resume: resumed.millis, health_p99: health.p99Millis };
  },
};

async function measure(place: Place): Promise<Values> {
  const node = await place.startNode({ file: 'measured/growth/branches', more: { count: place.size } });
  const delays = await runOne(node, 'delays');
  const stimuli = await runOne(node, 'stimuli');
  const heap = await heapOf([node]);
  await runOne(node, 'delays');
  return {
    delays: delays.millis,
    delays_cpu: delays.cpuMillis,
    stimuli: stimuli.millis,
    stimuli_cpu: stimuli.cpuMillis,
    health_p99: Math.max(delays.health.p99Millis, stimuli.health.p99Millis),
    heap,
    heap_growth: (await heapOf([node])) - heap,
  };
}

function runOne(node: MeasuredProcess, kind: string): Promise<Timed> {
  return timed([node], async () => void (await node.call(kind)));
}
