import type { DefinitionDraft } from '@waymark/runtime';
import type { MeasuredProcess } from '../../processes/measured-process.js';
import { BACKGROUND_OF_MANY, backgroundBranches, backgroundWorkflow } from '../../workflows/background.js';
import { ALL_STORES, type Dimension, type Metric, type Values } from './dimension.js';
import { finishedOn, heapOf, timed, until } from './nodes.js';
import type { Place } from './place.js';

const FILE = 'measured/growth/background';
const WARM_UP = 200;

const metrics: Readonly<Record<string, Metric>> = {
  total: { unit: 'ms', isDrawn: true },
  done: { unit: '/s', isDrawn: true },
  cpu_per_activity: { unit: 'ms', isDrawn: true },
  health_p99: { unit: 'ms', target: { atMost: 250 } },
  heap: { unit: 'MB' },
};

/** One activity in the background each, of many instances. The 17th is the first that has no place of its own. */
export const backgroundOfMany: Dimension = {
  name: 'background-of-many',
  description: 'Dispatched instances with one background activity each, until the last one has finished; one node.',
  unit: 'background activities',
  sizes: [16, 17, 64, 1_000, 10_000],
  databases: ALL_STORES,
  metrics,
  run: (place) => measure(place, [backgroundWorkflow], place.size),
};

/** The same of one instance: each outcome is brought to the same state. */
export const backgroundOfOne: Dimension = {
  name: 'background-of-one',
  description: 'One instance with so many background activities at the same time, until it has finished; one node.',
  unit: 'background activities',
  // 10,000: see issue 12, resuming an instance costs its whole state.
  sizes: [16, 17, 64, 1_000],
  databases: ALL_STORES,
  metrics,
  run: (place) => measure(place, [backgroundWorkflow, backgroundBranches(place.size)], 1),
};

/** @param workflows the last of them is measured @param instances of it */
async function measure(place: Place, workflows: readonly DefinitionDraft[], instances: number): Promise<Values> {
  const { size: activities } = place;
  const { definitionId = '' } = workflows.at(-1)!;
  const node = await place.startNode({ file: FILE, workflows });
  for (let warm = 0; warm < WARM_UP; warm += 10) await finish(node, BACKGROUND_OF_MANY, 10);
  const { millis, cpuMillis, health } = await timed([node], () => finish(node, definitionId, instances));
  return {
    total: millis,
    done: (1000 * activities) / millis,
    cpu_per_activity: cpuMillis / activities,
    health_p99: health.p99Millis,
    heap: await heapOf([node]),
  };
}

/** From the first dispatch until the last instance has finished. */
async function finish(node: MeasuredProcess, definitionId: string, count: number): Promise<void> {
  const before = await finishedOn([node]);
  await node.call('dispatch', { definitionId, count });
  await until(async () => (await finishedOn([node])) - before >= count);
}
