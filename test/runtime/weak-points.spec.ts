import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { OnEvent } from '@nestjs/event-emitter';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Activity, ActivityBase } from '@waymark/core';
import { WorkflowModule } from '@waymark/nestjs';
import {
  IBookmarkQueue,
  IEventPublisher,
  IWorkflowDefinitionPublisher,
  IWorkflowDefinitionService,
  IWorkflowRuntime,
  MemoryPersistence,
  RuntimeGate,
  WorkflowEvent,
  WorkflowPersistence,
} from '@waymark/runtime';
import { RuntimeMaintenance } from '@waymark/runtime/adapter';
import { FaultPoints, VirtualClock, withFaultPoints } from '@waymark/testing';
import {
  line,
  literal,
  type RuntimeNode,
  type RuntimeNodeOptions,
  sequence,
  startedBy,
  startNode,
  waitFor,
} from '../support/runtime-node.js';

// What docs/weak-points.md says, where no other specification proves it.

const SECOND = 1000;
const DAY = 24 * 3600 * SECOND;
const ROUNDS = 60;

@Injectable()
class Hold {
  begin: () => void = () => undefined;
  end: () => void = () => undefined;
  readonly begun = new Promise<void>((resolve) => (this.begin = resolve));
  readonly ended = new Promise<void>((resolve) => (this.end = resolve));
}

/** Continues when the test lets it. */
@Activity({ type: 'Test.Slow' })
class Slow extends ActivityBase {
  constructor(private readonly hold: Hold) {
    super();
  }
  execute(): Promise<void> {
    this.hold.begin();
    return this.hold.ended;
  }
}

let clock: VirtualClock;
let store: WorkflowPersistence;
let node: RuntimeNode;

async function begin(options: RuntimeNodeOptions = {}, persistence: WorkflowPersistence = new MemoryPersistence()) {
  clock = new VirtualClock();
  store = persistence;
  const { providers = [], ...more } = options;
  node = await startNode(store, { clock, providers: [Hold, Slow, ...providers], ...more });
}
async function run(definition: string, workflowInstanceId?: string, parentWorkflowInstanceId?: string) {
  const client = await node.get(IWorkflowRuntime).createClient(workflowInstanceId);
  return client.createAndRunInstance({ definition, parentWorkflowInstanceId });
}
async function rounds(): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) await node.get(RuntimeMaintenance).runOnce();
  await node.settled();
}
const statusOf = async (id: string) => (await store.instances.load(id))?.subStatus;

