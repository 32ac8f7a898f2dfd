import { quantile } from '../../measure/timed-loops.js';
import { CRON_SECONDS, cronId, cronWorkflow } from '../../workflows/timers.js';
import type { Dimension, Values } from './dimension.js';
import { until } from './nodes.js';
import type { Place } from './place.js';

const CRONS = 20;
const NODES = 3;
const CRON_MILLIS = CRON_SECONDS * 1000;
/** Until the first delay is due: they have to be stored by then. */
const SEED_MILLIS_EACH = 8;
const OVER_MILLIS = 20_000;
/** The node dies when so much of that is over. */
const DIES_AFTER_MILLIS = 5000;
const LEASE_SECONDS = 45;

interface End {
  readonly id: string;
  readonly definitionId: string;
  readonly at: number;
}

/** Timers of a node that is killed are served by the others. */
export const takeover: Dimension = {
  name: 'takeover',
  description: `Three nodes, one of which has started instances with delays that are due within ${OVER_MILLIS / 1000} s, beside ${CRONS} crons of ${CRON_SECONDS} s. It is killed after a quarter of that time; how late the others are, and whether all of them come once.`,
  unit: 'delays',
  sizes: [1_000],
  metrics: {
    late_p50: { unit: 'ms' },
    late_p99: { unit: 'ms', target: { atMost: 2000 }, isDrawn: true },
    late_max: { unit: 'ms' },
    cron_late_max: { unit: 'ms', target: { atMost: 2000 } },
    lost: { unit: 'timers', target: { atMost: 0 } },
    doubled: { unit: 'timers', target: { atMost: 0 } },
  },
  run: measure,
};

async function measure(place: Place): Promise<Values> {
  const workflows = Array.from({ length: CRONS }, (_, n) => cronWorkflow(n));
  const nodes = await place.startNodes(NODES, { file: 'measured/growth/takeover', workflows });
  const [doomed, ...others] = nodes;
  const firstAt = Date.now() + 2000 + place.size * SEED_MILLIS_EACH;
  const seed = { count: place.size, firstAt, overMillis: OVER_MILLIS };
  const due = new Map(Object.entries(await doomed!.call<Record<string, number>>('seed', seed)));
  await sleepUntil(firstAt + DIES_AFTER_MILLIS);
  // What had ended there before; what ends between this and its death is in the store.
  const ends = await doomed!.call<End[]>('ends');
  const killedAt = Date.now();
  await doomed!.kill();

  const survivor = others[0]!;
  const waiting = { definitionIds: ['bench-takeover'], statuses: ['Running'] };
  await sleepUntil(firstAt + OVER_MILLIS);
  await until(async () => (await survivor.call<number>('instances', waiting)) === 0, LEASE_SECONDS + 15);
  await sleepUntil(Math.ceil(Date.now() / CRON_MILLIS) * CRON_MILLIS + CRON_MILLIS / 2);
  for (const node of others) ends.push(...(await node.call<End[]>('ends')));

  const ofDelays = ends.filter(({ id }) => due.has(id));
  const late = ofDelays.filter(({ at }) => at >= killedAt).map(({ id, at }) => at - due.get(id)!);
  const crons = cronLateness(ends, killedAt);
  const finished = { definitionIds: ['bench-takeover'], subStatuses: ['Finished'] };
  const lost = place.size - (await survivor.call<number>('instances', finished));
  const doubled = ofDelays.length - new Set(ofDelays.map(({ id }) => id)).size;
  return {
    late_p50: quantile(late, 0.5),
    late_p99: quantile(late, 0.99),
    late_max: Math.max(...late),
    cron_late_max: crons.late,
    lost: lost + crons.lost,
    doubled: doubled + crons.doubled,
  };
}

/** Each occurrence after the death of the node has started one instance. */
function cronLateness(ends: readonly End[], killedAt: number) {
  const from = Math.ceil((killedAt + 1) / CRON_MILLIS);
  const to = Math.floor(Date.now() / CRON_MILLIS);
  let [late, lost, doubled] = [0, 0, 0];
  for (let n = 0; n < CRONS; n++) {
    const occurrences = ends.filter(({ definitionId }) => definitionId === cronId(n)).map(({ at }) => at / CRON_MILLIS);
    for (let occurrence = from; occurrence <= to; occurrence++) {
      const those = occurrences.filter((at) => Math.floor(at) === occurrence);
      if (those.length === 0) lost++;
      doubled += Math.max(0, those.length - 1);
      for (const at of those) late = Math.max(late, (at - occurrence) * CRON_MILLIS);
    }
  }
  return { late, lost, doubled };
}

function sleepUntil(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, time - Date.now())));
}
