import { afterAll, afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  type AlterationPlan,
  AlterationPlans,
  BulkPlans,
  type BulkPlan,
  IWorkflowDefinitionPublisher,
  IWorkflowRuntime,
  WorkflowPersistence,
} from '@waymark/runtime';
import { AlterationSelections, BulkPlanWorker } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { createWaymarkDataSource } from '@waymark/typeorm';
import type { DataSource } from 'typeorm';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

const AT = new Date('2026-03-01T00:00:00Z');
const MINUTE = 60_000;

// A plan that a disk, a restore or a person has damaged is one plan: those beside it are carried out.

describeOn(await testBackends('sqlite', 'mysql', 'postgres'), 'a damaged plan on $name', (backend) => {
  let node: RuntimeNode;
  let clock: VirtualClock;
  let dataSource: DataSource;
  let definition: string;
  let tests = 0;
  let warnings: string[];
  beforeEach(async () => {
    clock = new VirtualClock(AT.toISOString());
    warnings = [];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((text) => void warnings.push(String(text)));
    node = await startNode(await backend.create(), { clock, maxDeliveryAttempts: 3 });
    dataSource = await createWaymarkDataSource(backend.url!, { tablePrefix: backend.tablePrefix }).initialize();
    definition = `waits${++tests}`;
    await node.deploy(definition, sequence('S', waitFor('E', 'go'), line('L', 'x')));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await dataSource.destroy();
    await node.close();
  });
  afterAll(() => backend.drop());

  const store = () => node.get(WorkflowPersistence);
  const damage = (table: string, column: string, id: string, text = '{"json":{"a":') =>
    dataSource.query(`UPDATE ${backend.tablePrefix}${table} SET ${column} = '${text}' WHERE id = '${id}'`);
  async function waiting(): Promise<string> {
    const client = await node.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition });
    return client.workflowInstanceId;
  }
  const about = (id: string) => warnings.filter((text) => text.includes(id));
  const newPlan = (id: string, given: Partial<BulkPlan> = {}): BulkPlan => ({
    ...{ id, action: 'CancelInstances', selection: [{ definitionIds: [definition] }], status: 'Pending' },
    ...{ selected: 0, isSelected: false, visited: 0, changed: 0, failed: 0, failures: [], createdAt: AT },
    ...given,
  });
  async function work(): Promise<void> {
    node.get(BulkPlanWorker).wake();
    await node.get(BulkPlanWorker).settled();
    node.get(AlterationSelections).wake();
    await node.get(AlterationSelections).settled();
  }

  it('a plan of bulk work is left alone, longer each time, while another one is carried out', async () => {
    await waiting();
    const { bulkPlans } = store();
    const id = `damaged-${tests}`;
    await bulkPlans.submit(newPlan(id));
    await damage('bulk_plans', 'data', id);
    const other = await node
      .get(BulkPlans)
      .submit({ action: 'CancelInstances', filters: [{ definitionIds: [definition] }] });
    await work();
    expect(await bulkPlans.find(other)).toMatchObject({ status: 'Completed', changed: 1 });
    for (const minutes of [1, 2, 4]) {
      await clock.setTime(clock.now() + minutes * MINUTE);
      await work();
    }
    expect(about(id)).toEqual([expect.stringContaining('column "data"')]);
    expect(await node.get(BulkPlans).cancel(id)).toBe(true);
    expect(await bulkPlans.find(id)).toMatchObject({ status: 'Cancelled', selection: [] });
  });

  it('a plan of alterations fails in the end, while another one is carried out', async () => {
    const instance = await waiting();
    const { alterations } = store();
    const id = `altering-${tests}`;
    const plan: AlterationPlan = {
      ...{ id, alterations: [{ type: 'Cancel' }], submitted: [], status: 'Pending', createdAt: AT },
      workflowInstanceFilter: { workflowInstanceIds: [instance] },
    };
    await alterations.submit(plan);
    await damage('alteration_plans', 'data', id);
    await work();
    const other = await node
      .get(AlterationPlans)
      .submit({ alterations: plan.alterations, filter: plan.workflowInstanceFilter });
    for (let n = 0; n < 3; n++) {
      await clock.advance(6000);
      await node.settled();
      await work();
    }
    expect(await alterations.findPlan(other!)).toMatchObject({ status: 'Completed' });
    await clock.setTime(clock.now() + 30_000);
    await work();
    expect(await alterations.findPlan(id)).toMatchObject({ status: 'Failed', alterations: [] });
  });

  it('a plan that a newer version has written waits for a node of that version', async () => {
    const { alterations } = store();
    const id = `newer-${tests}`;
    const data = {
      alterations: [],
      submitted: [],
      status: 'Pending',
      workflowInstanceFilter: {},
      createdAt: AT,
    } as const;
    await alterations.submit({ id, ...data });
    await damage(
      'alteration_plans',
      'data',
      id,
      '{"json":{"alterations":"x"},"meta":{"values":{"alterations":[["custom","later"]]},"v":1}}',
    );
    expect((await alterations.findPlan(id))?.unreadable).toMatchObject({ code: 'WM2053' });
    for (let n = 0; n < 5; n++) {
      await clock.setTime(clock.now() + 5 * MINUTE);
      await work();
    }
    expect(await alterations.findPlan(id)).toMatchObject({ status: 'Pending' });
    await alterations.cancel(id, AT);
  });

  it('batch is tried again until it counts as failed, and the plan ends', async () => {
    const instance = await waiting();
    const { bulkPlans } = store();
    const id = `batches-${tests}`;
    const batches = [
      { id: `damaged-batch-${tests}`, ids: ['x'] },
      { id: `whole-batch-${tests}`, ids: [instance] },
    ];
    await bulkPlans.submit(newPlan(id, { status: 'Running', selected: 2, isSelected: true }), { batches });
    await damage('bulk_batches', 'data', batches[0]!.id);
    await work();
    expect(await bulkPlans.find(id)).toMatchObject({ status: 'Running', changed: 1, failed: 0 });
    for (let n = 0; n < 3; n++) {
      await clock.setTime(clock.now() + MINUTE);
      await work();
    }
    const failures = [{ id: batches[0]!.id, code: 'WM1054' }];
    expect(await bulkPlans.find(id)).toMatchObject({
      status: 'Completed',
      visited: 1,
      changed: 1,
      failed: 1,
      failures,
    });
  });

  it('a plan of a deletion keeps no definition from being published, nor other deletions from being done', async () => {
    const { bulkPlans, definitions } = store();
    const [damagedId, wholeId] = [`deletes-${tests}`, `deletes-too-${tests}`];
    await node.deploy(`gone${tests}`, line('L', 'x'));
    const deletes = { definitionIds: [`gone${tests}`] };
    for (const id of [damagedId, wholeId]) {
      const plan = newPlan(id, { action: 'DeleteInstances', selection: [{ ids: ['none'] }], deletes });
      await bulkPlans.submit(plan);
    }
    await damage('bulk_plans', 'deletes', damagedId);
    const root = line('L', 'other');
    const saved = await node.get(IWorkflowDefinitionPublisher).saveAndPublish({ definitionId: definition, root });
    expect(saved.succeeded).toBe(true);
    await work();
    expect(await bulkPlans.find(wholeId)).toMatchObject({ status: 'Completed' });
    expect(await definitions.count({ definitionId: `gone${tests}` })).toBe(0);
    expect(await bulkPlans.cancel(damagedId, AT)).toBe(true);
  });

  it('a plan whose failures are damaged counts the next ones, and ends', async () => {
    const { bulkPlans } = store();
    const id = `failures-${tests}`;
    const batches = [{ id: `batch-${tests}`, ids: ['x'] }];
    await bulkPlans.submit(newPlan(id, { status: 'Running', selected: 1, isSelected: true }), { batches });
    await damage('bulk_plans', 'failures', id);
    const batch = (await bulkPlans.claim({ owner: 'a', leaseMs: MINUTE, now: AT }))!;
    const failed = { changed: 0, failures: [{ id: 'x', message: 'no' }] };
    expect(await bulkPlans.finish(batch, 'a', failed, AT)).toBe(true);
    expect(await bulkPlans.find(id)).toMatchObject({ status: 'Completed', failed: 1, failures: [] });
  });

  it.each(['that asks for its actions', 'whose store does not know the parameter'])(
    'batch of an action that a later version has is left to its nodes by one %s',
    async (how) => {
      const instance = await waiting();
      const { bulkPlans } = store();
      const claim = bulkPlans.claim.bind(bulkPlans);
      const [later, known] = [`later-${how.length}-${tests}`, `known-${how.length}-${tests}`];
      const action = 'FromALaterVersion' as BulkPlan['action'];
      const running = { status: 'Running', selected: 1, isSelected: true } as const;
      await bulkPlans.submit(newPlan(later, { ...running, action }), { batches: [{ id: later, ids: ['x'] }] });
      await bulkPlans.submit(newPlan(known, running), { batches: [{ id: known, ids: [instance] }] });
      if (how.startsWith('whose')) bulkPlans.claim = (lease) => claim(lease);
      for (let n = 0; n < 3; n++) {
        await work();
        await clock.setTime(clock.now() + MINUTE);
      }
      bulkPlans.claim = claim;
      expect(await bulkPlans.find(later)).toMatchObject({ ...running, visited: 0, changed: 0 });
      expect(await bulkPlans.find(known)).toMatchObject({ status: 'Completed', visited: 1, changed: 1 });
      await bulkPlans.cancel(later, AT);
    },
  );
});