describe('weak points', () => {
  afterEach(() => node.close());

  it('B13: two bulk dispatches of one instance count their own children', async () => {
    await begin();
    await node.deploy('kid', sequence('S', line('K', 'kid')));
    await node.deploy('slow-kid', sequence('S', waitFor('E', 'grow')));
    const bulk = (id: string, kid: string, items: number[]) => ({
      type: 'Elsa.BulkDispatchWorkflows',
      id,
      workflowDefinitionId: literal(kid),
      items: literal(items, 'Object'),
    });
    await node.deploy('parent', {
      type: 'Elsa.Parallel',
      id: 'P',
      activities: [
        sequence('A', bulk('Quick', 'kid', [1, 2, 3]), line('QuickDone', 'quick done')),
        sequence('B', bulk('Long', 'slow-kid', [1, 2]), line('LongDone', 'long done')),
      ],
    });
    const { workflowInstanceId } = await run('parent');
    await node.settled();
    expect(node.lines.filter((text) => text !== 'kid')).toEqual(['quick done']);
    await node.get(IEventPublisher).publish('grow');
    await node.settled();
    expect(node.lines.filter((text) => text !== 'kid')).toEqual(['quick done', 'long done']);
    expect(await statusOf(workflowInstanceId)).toBe('Finished');
  });

  it('B17: a version that is deleted takes its own triggers along, and needs no graph for that', async () => {
    await begin();
    const definitions = node.get(IWorkflowDefinitionService);
    const publisher = node.get(IWorkflowDefinitionPublisher);
    await node.deploy('d', sequence('S', waitFor('Old', 'old', startedBy)));
    const first = await definitions.require('d');
    await node.deploy('d', sequence('S', waitFor('New', 'new', startedBy)));
    await publisher.deleteVersions([first.id]);
    const triggers = () => store.triggers.findMany({ workflowDefinitionIds: ['d'] });
    expect((await triggers()).map(({ activityId }) => activityId)).toEqual(['New']);
    const { revision, ...second } = await definitions.require('d');
    const broken = { ...second, root: { type: 'Test.Gone', id: 'X' } };
    const saved = [{ definition: broken, expectedRevision: revision }];
    await store.definitions.apply({ saved, deletedIds: [], addedTriggers: [], removedTriggerIds: [] });
    await publisher.delete(['d']);
    expect(await triggers()).toEqual([]);
  });

  it('B28, R15: a listener that fails keeps nothing else from happening', async () => {
    const heard: string[] = [];
    @Injectable()
    class Listeners {
      @OnEvent(WorkflowEvent.WorkflowFinished)
      fails(): void {
        throw new Error('on purpose');
      }
      @OnEvent(WorkflowEvent.WorkflowFinished)
      hears(): void {
        heard.push('finished');
      }
    }
    await begin({ providers: [Listeners] });
    await node.deploy('d', sequence('S', line('L', 'done')));
    expect((await run('d')).subStatus).toBe('Finished');
    expect(heard).toEqual(['finished']);
  });

  it('B30, R8: a paused runtime keeps stimuli, and does not count that as their failure', async () => {
    await begin({ maxDeliveryAttempts: 2 });
    await node.deploy('d', sequence('S', waitFor('E', 'go'), line('L', 'went')));
    const { bookmarks } = await run('d');
    const gate = node.get(RuntimeGate);
    gate.pause();
    const id = await node.get(IBookmarkQueue).enqueue({ stimulusHash: bookmarks[0]!.hash });
    await rounds();
    expect([node.lines, await store.queue.find(id)]).toEqual([[], expect.objectContaining({ attempts: 0 })]);
    gate.resume();
    await rounds();
    expect([node.lines, await store.queue.find(id)]).toEqual([['went'], undefined]);
  });

  it('R7, R8: shutdown waits for running bursts, and what it does not wait for is repeated', async () => {
    const shared = new MemoryPersistence();
    await begin({}, shared);
    await node.deploy('d', sequence('S', { type: 'Test.Slow', id: 'Slow' }, line('L', 'done')));
    const hold = node.get(Hold);
    const running = run('d', 'held');
    await hold.begun;
    const closed = node.close();
    hold.end();
    expect((await running).subStatus).toBe('Finished');
    await closed;
    expect(await statusOf('held')).toBe('Finished');
    await begin({ drainTimeoutMs: 5 * SECOND }, shared);
    void run('d', 'late');
    await node.get(Hold).begun;
    const givenUp = node.close();
    await clock.advance(5 * SECOND);
    await givenUp;
    // Not committed, and so nobody's: the message, timer or client that started it does so again.
    expect(await statusOf('late')).toBeUndefined();
    node.get(Hold).end();
  });

  it('R12: a heartbeat that fails is repeated when the store is back, and followed by the next one', async () => {
    const points = new FaultPoints({ at: 'instances.touch#1', fault: 'fails' });
    await begin({}, withFaultPoints(new MemoryPersistence(), points));
    const halfway = { options: { commitStrategyName: 'ActivityExecuting' } };
    await node.deploy('d', sequence('S', { type: 'Test.Slow', id: 'Slow' }), halfway);
    const start = clock.now();
    const running = run('d', 'beating');
    await node.get(Hold).begun;
    await clock.advance(10 * SECOND);
    const beaten = async () => (await store.instances.load('beating'))!.updatedAt.getTime();
    expect([points.isMet, await beaten()]).toEqual([true, start + 10 * SECOND]);
    await clock.advance(10 * SECOND);
    expect(await beaten()).toBe(start + 20 * SECOND);
    node.get(Hold).end();
    await running;
  });

  it('R16: a circle of parents is cancelled once', async () => {
    await begin();
    await node.deploy('d', sequence('S', waitFor('E', 'never')));
    await run('d', 'a', 'b');
    await run('d', 'b', 'a');
    await (await node.get(IWorkflowRuntime).createClient('a')).cancel();
    await node.settled();
    expect([await statusOf('a'), await statusOf('b')]).toEqual(['Cancelled', 'Cancelled']);
    expect(await store.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
  });

  it('R20: finished instances go with their journal when their time is over, and only they', async () => {
    await begin({ retentionMs: 30 * DAY });
    await node.deploy('ends', sequence('S', line('L', 'done')));
    await node.deploy('waits', sequence('S', waitFor('E', 'never')));
    const instances = Array.from({ length: 250 }, (_, n) => `ended-${n}`);
    for (const id of instances) await run('ends', id);
    await run('waits', 'waiting');
    await clock.setTime(clock.now() + 29 * DAY);
    await rounds();
    expect(await store.instances.findIds({ definitionIds: ['ends'] })).toHaveLength(250);
    await clock.setTime(clock.now() + 2 * DAY);
    await rounds();
    expect(await store.instances.findIds({ definitionIds: ['ends'] })).toEqual([]);
    expect([await store.journal.readLog('ended-0'), await statusOf('waiting')]).toEqual([[], 'Suspended']);
  });
});

it('B22: a client that goes away does not cancel what it has started', async () => {
  @Module({
    imports: [WorkflowModule.forRoot({ persistence: new MemoryPersistence(), clock: new VirtualClock() })],
    providers: [Hold, Slow],
  })
  class AppModule {}
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule,
    new FastifyAdapter({ forceCloseConnections: true }),
    { logger: ['error'] },
  );
  await app.listen(0, '127.0.0.1');
  const path = { path: literal('long') };
  const root = sequence(
    'S',
    { type: 'Elsa.HttpEndpoint', id: 'In', ...path, ...startedBy },
    { type: 'Test.Slow', id: 'Slow' },
    waitFor('E', 'later'),
  );
  await app.get(IWorkflowDefinitionPublisher).saveAndPublish({ definitionId: 'long', root });
  const client = new AbortController();
  const answer = fetch(`${await app.getUrl()}/workflows/long`, { signal: client.signal });
  const hold = app.get(Hold);
  await hold.begun;
  client.abort();
  await expect(answer).rejects.toThrow();
  hold.end();
  await app.get(RuntimeGate).settled();
  const { items } = await app.get(WorkflowPersistence).instances.findMany({ definitionIds: ['long'] });
  expect(items.map(({ subStatus }) => subStatus)).toEqual(['Suspended']);
  await app.close();
});
