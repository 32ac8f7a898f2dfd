import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { activity, inline, Workflow, type WorkflowBuilder, type WorkflowDefinitionBuilder } from '@waymark/nestjs';
import { Event, IEventPublisher, IWorkflowRuntime } from '@waymark/runtime';
import type { TestApplication } from '../support/application.js';
import { Fleet } from './fleet.js';

let fleet: Fleet;
let done: string[];

beforeEach(() => {
  fleet = new Fleet();
  done = [];
});

afterEach(() => fleet.close());

/** The next release has another body, and one step more, which has no function. */
function greeting(release: number, version?: number): Type<WorkflowBuilder> {
  @Workflow({ id: 'greeting', ...(version !== undefined && { version }) })
  class Greeting implements WorkflowBuilder {
    build(w: WorkflowDefinitionBuilder): void {
      const waits = Array.from({ length: release - 1 }, () => activity(Event, { eventName: 'go' }, { id: 'wait' }));
      w.root([...waits, inline(() => void done.push(`body of release ${release}`), { id: 'greeted' })]);
    }
  }
  return Greeting;
}

async function start(node: TestApplication): Promise<number> {
  const client = await node.get(IWorkflowRuntime).createClient();
  const { workflowInstanceId } = await client.createAndRunInstance({ definition: 'greeting' });
  await node.get(IEventPublisher).publish('go');
  return (await fleet.persistence.instances.load(workflowInstanceId))!.version;
}

describe('a node of the release before, whose functions all fit the published version', () => {
  it('starts that version, with its own bodies', async () => {
    const old = await fleet.node(1, [greeting(1)]);
    await fleet.node(2, [greeting(2)]);
    expect(await start(old)).toBe(2);
    expect(done).toEqual(['body of release 1']);
  });

  it('starts its own where a version is stated', async () => {
    const old = await fleet.node(1, [greeting(1, 1)]);
    const fresh = await fleet.node(2, [greeting(2, 2)]);
    expect(await start(old)).toBe(1);
    expect(await start(fresh)).toBe(2);
    expect(done).toEqual(['body of release 1', 'body of release 2']);
  });
});
