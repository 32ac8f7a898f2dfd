import { median } from '../../measure/in-turns.js';
import { type Dimension, flatHeap, type Values } from './dimension.js';
import { type Api, apiOf } from './management-api.js';
import { heapOf } from './nodes.js';
import type { Place } from './place.js';

const WARM_UP = 10;
const TIMES = 15;
const ROWS = 25;
const MOST_SKIPPED = 100_000;
const BY_INDEX = { target: { times: 3 }, unit: 'ms', isDrawn: true } as const;
/** Sorted, or searched for a part of a name, are 100,000 at most: see decision 80. */
const AMONG_THE_LATEST = { unit: 'ms', isDrawn: true } as const;

/** Lists of instances, as an operator looks for some among all that there ever were. */
export const lists: Dimension = {
  name: 'lists',
  description:
    'Pages of 25 instances from the management API, with their count, among instances of which one in 1,000 waits and one in 1,000 has faulted.',
  unit: 'instances',
  sizes: [1_000, 10_000, 100_000],
  metrics: {
    first: BY_INDEX,
    waiting: BY_INDEX,
    faulted: BY_INDEX,
    with_incidents: BY_INDEX,
    of_definition: BY_INDEX,
    page_20: BY_INDEX,
    deep: { unit: 'ms', isDrawn: true },
    after: BY_INDEX,
    by_name: AMONG_THE_LATEST,
    by_name_down: AMONG_THE_LATEST,
    by_end: AMONG_THE_LATEST,
    by_end_up: AMONG_THE_LATEST,
    named: AMONG_THE_LATEST,
    by_change: AMONG_THE_LATEST,
    longest_waiting: BY_INDEX,
    searched: { unit: 'ms', isDrawn: true },
    not_found: { unit: 'ms', isDrawn: true },
    heap: flatHeap(10_000),
  },
  run: measure,
};

async function measure(place: Place): Promise<Values> {
  const node = await place.startNode({ file: 'measured/growth/lists', more: { count: place.size } });
  const api = apiOf(await node.call<string>('url'));
  await node.call('seed');
  const time = (request: object): Promise<number> => timeOf(api, request);
  return {
    first: await time({}),
    waiting: await time({ statuses: ['Running'] }),
    faulted: await time({ subStatuses: ['Faulted'] }),
    with_incidents: await time({ hasIncidents: true }),
    of_definition: await time({ definitionIds: ['definition-7'] }),
    page_20: await time({ page: 20 }),
    deep: await time({ page: deepPage(place.size) }),
    after: await time({ after: await nextOf(api, deepPage(place.size)) }),
    by_name: await time({ orderBy: 'Name', orderDirection: 'Ascending' }),
    by_name_down: await time({ orderBy: 'Name', orderDirection: 'Descending' }),
    by_end: await time({ orderBy: 'Finished', orderDirection: 'Descending' }),
    by_end_up: await time({ orderBy: 'Finished', orderDirection: 'Ascending' }),
    named: await time({ name: 'Order 77' }),
    by_change: await time({ orderBy: 'UpdatedAt', orderDirection: 'Descending' }),
    longest_waiting: await time({ subStatuses: ['Suspended'], orderBy: 'UpdatedAt', orderDirection: 'Ascending' }),
    searched: await time({ searchTerm: 'correlation-77' }),
    not_found: await timeOf(api, { searchTerm: 'there is none of that name' }, 0),
    heap: await heapOf([node]),
  };
}

/** Behind more rows, the API wants to know where the page before has ended. */
const deepPage = (size: number): number => Math.floor(Math.min(size * 0.9, MOST_SKIPPED) / ROWS);

async function nextOf(api: Api, page: number): Promise<string> {
  const { text } = await api('POST', 'workflow-instances', { page, pageSize: ROWS });
  return (JSON.parse(text) as { next: string }).next;
}

/** Milliseconds; the median. */
async function timeOf(api: Api, request: object, least = 1): Promise<number> {
  const millis: number[] = [];
  for (let n = 0; n < WARM_UP + TIMES; n++) {
    const begin = performance.now();
    const { text } = await api('POST', 'workflow-instances', { page: 0, pageSize: ROWS, ...request });
    if (n >= WARM_UP) millis.push(performance.now() - begin);
    const { items } = JSON.parse(text) as { items: unknown[] };
    if (items.length < least) throw new Error(`No instance was found for ${JSON.stringify(request)}.`);
  }
  return median(millis);
}
