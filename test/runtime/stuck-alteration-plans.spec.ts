import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  AlterationPlans,
  IWorkflowRuntime,
  MemoryPersistence,
  RuntimeGate,
  StoreUnavailableError,
  type AlterationFilter,
} from '@waymark/runtime';
import { VirtualClock } from '@waymark/testing';
import { line, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

const SECOND = 1000;
/** More than are selected at once; no instance has one of them. */
const NOBODY = Array.from({ length: 450 }, (_, n) => `0-${String(n).padStart(3, '0')}`);

describe('alteration plans that get no further', () => {
  let memory: MemoryPersistence;
  let clock: VirtualClock;
  let node: RuntimeNode;
  let looks: number;
  let warnings: string[];

  beforeEach(async () => {
    memory = new MemoryPersistence();
    clock = new VirtualClock();
    [looks, warnings] = [0, []];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((text) => void warnings.push(String(text)));
    const find = memory.instances.findIds.bind(memory.instances);
    memory.instances.findIds = async (filter, page) => {
      if (!filter.names) return find(filter, page);
      looks++;
      throw new StoreUnavailableError('canceling statement due to statement timeout', { isOfCall: true });
    };
    node = await startNode(memory, { clock, pollIntervalMs: SECOND, maxDeliveryAttempts: 4 });
  });
  afterEach(async () => {
    await node.close();
    jest.restoreAllMocks();
  });

  const submit = async (filter: AlterationFilter): Promise<string> =>
    (await node.get(AlterationPlans).submit({ alterations: [{ type: 'Cancel' }], filter }))!;
  const slow = () => submit({ names: ['takes too long'] });
  const planOf = (id: string) => memory.alterations.findPlan(id);
  async function waiting(): Promise<string> {
    await node.deploy('waits', sequence('S', waitFor('E', 'go'), line('L', 'x')));
    const client = await node.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition: 'waits' });
    return client.workflowInstanceId;
  }
  const statusOf = async (id: string) => (await memory.instances.findMany({ ids: [id] })).items[0]?.subStatus;

  it('a plan that the database has no time for fails, is named in the log once, and is left alone longer each time', async () => {
    const id = await slow();
    await clock.advance(20 * SECOND);
    expect([looks, await planOf(id)]).toMatchObject([3, { status: 'Pending' }]);
    await clock.advance(40 * SECOND);
    expect([looks, await planOf(id)]).toMatchObject([4, { status: 'Failed' }]);
    expect((await planOf(id))?.isCancelled).toBeUndefined();
    const about = warnings.filter((text) => text.includes(id));
    expect(about.map((text) => /Retrying|It has failed/.exec(text)?.[0])).toEqual(['Retrying', 'It has failed']);
  });

  it('plans behind twenty that are stuck are carried out', async () => {
    const instance = await waiting();
    for (let n = 0; n < 20; n++) await slow();
    await clock.advance(1);
    const behind = await submit({ workflowInstanceIds: [...NOBODY, instance] });
    await clock.advance(6 * SECOND);
    expect([await planOf(behind), await statusOf(instance)]).toMatchObject([{ status: 'Completed' }, 'Cancelled']);
  });

  it('a plan that was cancelled alters nothing more, and its jobs say so', async () => {
    const instance = await waiting();
    node.get(RuntimeGate).pause();
    const [whole, half] = [await submit({ workflowInstanceIds: [instance] }), await slow()];
    const plans = node.get(AlterationPlans);
    expect([await plans.cancel(whole), await plans.cancel(half), await plans.cancel(half)]).toEqual([
      true,
      true,
      false,
    ]);
    node.get(RuntimeGate).resume();
    await clock.advance(60 * SECOND);
    expect([looks, await statusOf(instance)]).toEqual([1, 'Suspended']);
    const { plan, jobs } = (await plans.find(whole))!;
    expect(plan).toMatchObject({ status: 'Failed', isCancelled: true });
    expect(jobs).toMatchObject([{ status: 'Failed', log: [{ message: 'The plan was cancelled.' }] }]);
  });
});
