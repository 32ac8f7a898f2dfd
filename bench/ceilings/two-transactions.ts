import type { Sample } from '../measure/in-turns.js';
import { runLoops } from '../measure/timed-loops.js';
import { argument, serveParent } from '../processes/serve-parent.js';
import type { LoopRequest, StateSample } from '../workflows/suspend-resume-calls.js';
import { openHandWrittenStore } from './open-store.js';
import { rowId } from './row-id.js';

const { url, prefix, sample } = argument<{ url: string; prefix: string; sample: StateSample }>();
const store = await openHandWrittenStore(url, prefix);
const waiting = JSON.parse(sample.waiting) as object;
const finished = JSON.parse(sample.finished) as object;
let started = 0;

/** Both states are turned into text each time, as every engine that keeps state has to. */
async function suspendAndResume(): Promise<void> {
  const id = rowId();
  const correlationId = `order-${++started}`;
  await store.suspend({ id, correlationId, state: JSON.stringify({ ...waiting, id }) });
  await store.resume({ id, correlationId, state: JSON.stringify({ ...finished, id }) });
}

async function seed(count: number): Promise<void> {
  const state = JSON.stringify(waiting);
  const rows = Array.from({ length: count }, () => {
    const id = rowId();
    return { id, correlationId: id, state };
  });
  await store.seed(rows);
}

serveParent(
  {
    run: ({ concurrency, seconds }: LoopRequest): Promise<Sample> => runLoops(concurrency, seconds, suspendAndResume),
    seed,
  },
  () => store.close(),
);
