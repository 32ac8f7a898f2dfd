import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { IEventPublisher, IWorkflowRuntime, type WorkflowPersistence } from '@waymark/runtime';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

const LIMIT = 10;
const RECEIVERS = 25;
const LARGE = 'x'.repeat(100_000);
const MINUTE = 60_000;

describeOn(await testBackends(), 'an event with a large payload for many, on $name', (backend) => {
  let store: WorkflowPersistence;
  let clock: VirtualClock;
  let node: RuntimeNode;
  let event: string;
  let runs = 0;

  beforeEach(async () => {
    clock = new VirtualClock(Date.now());
    store = await backend.create();
    node = await startNode(store, { fanOutLimit: LIMIT, clock });
    event = `large-${++runs}`;
    await deploy(event, { type: 'Variable', value: { id: 'got' } });
  });
  afterEach(() => node.close());
  afterAll(() => backend.drop());

  /** Instances write what they have got. */
  async function deploy(definition: string, written: object): Promise<void> {
    const received = waitFor('E', event, { result: { typeName: 'Object', memoryReference: { id: 'got' } } });
    const text = { typeName: 'String', expression: written };
    const variables = [{ id: 'got', name: 'Got', typeName: 'Object' }];
    await node.deploy(definition, sequence('S', received, { type: 'Elsa.WriteLine', id: 'L', text }), { variables });
  }

  async function startReceivers(): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < RECEIVERS; n++) {
      const client = await node.get(IWorkflowRuntime).createClient(`${event}-${n}`);
      ids.push((await client.createAndRunInstance({ definition: event })).workflowInstanceId);
    }
    return ids;
  }

  /** Runs a task, and looks at the messages of its fan-out as soon as they are written. */
  async function seeing(
    look: (fanOutId: string, ids: readonly string[]) => Promise<unknown>,
    task: () => Promise<unknown>,
  ) {
    const { fanOut } = store.outbox;
    store.outbox.fanOut = async (given) => {
      const count = await fanOut.call(store.outbox, given);
      const own = given.messages.map((message) => message.id);
      await look(given.id, [...own, ...Array.from({ length: count }, (_, n) => `${given.id}/${n + 1}`)]);
      return count;
    };
    try {
      await task();
      await node.settled();
    } finally {
      store.outbox.fanOut = fanOut;
    }
  }

  it.each(['publish', 'dispatch'] as const)('stores its payload once (%s)', async (how) => {
    await startReceivers();
    let count = 0;
    let chars = 0;
    const measure = async (_: string, ids: readonly string[]): Promise<void> => {
      count = ids.length;
      for (const id of ids) chars += JSON.stringify((await store.outbox.find(id))!.payload).length;
    };
    await seeing(measure, () => node.get(IEventPublisher)[how](event, { payload: LARGE }));
    expect(count).toBe(RECEIVERS + 1);
    expect(chars).toBeGreaterThan(LARGE.length);
    expect(chars).toBeLessThan(LARGE.length + 100 * RECEIVERS);
    expect(node.lines.map((text) => text === LARGE)).toEqual(Array.from({ length: RECEIVERS }, () => true));
    // Where the sender has resumed the last one, it ends itself.
    await clock.advance(2 * MINUTE);
    await node.settled();
    expect(await store.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
  });

  it('keeps the payload while another node may serve the rest, and for a dead letter', async () => {
    await startReceivers();
    await seeing(
      (_, written) => store.outbox.moveToDeadLetters(written.at(-1)!, 'not today'),
      () => node.get(IEventPublisher).dispatch(event, { payload: LARGE }),
    );
    expect(node.lines).toHaveLength(RECEIVERS - 1);
    await clock.advance(10 * MINUTE);
    await node.settled();
    expect(await store.outbox.count()).toEqual({ waiting: 1, deadLetters: 1 });
    const { items } = await store.outbox.findDeadLetters({});
    expect(items.map(({ payload }) => Object.keys(payload as object).toSorted())).toEqual([['bookmarkId', 'of']]);
    await store.outbox.revive([items[0]!.id], new Date(clock.now()));
    await node.settled();
    expect(node.lines.at(-1) === LARGE).toBe(true);
    expect(node.lines).toHaveLength(RECEIVERS);
    expect(await store.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
  });

  it('leaves out instances that were deleted meanwhile, and is gone when none is left', async () => {
    const ids = await startReceivers();
    await seeing(
      () => store.instances.delete(ids),
      () => node.get(IEventPublisher).dispatch(event, { payload: LARGE }),
    );
    await clock.advance(2 * MINUTE);
    await node.settled();
    expect(node.lines).toEqual([]);
    expect(await store.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
  });
});
