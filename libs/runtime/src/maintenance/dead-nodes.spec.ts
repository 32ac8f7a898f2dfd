import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FaultPoints, VirtualClock, withFaultPoints } from '@waymark/testing';
import type { InterruptedInstances } from './interrupted-instances.js';
import { resolveRuntimeOptions } from '../options/resolve-runtime-options.js';
import { StoreHealth } from '../outages/store-health.js';
import { StoreOutages } from '../outages/store-outages.js';
import { MemoryPersistence } from '../persistence/memory/memory-persistence.js';
import type { NodeProcess, RuntimeNode } from '../persistence/node-store.js';
import type { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { DeadNodes } from './dead-nodes.js';
import { MachineProcesses } from './machine-processes.js';

const SECOND = 1000;
const LEASE_MS = 30 * SECOND;

/** Those of a test. */
class FakeProcesses extends MachineProcesses {
  machine: string | undefined = 'here';
  readonly ended = new Set<string>();
  override own(): NodeProcess | undefined {
    return this.machine === undefined ? undefined : { machine: this.machine, id: '1 1' };
  }
  override isGone({ id }: NodeProcess): boolean {
    return this.ended.has(id);
  }
}

describe('DeadNodes', () => {
  let clock: VirtualClock;
  let store: MemoryPersistence;
  let processes: FakeProcesses;
  let asked: string[];
  let warnings: jest.SpiedFunction<Logger['warn']>;
  beforeEach(() => {
    clock = new VirtualClock();
    store = new MemoryPersistence();
    processes = new FakeProcesses();
    asked = [];
    warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  function deadNodes(persistence: WorkflowPersistence = store, nodeName = 'this'): DeadNodes {
    const outages = new StoreOutages(new StoreHealth(persistence, clock), clock);
    const leftBy = (name: string) => ({
      name,
      takeBatch: async () => {
        asked.push(name);
        return false;
      },
    });
    const interrupted = { leftBy } as unknown as InterruptedInstances;
    return new DeadNodes(persistence, processes, interrupted, outages, clock, resolveRuntimeOptions({ nodeName }));
  }

  const nodeOf = (name: string, id: string, machine = 'here'): RuntimeNode => ({
    name,
    version: '0.1.0',
    platform: 'v22.0.0',
    startedAt: new Date(clock.now()),
    seenAt: new Date(clock.now()),
    state: 'Running',
    activeBursts: 0,
    process: { machine, id },
  });
  const now = () => new Date(clock.now());

  /** A message that this node has claimed. */
  async function claimedBy(owner: string): Promise<string> {
    const id = `of ${owner} ${(await store.outbox.count()).waiting}`;
    await store.outbox.add([{ id, kind: 'test', payload: null, createdAt: now(), availableAt: now(), attempts: 0 }]);
    expect((await store.outbox.renew([id], { owner, leaseMs: LEASE_MS, now: now() })).renewed).toEqual([id]);
    return id;
  }
  const free = async () =>
    (await store.outbox.claim({ owner: 'taker', limit: 100, leaseMs: LEASE_MS, now: now() })).map(({ id }) => id);

  it('ends the claims of a node whose process has ended, in its next round, and asks for its bursts', async () => {
    await store.nodes.announce(nodeOf('other', '7 7'));
    const [ofOther, ofThird] = [await claimedBy('other'), await claimedBy('third')];
    const dead = deadNodes();
    await dead.prepare();
    await dead.look();
    expect([await free(), asked]).toEqual([[], []]);
    processes.ended.add('7 7');
    await dead.look();
    expect([await free(), asked]).toEqual([[ofOther], ['other']]);
    expect(warnings.mock.calls).toEqual([[expect.stringContaining("node 'other' on this machine")]]);
    // The other one may be on another machine, and its claim holds until its end.
    await clock.advance(LEASE_MS);
    expect(await free()).toContain(ofThird);
  });

  it('ends what the server still did for it a moment later, and forgets its process then', async () => {
    await store.nodes.announce(nodeOf('other', '7 7'));
    const dead = deadNodes();
    processes.ended.add('7 7');
    await dead.prepare();
    const late = await claimedBy('other');
    await clock.advance(SECOND);
    await dead.look();
    expect(await free()).toEqual([late]);
    expect(await store.nodes.findOn('here', 10)).toHaveLength(1);
    await clock.advance(2 * SECOND);
    await dead.look();
    expect(await store.nodes.findOn('here', 10)).toEqual([]);
    expect((await store.nodes.list(10)).map(({ name }) => name)).toEqual(['other']);
  });

  it('concludes nothing about nodes of other machines, nor where processes are not known', async () => {
    await store.nodes.announce(nodeOf('elsewhere', '7 7', 'there'));
    await store.nodes.announce({ ...nodeOf('older', '7 7'), process: undefined });
    await store.nodes.announce(nodeOf('other', '8 8'));
    for (const name of ['elsewhere', 'older', 'other']) await claimedBy(name);
    processes.ended.add('7 7').add('8 8');
    processes.machine = undefined;
    const dead = deadNodes();
    await dead.prepare();
    await dead.look();
    expect([await free(), asked]).toEqual([[], []]);
  });

  it('takes over from its predecessor of the same name before it claims anything, and never from itself', async () => {
    await store.nodes.announce(nodeOf('this', '7 7'));
    const left = await claimedBy('this');
    processes.ended.add('7 7').add('1 1');
    const dead = deadNodes();
    await dead.prepare();
    expect(await free()).toEqual([left]);
    await store.nodes.announce(nodeOf('this', '1 1'));
    await claimedBy('this');
    await clock.advance(10 * SECOND);
    await dead.look();
    await dead.look();
    expect([await free(), asked]).toEqual([[], ['this']]);
  });

  it('a node takes over from its predecessor even where taking over from another node fails: others would end its own claims', async () => {
    await store.nodes.announce(nodeOf('other', '6 6'));
    await store.nodes.announce(nodeOf('this', '7 7'));
    const left = await claimedBy('this');
    processes.ended.add('6 6').add('7 7');
    const { endClaims } = store.nodes;
    jest.spyOn(store.nodes, 'endClaims').mockImplementation(async (node, time) => {
      if (node.name === 'other') throw new Error('deadlock');
      return endClaims.call(store.nodes, node, time);
    });
    await deadNodes().prepare();
    expect(await free()).toEqual([left]);
    expect((await store.nodes.findOn('here', 10)).map(({ name }) => name)).toEqual(['other']);
    expect(warnings.mock.calls.flat()).toContainEqual(expect.stringContaining('deadlock'));
  });

  it('leaves a name alone that a later process has by now', async () => {
    await store.nodes.announce(nodeOf('other', '7 7'));
    const dead = deadNodes();
    await dead.prepare();
    processes.ended.add('7 7');
    await clock.advance(SECOND);
    await store.nodes.announce(nodeOf('other', '8 8'));
    await claimedBy('other');
    await dead.look();
    expect([await free(), asked]).toEqual([[], []]);
    expect(await store.nodes.findOn('here', 10)).toHaveLength(1);
  });

  it('costs a healthy cluster one query in ten seconds', async () => {
    for (const name of ['a', 'b', 'c']) await store.nodes.announce(nodeOf(name, `${name} 1`));
    const points = new FaultPoints();
    const dead = deadNodes(withFaultPoints(store, points));
    await dead.prepare();
    for (let round = 0; round < 25; round++) {
      await clock.advance(SECOND);
      await dead.look();
    }
    expect(points.reached).toEqual([1, 2, 3].map((n) => `nodes.findOn#${n}`));
  });

  it('keeps neither a start nor a round from continuing when the store fails, and tries again', async () => {
    await store.nodes.announce(nodeOf('other', '7 7'));
    processes.ended.add('7 7');
    const left = await claimedBy('other');
    const failing = jest.spyOn(store.nodes, 'endClaims').mockRejectedValueOnce(new Error('deadlock'));
    const dead = deadNodes();
    await dead.prepare();
    expect([failing.mock.calls.length, await free()]).toEqual([1, []]);
    expect(warnings.mock.calls).toEqual([[expect.stringContaining('deadlock')]]);
    await dead.look();
    expect(await free()).toEqual([left]);
  });
});
