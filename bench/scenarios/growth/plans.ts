import type { MeasuredProcess } from '../../processes/measured-process.js';
import { ALTERED, ALTERED_VARIABLE, alteredWorkflow } from '../../workflows/altered.js';
import { type Dimension, flatHeap, type Values } from './dimension.js';
import { type Api, apiOf } from './management-api.js';
import { heapOf, type Timed, timed, until } from './nodes.js';
import type { Place } from './place.js';

const NODE = { file: 'measured/growth/plans', workflows: [alteredWorkflow] };
/** The node dies when so much of a plan is done. */
const DIES_AFTER = 1 / 3;
/** Claims of the dead node hold for so long; a plan that takes longer after its death waits for something else. */
const LONGEST_SECONDS = 1200;
const IDS = { definitionIds: [ALTERED] };
const RUNNING = { ...IDS, statuses: ['Running'] };

/** A plan for all instances: what it leaves is counted by how often each was committed. */
interface Plan {
  readonly name: string;
  submit(api: Api): Promise<unknown>;
  /** How many it has done, by what is stored. */
  done(node: MeasuredProcess, size: number): Promise<number>;
}

const revised = async (node: MeasuredProcess): Promise<number> =>
  (await node.call<Record<string, number>>('revisions'))['2'] ?? 0;

const PLANS: readonly Plan[] = [
  {
    name: 'alter',
    submit: (api) =>
      api('POST', 'alterations/submit', {
        alterations: [{ type: 'ModifyVariable', variableId: ALTERED_VARIABLE.id, value: 7 }],
        filter: IDS,
      }),
    done: revised,
  },
  {
    name: 'cancel',
    submit: (api) =>
      api('POST', 'bulk-actions/cancel/workflow-instances', {
        definitionId: ALTERED,
        versionOptions: 'AllVersions',
      }),
    done: async (node, size) => size - (await node.call<number>('instances', RUNNING)),
  },
  {
    name: 'delete',
    submit: (api) => api('POST', 'bulk-actions/delete/workflow-instances', { workflowDefinitionIds: [ALTERED] }),
    done: async (node, size) => size - (await node.call<number>('instances', IDS)),
  },
];

/** Plans whose node is killed, and which another node carries on. */
export const plans: Dimension = {
  name: 'plans',
  description: `Waiting instances are altered, cancelled and deleted by a plan each. The node is killed (kill -9) when a third is done, and a new one does the rest: what that costs it for each instance, how long it takes, and whether each was done once, by how often it was committed.`,
  unit: 'instances',
  sizes: [2_000, 10_000, 20_000],
  metrics: {
    ...Object.fromEntries(
      PLANS.flatMap(({ name }) => [
        [`${name}_cpu`, { unit: 'ms', target: { times: 1.2 } }],
        [`${name}_rest`, { unit: 'ms', isDrawn: true }],
        [`${name}_lost`, { unit: 'instances', target: { atMost: 0 } }],
        [`${name}_twice`, { unit: 'instances', target: { atMost: 0 } }],
      ]),
    ),
    health_p99: { unit: 'ms', target: { atMost: 250 } },
    longest_health: { unit: 'ms' },
    heap: flatHeap(10_000),
  },
  run: measure,
};

async function measure(place: Place): Promise<Values> {
  const values: Record<string, number> = {};
  const all: Timed[] = [];
  let heap = 0;
  for (const plan of PLANS) {
    place.progress(plan.name);
    const doomed = await place.startNode(NODE);
    await clear(doomed, apiOf(await doomed.call<string>('url')));
    await doomed.call('wait', place.size);
    const { survivor, timed: rest, left } = await killedHalfway(place, doomed, plan);
    all.push(rest);
    Object.assign(values, {
      [`${plan.name}_cpu`]: rest.cpuMillis / left,
      [`${plan.name}_rest`]: rest.millis,
      ...(await counted(place, survivor, plan)),
    });
    heap = Math.max(heap, await heapOf([survivor]));
    await survivor.stop();
  }
  return {
    ...values,
    health_p99: Math.max(...all.map(({ health }) => health.p99Millis)),
    longest_health: Math.max(...all.map(({ health }) => health.longestMillis)),
    heap,
  };
}

/** What the plan before has left. */
async function clear(node: MeasuredProcess, api: Api): Promise<void> {
  if ((await node.call<number>('instances', IDS)) === 0) return;
  await api('POST', 'bulk-actions/delete/workflow-instances', { workflowDefinitionIds: [ALTERED] });
  await until(async () => (await node.call<number>('instances', IDS)) === 0, LONGEST_SECONDS);
}

async function killedHalfway(place: Place, doomed: MeasuredProcess, plan: Plan) {
  const { size } = place;
  await plan.submit(apiOf(await doomed.call<string>('url')));
  let done = 0;
  await until(async () => (done = await plan.done(doomed, size)) >= size * DIES_AFTER, LONGEST_SECONDS);
  await doomed.kill();
  const survivor = await place.startNode(NODE);
  done = await plan.done(survivor, size);
  if (done >= size) throw new Error('Everything was done before the node died: nothing is measured.');
  const rest = await timed([survivor], async () => {
    await until(async () => (await plan.done(survivor, size)) >= size, LONGEST_SECONDS);
    await until(async () => (await survivor.call<{ waiting: number }>('outbox')).waiting === 0, LONGEST_SECONDS);
  });
  return { survivor, timed: rest, left: size - done };
}

/** Each is committed when it begins to wait, and once more by the plan. What is deleted is gone. */
async function counted(place: Place, node: MeasuredProcess, { name }: Plan): Promise<Values> {
  const { size } = place;
  const revisions = await node.call<Record<string, number>>('revisions');
  const { deadLetters } = await node.call<{ deadLetters: number }>('outbox');
  const stored = Object.values(revisions).reduce((sum, count) => sum + count, 0);
  const once = revisions['2'] ?? 0;
  const untouched = revisions['1'] ?? 0;
  const { bookmarks } = await place.stored();
  const lost = name === 'delete' ? stored : size - stored + untouched;
  const leftover = name === 'alter' ? size - (bookmarks?.rows ?? 0) : (bookmarks?.rows ?? 0);
  return { [`${name}_lost`]: lost + leftover + deadLetters, [`${name}_twice`]: stored - once - untouched };
}
