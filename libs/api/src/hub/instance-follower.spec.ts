import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { StoreUnavailableError } from '@waymark/runtime';
import { VirtualClock } from '@waymark/testing';
import type { HubConnection } from './hub-connection.js';
import { InstanceFollower } from './instance-follower.js';

const INSTANCE = 'large';

/** A connection that observes an instance with so many nodes, and how often each has been executed. */
async function observing(count: number) {
  const sent: string[] = [];
  const clock = new VirtualClock();
  // After all are sent, until the next ones may be.
  const pauses = jest.spyOn(clock, 'setTimer');
  const nodes = Array.from({ length: count }, (_, n) => ({ activityNodeId: `Root/Activity-${n}`, completedCount: 0 }));
  const statistics = { of: async () => structuredClone(nodes) };
  const connection = {
    caller: { seesExecutions: true },
    waiting: 0,
    send: (text: string) => sent.push(text),
    end: () => undefined,
  } as unknown as HubConnection;
  const follower = new InstanceFollower(connection, {
    feed: { follow: async () => undefined } as never,
    persistence: { instances: { findMany: async () => ({ items: [{ id: INSTANCE }] }) } } as never,
    statistics: statistics as never,
    clock,
    bufferBytes: 1024 * 1024,
  });
  await follower.call('ObserveInstanceAsync', [INSTANCE]);
  const ids = () => sent.flatMap((text) => [...text.matchAll(/"activityNodeId":"([^"]+)"/g)].map(([, id]) => id!));
  return {
    nodes,
    statistics,
    /** @returns ids of the nodes that are sent when the pause after the last ones is over */
    async later(): Promise<string[]> {
      sent.length = 0;
      await clock.advance(1_000_000);
      await turn();
      return ids();
    },
    /** @returns ids of the nodes that are sent after a change of the instance */
    async change(): Promise<string[]> {
      sent.length = 0;
      const before = pauses.mock.calls.length;
      follower.tell({ name: 'instance-changed', topic: 'instances', workflowInstanceId: INSTANCE } as never);
      while (pauses.mock.calls.length === before) {
        await clock.advance(1_000_000);
        await turn();
      }
      return ids();
    },
  };
}

describe('a connection that observes an instance', () => {
  it('receives the statistics of its nodes, and later those that have changed', async () => {
    const hub = await observing(3);
    expect(await hub.change()).toHaveLength(3);
    hub.nodes[1]!.completedCount = 1;
    expect(await hub.change()).toEqual(['Root/Activity-1']);
    expect(await hub.change()).toEqual([]);
  });

  it.each([
    [new StoreUnavailableError('out'), 3],
    [new Error('unreadable'), 0],
  ])('receives the statistics later if they could not be read during an outage (%s)', async (error, count) => {
    const hub = await observing(3);
    jest.spyOn(hub.statistics, 'of').mockRejectedValueOnce(error);
    expect([...(await hub.change()), ...(await hub.later())]).toHaveLength(count);
  });

  it('receives those of 20,000 nodes: what was sent is remembered for each', async () => {
    const hub = await observing(30_000);
    expect(await hub.change()).toHaveLength(20_000);
    hub.nodes[7]!.completedCount = 1;
    hub.nodes[29_999]!.completedCount = 1;
    expect(await hub.change()).toEqual(['Root/Activity-7']);
  });
});
