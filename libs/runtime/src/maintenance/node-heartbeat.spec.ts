import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { VirtualClock } from '@waymark/testing';
import { RuntimeGate } from '../bursts/runtime-gate.js';
import { resolveRuntimeOptions } from '../options/resolve-runtime-options.js';
import { StoreHealth } from '../outages/store-health.js';
import { StoreOutages } from '../outages/store-outages.js';
import { MemoryPersistence } from '../persistence/memory/memory-persistence.js';
import { StoreUnavailableError } from '../persistence/persistence-errors.js';
import { MachineProcesses } from './machine-processes.js';
import { NodeHeartbeat } from './node-heartbeat.js';

describe('NodeHeartbeat', () => {
  it('removes the node from the list permanently, also when a heartbeat is being written as it stops', async () => {
    const clock = new VirtualClock();
    const store = new MemoryPersistence();
    const outages = new StoreOutages(new StoreHealth(store, clock), clock);
    const options = resolveRuntimeOptions({ nodeName: 'one' });
    const heartbeat = new NodeHeartbeat(store, new RuntimeGate(), clock, outages, new MachineProcesses(), options);
    const announce = store.nodes.announce.bind(store.nodes);
    let answer = (): void => undefined;
    const isSlow = new Promise<void>((resolve) => (answer = resolve));
    const slow = jest.spyOn(store.nodes, 'announce').mockImplementationOnce(async (node) => {
      await isSlow;
      await announce(node);
    });
    heartbeat.start();
    await setImmediate();
    expect(slow).toHaveBeenCalledTimes(1);
    heartbeat.stop();
    await setImmediate();
    answer();
    await setImmediate();
    expect(await store.nodes.list(10)).toEqual([]);
    expect(clock.pending).toEqual([]);
  });

  it('says nothing when the store is closed right after the start, as in a test that starts and closes an application', async () => {
    const clock = new VirtualClock();
    const store = new MemoryPersistence();
    const outages = new StoreOutages(new StoreHealth(store, clock), clock);
    const heartbeat = new NodeHeartbeat(
      store,
      new RuntimeGate(),
      clock,
      outages,
      new MachineProcesses(),
      resolveRuntimeOptions({}),
    );
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    const closed = new StoreUnavailableError('The database was closed.');
    const purge = jest.spyOn(store.nodes, 'purge').mockRejectedValue(closed);
    jest.spyOn(store.nodes, 'remove').mockRejectedValue(closed);
    heartbeat.start();
    heartbeat.stop();
    await setImmediate();
    expect([warn.mock.calls, outages.isOut, purge.mock.calls]).toEqual([[], false, []]);
  });
});
