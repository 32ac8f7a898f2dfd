import { SHORT, shortWorkflow } from '../../workflows/short.js';
import { STUCK, stuckWorkflow } from '../../workflows/stuck.js';
import { type Dimension, flatHeap, type Values } from './dimension.js';
import { finishedOn, heapOf, timed, until } from './nodes.js';
import type { Place } from './place.js';

const LIMIT = 2;
/** As many as a node keeps in memory, so that none of them goes through the poll. */
const DIRECT = 1_000;
const BEHIND = 2_000;

/** Dispatched starts behind those of a definition that is at its limit: they must not wait for its places. */
export const limited: Dimension = {
  name: 'limited',
  description:
    'Dispatched starts that a killed node left behind those of a definition at its limit (dispatchLimits), served by one node: how fast the limited ones get out of the way, and the rate of the others from then on, against direct dispatch.',
  unit: 'starts of the limited definition',
  sizes: [1_000, 10_000, 30_000],
  metrics: {
    direct: { unit: '/s', isDrawn: true },
    moved_aside: { unit: '/s', isDrawn: true, target: { atLeast: 400 } },
    behind: { unit: '/s', isDrawn: true },
    share_of_direct: { unit: '%', target: { atLeast: 80 } },
    health_p99: { unit: 'ms', target: { atMost: 250 } },
    heap: flatHeap(10_000),
  },
  run: measure,
};

async function measure(place: Place): Promise<Values> {
  const node = await place.startNode({
    file: 'measured/growth/limited',
    workflows: [shortWorkflow, stuckWorkflow],
    runtime: { dispatchLimits: { [STUCK]: LIMIT } },
  });
  const finished = (): Promise<number> => finishedOn([node]);
  const direct = async (): Promise<number> => {
    const before = await finished();
    const { millis } = await timed([node], async () => {
      await node.call('dispatch', { definitionId: SHORT, count: DIRECT });
      await until(async () => (await finished()) - before >= DIRECT);
    });
    return (1000 * DIRECT) / millis;
  };
  // To warm it up.
  await direct();
  const directRate = await direct();

  await node.call('pause');
  const dead = await place.startNode({ file: 'measured/growth/backlog' });
  await dead.call('leave', { definitionId: STUCK, count: place.size });
  await dead.call('leave', { definitionId: SHORT, count: BEHIND });
  await dead.kill();
  const before = await finished();
  let movedMillis = 0;
  const all = await timed([node], async () => {
    const begin = performance.now();
    await node.call('resume');
    await until(async () => (await finished()) > before);
    movedMillis = performance.now() - begin;
    await until(async () => (await finished()) - before >= BEHIND);
  });
  const heap = await heapOf([node]);
  // It would wait for those that hold the places.
  await node.kill();
  const rate = (1000 * BEHIND) / (all.millis - movedMillis);
  return {
    direct: directRate,
    moved_aside: (1000 * place.size) / movedMillis,
    behind: rate,
    share_of_direct: (100 * rate) / directRate,
    health_p99: all.health.p99Millis,
    heap,
  };
}
