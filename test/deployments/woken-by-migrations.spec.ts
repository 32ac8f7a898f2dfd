import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { activity } from '@waymark/nestjs';
import { IEventPublisher, IInstanceMigrator, IWorkflowRuntime, Event } from '@waymark/runtime';
import { Delay } from '@waymark/scheduling';
import type { TestApplication } from '../support/application.js';
import { Fleet } from './fleet.js';

let fleet: Fleet;

beforeEach(() => {
  fleet = new Fleet();
});

afterEach(() => fleet.close());

async function start(node: TestApplication): Promise<string> {
  const client = await node.get(IWorkflowRuntime).createClient();
  return (await client.createAndRunInstance({ definition: 'w' })).workflowInstanceId;
}

const delayed = (release: number) =>
  fleet.workflow('w', release, () => [activity(Delay, { timeSpan: '00:00:10' }, { id: 'wait' })]);
const waiting = (release: number) =>
  fleet.workflow('w', release, () => [activity(Event, { eventName: 'go' }, { id: 'wait' })]);

describe('what was deferred for an instance', () => {
  it('is done at once when the instance is migrated to a version that the node has', async () => {
    const old = await fleet.node(1, [delayed(1)]);
    const fresh = await fleet.node(2, [delayed(2)]);
    const id = await start(fresh);
    await fleet.close(fresh);
    await fleet.pass(15_000);
    expect([fleet.done, await fleet.persistence.outbox.count()]).toEqual([[], { waiting: 1, deadLetters: 0 }]);
    await old.get(IInstanceMigrator).migrate(id, { targetVersion: 1 });
    await old.settled();
    expect(fleet.done).toEqual(['w 1']);
    expect(await old.instance(id)).toMatchObject({ status: 'Finished', incidents: [] });
    expect(await fleet.persistence.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
  });

  it('is done at once when its migration is undone', async () => {
    const old = await fleet.node(1, [waiting(1)]);
    const id = await start(old);
    const fresh = await fleet.node(2, [waiting(2)]);
    await fresh.get(IInstanceMigrator).migrate(id, { targetVersion: 2 });
    await fleet.close(fresh);
    await old.get(IEventPublisher).publish('go');
    await fleet.pass(5000);
    expect(fleet.done).toEqual([]);
    await old.get(IInstanceMigrator).undo(id);
    await old.settled();
    expect(fleet.done).toEqual(['w 1']);
    expect(await fleet.persistence.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
  });

  it('stays where it is for the other instances of the version', async () => {
    const old = await fleet.node(1, [waiting(1)]);
    const fresh = await fleet.node(2, [waiting(2)]);
    const [moved, kept] = [await start(fresh), await start(fresh)];
    await fleet.close(fresh);
    await old.get(IEventPublisher).publish('go');
    await old.get(IInstanceMigrator).migrate(moved!, { targetVersion: 1 });
    await old.settled();
    expect((await old.instance(moved!)).status).toBe('Finished');
    expect((await old.instance(kept!)).status).toBe('Suspended');
    expect(await fleet.persistence.outbox.count()).toEqual({ waiting: 1, deadLetters: 0 });
    await fleet.node(2, [waiting(2)]);
    await fleet.pass(2000);
    expect(fleet.done).toEqual(['w 1', 'w 2', 'w 2']);
  });
});
