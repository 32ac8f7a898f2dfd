import type { WorkflowDefinitionBuilder } from '@waymark/core';
import { Workflow, type WorkflowBuilder } from '@waymark/nestjs';
import { IWorkflowRuntime, MemoryPersistence, type RunInstanceResult } from '@waymark/runtime';
import { runTimed } from '../measure/timed-loops.js';
import { argument, serveParent } from '../processes/serve-parent.js';
import { describeManySteps, STEPS } from '../workflows/many-steps.js';
import { openApplication } from './application.js';

const ID = 'bench-steps';

@Workflow({ id: ID })
class ManySteps implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    describeManySteps(w);
  }
}

/** The same through the front door: a new instance, one burst, its commit to memory, its events. */
const { journal } = argument<{ journal: boolean }>();
const app = await openApplication({ persistence: new MemoryPersistence(), journal }, [ManySteps]);
const runtime = app.get(IWorkflowRuntime);

async function run(): Promise<RunInstanceResult> {
  const client = await runtime.createClient();
  return client.createAndRunInstance({ definition: ID });
}

/** Forgets the instance: a heap that only grows would measure the garbage collector. */
async function after({ workflowInstanceId, subStatus, incidents }: RunInstanceResult): Promise<void> {
  if (subStatus !== 'Finished') throw new Error(`Not run: ${JSON.stringify(incidents)}`);
  await (await runtime.createClient(workflowInstanceId)).delete();
}

serveParent({ run: (seconds: number) => runTimed(seconds, { units: STEPS, run, after }) }, () => app.close());
