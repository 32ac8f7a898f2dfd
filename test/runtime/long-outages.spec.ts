import { afterAll, expect, it } from '@jest/globals';
import { OutboxProcessor } from '@waymark/runtime/adapter';
import { FaultPoints, VirtualClock, withFaultPoints } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { startNode } from '../support/runtime-node.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

describeOn(await testBackends(), 'an outage that outlasts the claims, on $name', (backend) => {
  afterAll(() => backend.drop());

  it('W8: counts no death of the nodes that lived through it, and serves each message once', async () => {
    const clock = new VirtualClock();
    const points = new FaultPoints();
    const store = withFaultPoints(await backend.create(), points);
    const nodes = [
      await startNode(store, { clock, nodeName: 'one' }),
      await startNode(store, { clock, nodeName: 'two' }),
    ];
    const outboxes = nodes.map((node) => node.get(OutboxProcessor));
    const settled = async () => {
      for (const outbox of outboxes) await outbox.settled();
    };
    const served: string[] = [];
    for (const outbox of outboxes)
      outbox.register({
        kind: 'work',
        handle: async ({ id, attempts }) => {
          points.refuse('everything');
          if (await store.outbox.delete(id)) served.push(`${id}: ${attempts}`);
        },
      });
    const now = new Date(clock.now());
    const row = { kind: 'work', payload: 1, createdAt: now, availableAt: now, attempts: 0 };
    const ids = Array.from({ length: 40 }, (_, n) => `m${String(n).padStart(3, '0')}`);
    await store.outbox.add(ids.map((id) => ({ ...row, id })));
    await outboxes[0]!.poll();
    await clock.advance(2 * MINUTE);
    expect(served).toEqual([]);

    // From here on the store stays: what the handlers refuse is healed before they ask it.
    points.refuse = () => points.heal();
    points.heal();
    await clock.advance(SECOND);
    await settled();
    // What no node held is fetched as at any other time.
    await clock.advance(SECOND);
    for (let round = 0; round < 3; round++) {
      for (const outbox of outboxes) await outbox.poll();
      await settled();
    }
    expect(served.toSorted()).toEqual(ids.map((id) => `${id}: 0`));
    expect(await store.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
    // They share one connection in memory.
    for (const node of nodes) await node.close();
  });
});
