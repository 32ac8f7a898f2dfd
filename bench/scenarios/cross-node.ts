import type { BenchDatabase } from '../databases/databases.js';
import { quantile } from '../measure/timed-loops.js';
import { MeasuredProcess, stopAll } from '../processes/measured-process.js';
import { attempt, type Bench } from './scenario.js';

const SCENARIO = 'cross-node';
const TARGET = '<= 1,000 ms';
const SIGNALS_PER_ROUND = 100;
const AT_ONCE = 4;

/** Starts one instance, has it signalled, and tells how many milliseconds it took from both being there to its end. */
type Signal = (nodes: Nodes, correlationId: string) => Promise<number>;

interface Nodes {
  readonly here: MeasuredProcess;
  readonly elsewhere: MeasuredProcess;
}

const SAME_NODE = 'signalled on the same node';

const variants: Readonly<Record<string, Signal>> = {
  [SAME_NODE]: ({ here }, id) => startThenSend(here, here, 'send', id),
  'signalled on another node': ({ here, elsewhere }, id) => startThenSend(here, elsewhere, 'send', id),
  'dispatched on another node': ({ here, elsewhere }, id) => startThenSend(here, elsewhere, 'dispatch', id),
  'signalled on another node before it waits': async ({ here, elsewhere }, id) => {
    await elsewhere.call('send', id);
    const waitsSince = await here.call<number>('start', id);
    // It may go on before the node that started it has answered.
    return Math.max(0, (await finish({ here, elsewhere }, id)) - waitsSince);
  },
};

/**
 * How long an instance waits after it was signalled, with two nodes on one database and nothing between them but that
 * database.
 */
export async function crossNode(bench: Bench): Promise<void> {
  for (const database of bench.databases.fresh())
    await attempt(bench, SCENARIO, database.name, () => measure(bench, database));
}

async function measure({ options, report }: Bench, { name, url, prefix }: BenchDatabase): Promise<void> {
  report.progress(`${SCENARIO}: two nodes on ${name}`);
  const processes: MeasuredProcess[] = [];
  const start = async (): Promise<MeasuredProcess> => {
    const child = await MeasuredProcess.start('measured/cross-node', { url, prefix });
    processes.push(child);
    return child;
  };
  try {
    const nodes = { here: await start(), elsewhere: await start() };
    await nodes.here.call('publish');
    const measured = new Map<string, number[]>();
    for (const [variant, signal] of Object.entries(variants)) {
      await signalAll(nodes, signal, `${variant} warm`, SIGNALS_PER_ROUND);
      measured.set(variant, await signalAll(nodes, signal, variant, SIGNALS_PER_ROUND * options.rounds));
    }
    const baseline = quantile(measured.get(SAME_NODE)!, 0.99);
    for (const [variant, millis] of measured) {
      report.value(SCENARIO, `${name}, ${variant}`, 'p50_ms', quantile(millis, 0.5));
      report.quotient({
        scenario: SCENARIO,
        variant: `${name}, ${variant}`,
        metric: 'p99_ms',
        own: quantile(millis, 0.99),
        ceiling: { name: 'same node', value: baseline },
        target: TARGET,
      });
    }
  } finally {
    await stopAll(processes);
  }
}

async function signalAll(nodes: Nodes, signal: Signal, name: string, count: number): Promise<number[]> {
  const millis: number[] = [];
  let next = 0;
  const loop = async (): Promise<void> => {
    while (next < count) millis.push(await signal(nodes, `${name} ${next++}`));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, loop));
  return millis;
}

async function startThenSend(
  here: MeasuredProcess,
  there: MeasuredProcess,
  how: 'send' | 'dispatch',
  id: string,
): Promise<number> {
  await here.call('start', id);
  const sentAt = await there.call<number>(how, id);
  return (await finish({ here, elsewhere: there }, id)) - sentAt;
}

/** On whichever node it finished. */
function finish({ here, elsewhere }: Nodes, id: string): Promise<number> {
  return Promise.race([here.call<number>('finish', id), elsewhere.call<number>('finish', id)]);
}
