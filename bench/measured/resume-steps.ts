import { activity, forLoop, setVariable, whileLoop, type WorkflowDefinitionBuilder } from '@waymark/core';
import { Workflow, type WorkflowBuilder } from '@waymark/nestjs';
import { Event, IBookmarkResumer, IWorkflowRuntime, MemoryPersistence } from '@waymark/runtime';
import { runTimed } from '../measure/timed-loops.js';
import { argument, serveParent } from '../processes/serve-parent.js';
import { openApplication } from './application.js';

const ID = 'bench-resume';
const EVENT = 'Next';
const { history } = argument<{ history: number }>();

/** Runs as many activities as it is to have behind it, and waits for one event after the other from then on. */
@Workflow({ id: ID })
class LongLived implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    const count = w.variable<number>('count', { type: 'Int32', default: 0 });
    w.root([
      forLoop({ from: 1, to: history }, (value) => setVariable(count, (scope) => value.get(scope))),
      whileLoop(true, activity(Event, { eventName: EVENT })),
    ]);
  }
}

// No journal: in memory it would stay in the heap, and the garbage collector's work be taken for that of a resume.
const app = await openApplication({ persistence: new MemoryPersistence(), journal: false }, [LongLived]);
const resumer = app.get(IBookmarkResumer);
const client = await app.get(IWorkflowRuntime).createClient();
const { bookmarks } = await client.createAndRunInstance({ definition: ID });
if (bookmarks.length !== 1) throw new Error(`${ID} does not wait`);

const run = (): Promise<unknown[]> => resumer.resume(Event, { eventName: EVENT });

function after(results: unknown[]): void {
  if (results.length !== 1) throw new Error(`Resumed ${results.length} instances`);
}

serveParent({ run: (seconds: number) => runTimed(seconds, { units: 1, run, after }) }, () => app.close());
