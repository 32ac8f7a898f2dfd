import { ALL_STORES, type Dimension, type Values } from './dimension.js';
import { timed } from './nodes.js';

const WAYS = [
  'fork',
  'container',
  'cancels',
  'finish',
  'cancelled',
  'cancelled_in_burst',
  'activity_cancelled',
  'failed_cancelled',
  'failed_retried',
  'migrated',
] as const;

/** The first is a warm-up. */
const RUNS = 4;

/** What ends so many branches of one instance that wait, or that have failed: for how long nothing else is served meanwhile. */
export const ends: Dimension = {
  name: 'ends',
  description:
    'One instance of so many branches that wait or have failed, all of which are ended, retried or migrated at once: the processor time of the longest turn of the event loop, the least of four runs. `container` and `cancels` are containers of an application, `cancelled_in_burst` is a cancellation while another activity of the instance runs.',
  unit: 'branches',
  sizes: [1_200, 12_000],
  databases: ALL_STORES,
  metrics: {
    ...Object.fromEntries(WAYS.map((way) => [way, { unit: 'ms', target: { atMost: 250 } }])),
    health_p99: { unit: 'ms', target: { atMost: 250 } },
  },
  async run(place) {
    const node = await place.startNode({ file: 'measured/growth/ends', more: { count: place.size } });
    const values: Record<string, number> = { health_p99: 0 };
    for (const name of WAYS) {
      place.progress(name);
      let millis: number | undefined;
      const { health } = await timed([node], async () => {
        millis = await node.call<number | undefined>('end', { name, runs: RUNS });
      });
      if (millis !== undefined) values[name] = millis;
      // Of all that is done for one way, in which the branches are begun as well.
      values.health_p99 = Math.max(values.health_p99!, health.p99Millis);
    }
    return values satisfies Values;
  },
};
