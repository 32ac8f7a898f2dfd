import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { RuntimeGate, type WorkflowPersistence } from '@waymark/runtime';
import { NodeHeartbeat } from '@waymark/runtime/adapter';
import { FaultPoints, withFaultPoints } from '@waymark/testing';
import { EVERY_STORE, testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { startNode } from '../support/runtime-node.js';

describeOn(await testBackends(...EVERY_STORE), 'the list of nodes: $name', (backend) => {
  let store: WorkflowPersistence;
  beforeAll(async () => {
    store = await backend.create();
    await store.initialize();
  });
  afterAll(async () => {
    await store.close();
    await backend.drop();
  });
  /** Each node closes its own; what is in memory is there once. */
  const own = () => (backend.name === 'memory' ? Promise.resolve(store) : backend.create());
  const listed = async () => (await store.nodes.list(10)).map(({ name, state }) => [name, state]);

  it('contains each running node with its current state, until it ends', async () => {
    const one = await startNode(await own(), { nodeName: 'one' });
    const two = await startNode(await own(), { nodeName: 'two' });
    two.get(RuntimeGate).pause();
    await Promise.all([one, two].map((node) => node.get(NodeHeartbeat).announce()));
    expect(await listed()).toEqual([
      ['one', 'Running'],
      ['two', 'Paused'],
    ]);
    await one.close();
    expect(await listed()).toEqual([['two', 'Paused']]);
    await two.close();
    expect(await listed()).toEqual([]);
  });

  it('is written when the store allows it, and prevents no node from working or ending', async () => {
    const points = new FaultPoints();
    const node = await startNode(withFaultPoints(await own(), points), { nodeName: 'three' });
    await node.get(NodeHeartbeat).announce();
    points.refuse('everything');
    await node.get(NodeHeartbeat).announce();
    points.heal();
    expect(await listed()).toEqual([['three', 'Running']]);
    points.refuse('everything');
    await node.close();
    expect(await listed()).toEqual([['three', 'Running']]);
  });
});
