import type { MeasuredProcess } from '../../processes/measured-process.js';
import type { Stall } from '../../measure/stall-meter.js';
import { journalDefinitions, type JournalKind } from '../../workflows/journal-growth.js';
import type { Dimension, Values } from './dimension.js';
import { timed, until } from './nodes.js';
import type { Place } from './place.js';

const COMMON = {
  databases: ['sqlite', 'mariadb', 'postgres'],
  metrics: {
    journal_bytes: { unit: 'bytes', target: { perUnit: 1.2 } },
    value_bytes: { unit: 'bytes', target: { perUnit: 1.2 } },
    journal_rows: { unit: 'rows' },
    cpu: { unit: 'ms' },
    read_cpu: { unit: 'ms' },
    health_p99: { unit: 'ms', target: { atMost: 250 } },
    read_stall: { unit: 'ms', target: { atMost: 250 } },
  },
} as const;

/** One instance and its children: each of them reports its end in a burst of its own. */
export const journalChildren: Dimension = {
  ...COMMON,
  name: 'journal-children',
  description:
    'What the children of one BulkDispatchWorkflows leave in the journal of their parent, each with an item of 100 bytes.',
  unit: 'children',
  sizes: [100, 1_000],
  run: (place) => measure(place, 'children'),
};

export const journalBranches: Dimension = {
  ...COMMON,
  name: 'journal-branches',
  description:
    'What the branches of one ParallelForEach leave in the journal, each of which continues in a burst of its own.',
  unit: 'branches',
  sizes: [30, 300],
  run: (place) => measure(place, 'branches'),
};

export const journalChanges: Dimension = {
  ...COMMON,
  name: 'journal-changes',
  description: 'What changes of a variable of 1 MB, between two values, leave in the journal.',
  unit: 'changes',
  sizes: [10, 100],
  // A value is there once, however often it comes.
  metrics: { ...COMMON.metrics, value_bytes: { unit: 'bytes', target: { times: 1.2 } } },
  run: (place) => measure(place, 'changes'),
};

async function measure(place: Place, kind: JournalKind): Promise<Values> {
  const node = await place.startNode({
    file: 'measured/growth/journal',
    workflows: journalDefinitions(kind, place.size),
    more: kind,
  });
  let id = '';
  const spent = await timed([node], async () => {
    id = await node.call<string>('start');
    await finish(node, kind, id, place.size);
  });
  await node.call('watch');
  const read = await timed([node], () => node.call('readPage', id));
  const { millis: stalled } = await node.call<Stall>('stalls');
  const { journal, journal_values: values = { rows: 0, bytes: 0 } } = await place.stored();
  return {
    // Of the children, too: they are many, and each has its own.
    journal_bytes: journal!.bytes,
    // Large values, apart from what happened to them: that grows with each change.
    value_bytes: values.bytes,
    journal_rows: journal!.rows + values.rows,
    cpu: spent.cpuMillis,
    read_cpu: read.cpuMillis,
    health_p99: spent.health.p99Millis,
    read_stall: stalled,
  };
}

async function finish(node: MeasuredProcess, kind: JournalKind, id: string, count: number): Promise<void> {
  if (kind === 'branches') await node.call('goOn', id);
  if (kind === 'changes') return node.call('change', { id, count });
  await until(async () => (await node.call<number>('instances', { ids: [id], statuses: ['Finished'] })) === 1);
}
