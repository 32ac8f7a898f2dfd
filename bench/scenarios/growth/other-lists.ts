import { type Dimension, flatHeap, type Metric, type Values } from './dimension.js';
import { heapOf } from './nodes.js';
import type { Place } from './place.js';

const BY_INDEX: Metric = { target: { times: 3 }, unit: 'ms', isDrawn: true };

/** Lists of everything but instances, as the management API asks the store for them. */
export const otherLists: Dimension = {
  name: 'other-lists',
  description:
    'First pages of 25, with their count where they have one, as the management API asks for them: of each table with so many rows. `version` is the latest of so many versions of one definition, `definitions` are 1,000 others beside them.',
  unit: 'rows of each kind',
  sizes: [1_000, 10_000, 100_000],
  metrics: {
    messages_dead: BY_INDEX,
    few_messages_dead: BY_INDEX,
    stimuli_dead: BY_INDEX,
    bulk_plans: BY_INDEX,
    schedules: BY_INDEX,
    schedules_paused: BY_INDEX,
    timers: BY_INDEX,
    audit: BY_INDEX,
    definitions: BY_INDEX,
    version: BY_INDEX,
    // Its counts end at 10,000.
    overview: { unit: 'ms', isDrawn: true },
    heap: flatHeap(10_000),
  },
  run: measure,
};

async function measure(place: Place): Promise<Values> {
  const more = { count: place.size };
  const node = await place.startNode({ file: 'measured/growth/other-lists', more });
  await node.call('seed');
  return { ...(await node.call<Values>('times')), heap: await heapOf([node]) };
}
