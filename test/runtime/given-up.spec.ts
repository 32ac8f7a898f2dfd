import { afterAll, afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Activity, ActivityBase, type ActivityExecutionContext } from '@waymark/core';
import { IWorkflowDispatcher, type WorkflowPersistence } from '@waymark/runtime';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { type RuntimeNode, sequence, startNode } from '../support/runtime-node.js';

const SECOND = 1000;

/** On which nodes it runs, in the order in which it began. */
let began: string[] = [];
let counter = 0;
let release: () => void;
let released: Promise<void>;

/** Takes until the test says so, and does not listen to anything. */
const slowOn = (node: string) => {
  @Activity({ type: 'Test.Slow' })
  class Slow extends ActivityBase {
    async execute(ctx: ActivityExecutionContext): Promise<void> {
      began.push(node);
      await released;
      await ctx.complete();
    }
  }
  return Slow;
};

describeOn(await testBackends(), 'work that takes minutes, on $name', (backend) => {
  let clock: VirtualClock;
  let store: WorkflowPersistence;
  let nodes: RuntimeNode[];
  let workflow: string;
  let messageId: string;
  afterAll(() => backend.drop());
  beforeEach(async () => {
    began = [];
    workflow = `takes-minutes-${++counter}`;
    released = new Promise((resolve) => (release = resolve));
    clock = new VirtualClock(new Date().toISOString());
    store = await backend.create();
    nodes = [];
    for (const nodeName of ['one', 'other']) {
      const options = { clock, nodeName, pollIntervalMs: SECOND, drainTimeoutMs: 5 * SECOND };
      nodes.push(await startNode(shared(store), { ...options, providers: [slowOn(nodeName)] }));
    }
    await nodes[0]!.deploy(workflow, sequence('S', { type: 'Test.Slow', id: 'L' }));
    // By a message, which the node that stores it serves.
    const outbox = jest.spyOn(store.outbox, 'add');
    await nodes[0]!.get(IWorkflowDispatcher).dispatch({ definition: workflow });
    // Tests share the store in memory, and so the spy: the latest one.
    messageId = outbox.mock.calls.flatMap(([messages]) => messages).at(-1)?.id ?? '';
    await pass(1);
    expect(began).toEqual(['one']);
  });
  afterEach(async () => {
    release();
    await Promise.all(nodes.map((node) => node.close()));
    await store.close();
  });

  async function pass(seconds: number): Promise<void> {
    for (let at = 0; at < seconds; at++) await clock.advance(SECOND);
  }
  const finished = () => store.instances.count({ definitionIds: [workflow], subStatuses: ['Finished'] });

  it('is done by its own node alone, however long its burst takes without a commit', async () => {
    await pass(180);
    expect(began).toEqual(['one']);
    release();
    await Promise.all(nodes.map((node) => node.settled()));
    expect([began, await finished()]).toEqual([['one'], 1]);
  });

  it('is taken over from a node that gave up at its shutdown, although its process lives on', async () => {
    const [one, other] = nodes as [RuntimeNode, RuntimeNode];
    const closed = one.close();
    await pass(6);
    await closed;
    await pass(40);
    expect(began).toEqual(['one', 'other']);
    // The shutdown was no death: work that is longer than deployments are apart must not use up its attempts.
    expect((await store.outbox.find(messageId))?.attempts).toBe(0);
    expect((await store.nodes.list(10)).map(({ name }) => name)).toEqual(['other']);
    release();
    await other.settled();
    expect(await finished()).toBe(1);
  });
});

/** The store belongs to the application, which still uses it after one of its nodes has shut down. */
function shared(store: WorkflowPersistence): WorkflowPersistence {
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'close') return () => Promise.resolve();
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
}
