import { afterAll, afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { RuntimeGate, WorkflowPersistence } from '@waymark/runtime';
import { OutboxProcessor } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { type RuntimeNode, startNode } from '../support/runtime-node.js';

const PLACES = 4;
/** Of messages in memory, for each place. */
const HELD = PLACES * 64;

/** Resolves when so many messages have been served. */
class Served {
  count = 0;
  private waiting: (() => void)[] = [];

  note(): void {
    this.count++;
    for (const look of this.waiting.splice(0)) look();
  }

  async reach(count: number): Promise<void> {
    while (this.count < count) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}

/** The time stands still in all of them: nothing waits for the next look at the store. */
describeOn(await testBackends(), 'a backlog of messages, on $name', (backend) => {
  let clock: VirtualClock;
  let node: RuntimeNode;
  let store: WorkflowPersistence;
  let outbox: OutboxProcessor;
  let served: Served;
  let end: () => void;

  beforeEach(async () => {
    clock = new VirtualClock();
    node = await startNode(await backend.create(), { clock, deliveryConcurrency: PLACES });
    store = node.get(WorkflowPersistence);
    outbox = node.get(OutboxProcessor);
    served = new Served();
    const ended = new Promise<void>((resolve) => (end = resolve));
    const consume = async ({ id }: { id: string }) => {
      await store.outbox.delete(id);
      served.note();
    };
    outbox.register({ kind: 'fast', handle: consume });
    outbox.register({ kind: 'slow', handle: (message) => ended.then(() => consume(message)) });
  });
  afterEach(async () => {
    end();
    await outbox.settled();
    await node.close();
  });
  afterAll(() => backend.drop());

  /** As a node leaves it that died before it served any. */
  const leave = (kind: string, count: number) => {
    const row = { kind, payload: {}, attempts: 0, createdAt: new Date(0), availableAt: new Date(0) };
    return store.outbox.add(Array.from({ length: count }, (_, n) => ({ ...row, id: `${kind}-${n}` })));
  };
  const send = (kind: string, count: number) =>
    outbox.send(Array.from({ length: count }, () => ({ kind, payload: {} })));

  it('is served to the end while one message takes long', async () => {
    await leave('slow', 1);
    await leave('fast', 60);
    await outbox.poll();
    await served.reach(60);
    expect((await store.outbox.count()).waiting).toBe(1);
  });

  it('is served through the one place that is left', async () => {
    await leave('slow', PLACES - 1);
    await leave('fast', 30);
    await outbox.poll();
    await served.reach(30);
    expect((await store.outbox.count()).waiting).toBe(PLACES - 1);
  });

  it('is looked for once for all that end at the same time, as those do that are stored together', async () => {
    const rounds = 8;
    const ending: (() => void)[] = [];
    const endAll = async () => {
      // Not so fast that work is taken ahead.
      await clock.advance(1000);
      for (const each of ending.splice(0)) each();
    };
    outbox.register({
      kind: 'together',
      handle: async ({ id }) => {
        await store.outbox.delete(id);
        const ended = new Promise<void>((resolve) => ending.push(resolve));
        if (ending.length === PLACES) void endAll();
        await ended;
        served.note();
      },
    });
    const claim = jest.spyOn(store.outbox, 'claim');
    await leave('together', PLACES * rounds);
    await outbox.poll();
    await served.reach(PLACES * rounds);
    await outbox.settled();
    // The last one finds that there are no more.
    expect(claim.mock.calls.map(([{ limit }]) => limit)).toEqual(Array.from({ length: rounds + 1 }, () => PLACES));
  });

  it('is available to any node at once when this one is full', async () => {
    await send('slow', HELD + 20);
    const taken = await store.outbox.claim({
      owner: 'other',
      limit: HELD,
      leaseMs: 1000,
      now: new Date(clock.now()),
    });
    expect(taken).toHaveLength(20);
    await Promise.all(taken.map(({ id }) => store.outbox.delete(id)));
  });

  it('a backlog of messages of which a node takes no more, because it shuts down, keeps nothing waiting for its end', async () => {
    const ending: (() => void)[] = [];
    const begun = new Promise<void>((resolve) => {
      outbox.register({
        kind: 'together',
        handle: async ({ id }) => {
          await store.outbox.delete(id);
          const ended = new Promise<void>((done) => ending.push(done));
          if (ending.length === PLACES) resolve();
          await ended;
        },
      });
    });
    await leave('together', PLACES * 2);
    await outbox.poll();
    await begun;
    void node.get(RuntimeGate).drain();
    const settled = outbox.settled();
    for (const end of ending.splice(0)) end();
    await settled;
    const left = await store.outbox.claim({ owner: 'other', limit: HELD, leaseMs: 1000, now: new Date(clock.now()) });
    expect(left).toHaveLength(PLACES);
    await Promise.all(left.map(({ id }) => store.outbox.delete(id)));
  });

  it('a node serves all messages of a burst, even more than it holds', async () => {
    await send('fast', HELD * 3);
    await served.reach(HELD * 3);
    expect((await store.outbox.count()).waiting).toBe(0);
  });
});
