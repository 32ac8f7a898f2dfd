import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { WorkflowApiModule } from '@waymark/api';
import { WorkflowModule } from '@waymark/nestjs';
import {
  IEventPublisher,
  IWorkflowDefinitionPublisher,
  IWorkflowStarter,
  type WorkflowPersistence,
} from '@waymark/runtime';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { RawHubClient } from '../../libs/api/src/hub/testing/raw-hub-client.js';
import { LiveReader } from '../../libs/api/src/live/testing/live-reader.js';
import { literal, sequence } from '../support/runtime-node.js';

async function startNode(persistence: WorkflowPersistence) {
  const clock = new VirtualClock();
  @Module({
    imports: [
      WorkflowModule.forRoot({ persistence, clock, writeLine: () => undefined }),
      WorkflowApiModule.forRoot({ allowAnonymous: true }),
    ],
  })
  class App {}
  const app = await NestFactory.create<NestFastifyApplication>(App, new FastifyAdapter(), { logger: ['error'] });
  await app.listen(0, '127.0.0.1');
  return { app, clock, url: await app.getUrl() };
}

describeOn(await testBackends(), 'live updates: two nodes on $name', ({ create, drop }) => {
  let here: Awaited<ReturnType<typeof startNode>>;
  let there: Awaited<ReturnType<typeof startNode>>;
  let run = 0;
  let definitionId: string;

  const deploy = async () => {
    const wait = { type: 'Elsa.Event', id: 'E', eventName: literal(`${definitionId}-go`) };
    await there.app.get(IWorkflowDefinitionPublisher).saveAndPublish({ definitionId, root: sequence('Root', wait) });
  };
  const start = async () => {
    const { result } = await there.app.get(IWorkflowStarter).start({ definition: definitionId });
    return result!.workflowInstanceId;
  };

  beforeEach(async () => {
    definitionId = `live-${++run}`;
    here = await startNode(await create());
    there = await startNode(await create());
  });
  afterEach(async () => {
    await here.app.close();
    await there.app.close();
  });
  afterAll(() => drop());

  it('live updates: two nodes tell within a second what the other node commits', async () => {
    const live = await LiveReader.open(here.url);
    await live.next();
    await deploy();
    await here.clock.advance(1000);
    const published = await live.until(({ data }) => data.definitionId === definitionId);
    expect(published).toMatchObject({ name: 'definition-changed', data: { change: 'Published' } });
    const id = await start();
    await here.clock.advance(1000);
    const begun = await live.until(({ data }) => data.id === id);
    expect(begun.data).toMatchObject({ subStatus: 'Suspended', bookmarks: [{ name: 'Elsa.Event' }] });
    await there.app.get(IEventPublisher).publish(`${definitionId}-go`, { workflowInstanceId: id });
    await here.clock.advance(1000);
    expect((await live.until(({ data }) => data.id === id)).data).toMatchObject({ subStatus: 'Finished' });
    live.leave();
  });

  it('live updates: two nodes tell of the deletion of an instance that is followed by name', async () => {
    await deploy();
    const id = await start();
    const live = await LiveReader.open(here.url, `?workflowInstanceId=${id}`);
    expect((await live.until(({ data }) => data.id === id)).data).toMatchObject({ status: 'Running' });
    await fetch(`${there.url}/elsa/api/workflow-instances/${id}`, { method: 'DELETE' });
    await here.clock.advance(1000);
    expect(await live.next()).toMatchObject({ name: 'instance-deleted', data: { id, definitionId } });
    live.leave();
  });

  it('live updates: two nodes continue on the other node after the last event that was read', async () => {
    await deploy();
    const live = await LiveReader.open(here.url, '?topic=instances');
    await live.next();
    const id = await start();
    await here.clock.advance(1000);
    await live.until(({ data }) => data.id === id);
    const { lastEventId } = live;
    live.leave();
    await there.app.get(IEventPublisher).publish(`${definitionId}-go`, { workflowInstanceId: id });
    const again = await LiveReader.open(there.url, '?topic=instances', { 'last-event-id': lastEventId! });
    expect((await again.until(({ data }) => data.id === id)).data).toMatchObject({ subStatus: 'Finished' });
    again.leave();
  });

  it('live updates: two nodes reach the clients of the hub at each of them', async () => {
    await deploy();
    const id = await start();
    const hub = (node: typeof here) => `${node.url}/elsa/hubs/workflow-instance`;
    const clients = await Promise.all(
      [here, there].map(async (node) => {
        const negotiated = await fetch(`${hub(node)}/negotiate?negotiateVersion=1`, { method: 'POST' });
        const { connectionToken } = (await negotiated.json()) as { connectionToken: string };
        const client = await RawHubClient.greeted(`${hub(node)}?id=${connectionToken}`);
        client.send({ type: 1, target: 'ObserveInstanceAsync', arguments: [id], invocationId: '1' });
        // The first statistics too: read while the clock stands, they would put off the next ones until it moves again.
        const seen = new Set<unknown>();
        await client.until(({ type, target }) => {
          seen.add(type === 3 ? 'answered' : target);
          return seen.has('answered') && seen.has('ActivityExecutionLogUpdatedAsync');
        });
        return client;
      }),
    );
    await there.app.get(IEventPublisher).publish(`${definitionId}-go`, { workflowInstanceId: id });
    await here.clock.advance(2000);
    await there.clock.advance(2000);
    for (const client of clients) {
      await client.until(({ target }) => target === 'WorkflowInstanceUpdatedAsync');
      const { arguments: told } = await client.until(({ target }) => target === 'ActivityExecutionLogUpdatedAsync');
      expect(told[0].stats).toContainEqual(expect.objectContaining({ activityId: 'E', completedCount: 1 }));
      client.leave();
    }
  });
});
