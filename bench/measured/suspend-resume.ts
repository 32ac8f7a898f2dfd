import { serialize } from '@waymark/core/adapter';
import { Event, IBookmarkResumer, IWorkflowRuntime } from '@waymark/runtime';
import { EVENT_PAYLOAD_INPUT } from '@waymark/runtime/adapter';
import type { Sample } from '../measure/in-turns.js';
import { runLoops } from '../measure/timed-loops.js';
import { argument, serveParent } from '../processes/serve-parent.js';
import { APPROVAL, approvalWorkflow, DECIDED } from '../workflows/approval.js';
import { ownKey, withEncrypted } from '../workflows/encrypted.js';
import type { LoopRequest, StateSample } from '../workflows/suspend-resume-calls.js';
import { openApplication, publish } from './application.js';
import { forgetFinished, openPersistence, type StoreChoice } from './persistence.js';
import { seedWaiting } from './seed-waiting.js';

/** `isEncrypted`: the variable of the workflow is stored encrypted. */
const { journal, isEncrypted, ...store } = argument<StoreChoice & { journal: boolean; isEncrypted?: boolean }>();
const persistence = openPersistence(store);

const app = await openApplication({ persistence, journal, ...(isEncrypted ? ownKey() : {}) });
await publish(app, isEncrypted ? withEncrypted(approvalWorkflow, 'Order') : approvalWorkflow);
const runtime = app.get(IWorkflowRuntime);
const resumer = app.get(IBookmarkResumer);
let started = 0;

async function start(): Promise<{ correlationId: string; instanceId: string }> {
  const correlationId = `order-${++started}`;
  const client = await runtime.createClient();
  await client.createAndRunInstance({ definition: APPROVAL, correlationId });
  return { correlationId, instanceId: client.workflowInstanceId };
}

async function resume(correlationId: string): Promise<void> {
  const input = { [EVENT_PAYLOAD_INPUT]: { approved: true, by: 'mia' } };
  const results = await resumer.resume(Event, { eventName: DECIDED }, { correlationId, input });
  if (results.length !== 1 || results[0]!.subStatus !== 'Finished')
    throw new Error(`${correlationId} resumed ${results.length} instances, ${results[0]?.subStatus}`);
}

/** The states that the ceiling has to store, so that both sides write as much. */
async function sample(): Promise<StateSample> {
  const { correlationId, instanceId } = await start();
  const client = await runtime.createClient(instanceId);
  const waiting = serialize(await client.exportState());
  await resume(correlationId);
  return { waiting, finished: serialize(await client.exportState()) };
}

async function run({ concurrency, seconds }: LoopRequest): Promise<Sample> {
  if (!store.url) await forgetFinished(persistence);
  return runLoops(concurrency, seconds, async () => resume((await start()).correlationId));
}

async function seed(count: number): Promise<void> {
  if (count > 0) await seedWaiting(persistence, (await start()).instanceId, count);
}

serveParent({ run, sample, seed }, () => app.close());
