import { forEachAtOnce } from '../../measure/at-once.js';
import { median } from '../../measure/in-turns.js';
import type { MeasuredProcess } from '../../processes/measured-process.js';
import { WAITING, waitingWorkflow } from '../../workflows/waiting.js';
import { type Dimension, flatHeap, type Values } from './dimension.js';
import { heapOf, type Timed, timed, until } from './nodes.js';
import { type Api, apiOf } from './management-api.js';
import type { Place } from './place.js';

const LISTS = 9;
const SINGLES_AT_ONCE = 16;

/** Requests of the management API for many instances or dead letters at once. */
export const bulk: Dimension = {
  name: 'bulk',
  description:
    'Waiting instances that are listed, cancelled by their definition, and deleted while they run, and dead letters that are replayed, each by one request to the management API.',
  unit: 'instances',
  sizes: [1_000, 10_000, 30_000],
  metrics: {
    list: { unit: 'ms', isDrawn: true },
    list_cpu: { unit: 'ms', target: { times: 1.5 } },
    cancel_answered: { unit: 'ms', target: { atMost: 2_000 } },
    cancelled: { unit: '/s', isDrawn: true },
    cancel_cpu: { unit: 'ms', target: { times: 1.2 } },
    delete_answered: { unit: 'ms', target: { atMost: 2_000 } },
    deleted: { unit: '/s', isDrawn: true },
    delete_cpu: { unit: 'ms', target: { times: 1.2 } },
    replay_answered: { unit: 'ms', target: { atMost: 2_000 } },
    replayed: { unit: '/s', isDrawn: true },
    replay_cpu: { unit: 'ms' },
    health_p99: { unit: 'ms', target: { atMost: 250 } },
    longest_health: { unit: 'ms' },
    heap: flatHeap(10_000),
  },
  run: measure,
};

interface Done extends Timed {
  /** Until the request was answered. */
  readonly answeredMillis: number;
}

async function measure(place: Place): Promise<Values> {
  const { size } = place;
  const node = await place.startNode({ file: 'measured/growth/bulk', workflows: [waitingWorkflow] });
  const api = apiOf(await node.call<string>('url'));
  await node.call('wait', size);
  const listed = await list(node, api);
  const ofDefinition = { definitionId: WAITING, versionOptions: 'AllVersions' };
  const running = { definitionIds: [WAITING], statuses: ['Running'] };
  const cancelled = await act(node, {
    ask: () => api('POST', 'bulk-actions/cancel/workflow-instances', ofDefinition),
    left: () => node.call<number>('instances', running),
  });
  await node.call('settledOutbox');
  await api('POST', 'bulk-actions/delete/workflow-instances', { workflowDefinitionIds: [WAITING] });
  await until(async () => (await node.call<number>('instances', { definitionIds: [WAITING] })) === 0);
  await node.call('wait', size);
  const deleted = await act(node, {
    ask: () => api('POST', 'bulk-actions/delete/workflow-instances', { workflowDefinitionIds: [WAITING] }),
    left: () => node.call<number>('instances', { definitionIds: [WAITING] }),
  });
  await node.call('settledOutbox');
  await node.call('toDeadLetter', size);
  const replayed = await act(node, {
    ask: () => replayAll(api),
    left: async () => (await node.call<{ deadLetters: number }>('outbox')).deadLetters,
  });
  await node.call('settledOutbox');
  const rate = ({ millis }: Timed): number => (1000 * size) / millis;
  const all = [listed, cancelled, deleted, replayed];
  return {
    list: listed.medianMillis,
    list_cpu: listed.cpuMillis / LISTS,
    cancel_answered: cancelled.answeredMillis,
    cancelled: rate(cancelled),
    cancel_cpu: cancelled.cpuMillis / size,
    delete_answered: deleted.answeredMillis,
    deleted: rate(deleted),
    delete_cpu: deleted.cpuMillis / size,
    replay_answered: replayed.answeredMillis,
    replayed: rate(replayed),
    replay_cpu: replayed.cpuMillis / size,
    health_p99: Math.max(...all.map(({ health }) => health.p99Millis)),
    longest_health: Math.max(...all.map(({ health }) => health.longestMillis)),
    heap: await heapOf([node]),
  };
}

/** As a client asks that says nothing of pages. */
async function list(node: MeasuredProcess, api: Api): Promise<Timed & { readonly medianMillis: number }> {
  const millis: number[] = [];
  const all = await timed([node], async () => {
    for (let n = 0; n < LISTS; n++) {
      const begin = performance.now();
      await api('GET', 'workflow-instances');
      millis.push(performance.now() - begin);
    }
  });
  return { ...all, medianMillis: median(millis) };
}

/** From the request until nothing is left to do. */
async function act(
  node: MeasuredProcess,
  { ask, left }: { ask: () => Promise<unknown>; left: () => Promise<number> },
): Promise<Done> {
  let answeredMillis = 0;
  const all = await timed([node], async () => {
    const begin = performance.now();
    await ask();
    answeredMillis = performance.now() - begin;
    await until(async () => (await left()) === 0, 1200);
  });
  return { ...all, answeredMillis };
}

/** One by one where there is no route for many, as before there was. */
async function replayAll(api: Api): Promise<void> {
  const { status } = await api('POST', 'bulk-actions/replay/outbox/dead-letters', { all: true });
  if (status !== 404) return;
  const { items } = JSON.parse((await api('GET', 'outbox/dead-letters?pageSize=1000000')).text) as {
    items: { id: string }[];
  };
  await forEachAtOnce(items.length, SINGLES_AT_ONCE, (n) =>
    api('POST', `outbox/dead-letters/${items[n]!.id}/replay`, {}),
  );
}
