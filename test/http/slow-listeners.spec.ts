import { EventEmitter, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { OnEvent } from '@nestjs/event-emitter';
import { ExpressAdapter } from '@nestjs/platform-express';
import { IWorkflowDefinitionPublisher, MemoryPersistence, WorkflowEvent } from '@waymark/runtime';
import { StoreFollower } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { literal, startedBy } from '../support/runtime-node.js';
import { type HttpNode, startHttpNode } from './http-node.js';

const calls = new EventEmitter();
/** When the test is over. */
let isOver = false;

@Injectable()
class NeverReady {
  @OnEvent(WorkflowEvent.TriggersIndexed)
  @OnEvent(WorkflowEvent.DefinitionsChanged)
  wait(): Promise<void> {
    calls.emit('called');
    return new Promise((resolve) => (isOver ? resolve() : calls.once('over', () => resolve())));
  }
}

const hello = [
  { type: 'Elsa.HttpEndpoint', id: 'In', path: literal('in'), ...startedBy },
  { type: 'Elsa.WriteHttpResponse', id: 'R', content: literal('hello') },
];

describe('a listener of the application that does not complete', () => {
  const nodes: HttpNode[] = [];
  beforeEach(() => {
    isOver = false;
  });
  afterEach(async () => {
    isOver = true;
    calls.emit('over');
    for (const node of nodes.splice(0)) await node.app.close();
  });
  const start = async (store: MemoryPersistence, providers = [NeverReady]) => {
    const persistence = Object.assign(Object.create(store) as MemoryPersistence, { close: async () => undefined });
    // Time that is moved would wait for the listener for a second.
    const clock = new VirtualClock(undefined, { patienceMs: 50 });
    const node = await startHttpNode(new ExpressAdapter(), persistence, {}, providers, clock);
    nodes.push(node);
    return node;
  };

  it('does not keep a publish from the routes of its node, and holds it for half a minute at most', async () => {
    const node = await start(new MemoryPersistence());
    const called = once(calls, 'called');
    const published = node.publish('w', hello);
    await called;
    expect((await node.call('GET', 'in')).text).toBe('hello');
    await node.clock.advance(30_000);
    await published;
    expect((await node.call('GET', 'in')).text).toBe('hello');
  });

  it('does not keep a node from following what other nodes change', async () => {
    const store = new MemoryPersistence();
    const [here, there] = [await start(store, []), await start(store)];
    await here.publish('w', hello);
    void there.get(StoreFollower).follow();
    while ((await there.call('GET', 'in')).status !== 200) await setImmediate();
    await there.clock.advance(30_000);
    await here.get(IWorkflowDefinitionPublisher).retract('w');
    await there.clock.advance(30_000);
    void there.get(StoreFollower).follow();
    while ((await there.call('GET', 'in')).status !== 404) await setImmediate();
    await there.clock.advance(30_000);
  });
});
