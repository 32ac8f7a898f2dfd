import { afterAll, expect, it } from '@jest/globals';
import {
  IWorkflowRuntime,
  RuntimeGate,
  WorkflowClock,
  WorkflowPersistence,
  AlterationPlans,
  AlterationRunner,
  type Alteration,
  type SubmittedPlan,
} from '@waymark/runtime';
import { AlterationSelections, AlterationTargets, resolveRuntimeOptions } from '@waymark/runtime/adapter';
import { FaultPoints, VirtualClock, withFaultPoints } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, literal, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

const setTo = (value: unknown): Alteration => ({ type: 'ModifyVariable', variableId: 'v', value });
const V = { id: 'v', name: 'V', typeName: 'Int32', value: 1, storageDriverTypeName: 'WorkflowInstanceStorageDriver' };
const MORE = { variables: [V] };

describeOn(await testBackends(), 'alterations on $name', (backend) => {
  let definitions = 0;
  afterAll(() => backend.drop());

  async function withNodes(count: number, body: (nodes: RuntimeNode[], definition: string) => Promise<void>) {
    const clock = new VirtualClock('2026-03-01T00:00:00Z');
    const nodes: RuntimeNode[] = [];
    try {
      for (let n = 0; n < count; n++) nodes.push(await startNode(await backend.create(), { clock }));
      const definition = `altered-${++definitions}`;
      await nodes[0]!.deploy(definition, sequence('S', waitFor('E', 'go'), line('L', 'x')), MORE);
      await body(nodes, definition);
    } finally {
      for (const node of nodes) await node.close();
    }
  }
  const start = async (node: RuntimeNode, definition: string): Promise<string> => {
    const client = await node.get(IWorkflowRuntime).createClient();
    return (await client.createAndRunInstance({ definition })).workflowInstanceId;
  };
  const logOf = async (node: RuntimeNode, id: string) =>
    (await node.get(WorkflowPersistence).journal.readLog(id)).filter(({ eventName }) => eventName === 'Altered');
  const find = async (node: RuntimeNode, planId: string | undefined) =>
    (await node.get(AlterationPlans).find(planId!)) as SubmittedPlan;

  it('alterations skip an activity that failed or waits, and what follows continues', async () => {
    await withNodes(1, async ([node], definition) => {
      const fork = {
        type: 'Elsa.Fork',
        id: 'F',
        branches: [sequence('B', { type: 'Elsa.Fault', id: 'X' }, line('L1', 'a'))],
      };
      await node!.deploy(definition, sequence('S', fork, waitFor('E', 'go'), line('L2', 'b')));
      const id = await start(node!, definition);
      const subStatus = async () => (await node!.get(WorkflowPersistence).instances.load(id))!.subStatus;
      const skip = (activityId: string) => node!.get(AlterationRunner).run(id, [{ type: 'SkipActivity', activityId }]);
      expect([await subStatus(), node!.lines]).toEqual(['Faulted', []]);
      expect((await skip('Nobody')).isSuccessful).toBe(false);
      expect([await subStatus(), (await skip('X')).isSuccessful]).toEqual(['Faulted', true]);
      expect([await subStatus(), node!.lines]).toEqual(['Suspended', ['a']]);
      await skip('E');
      expect([await subStatus(), node!.lines]).toEqual(['Finished', ['a', 'b']]);
      const { bookmarks, instances } = node!.get(WorkflowPersistence);
      expect([
        await bookmarks.findMany({ workflowInstanceId: id }),
        (await instances.load(id))!.state.incidents,
      ]).toEqual([[], []]);
      expect((await logOf(node!, id)).map(({ message }) => message)).toEqual(['SkipActivity X', 'SkipActivity E']);
      expect((await skip('E')).log.logEntries[0]!.message).toBe('The instance has ended (Finished)');
    });
  });

  it('alterations run an execution once, also where a list names it twice', async () => {
    await withNodes(1, async ([node], definition) => {
      const id = await start(node!, definition);
      const waits = () => node!.get(WorkflowPersistence).bookmarks.findMany({ workflowInstanceId: id });
      const { activityInstanceId } = (await waits())[0]!;
      const again: Alteration = { type: 'ScheduleActivity', activityInstanceId };
      expect((await node!.get(AlterationRunner).run(id, [again, again])).isSuccessful).toBe(true);
      const events = (await node!.get(WorkflowPersistence).journal.readLog(id)).map(({ eventName }) => eventName);
      expect(events.filter((eventName) => eventName === 'Suspended')).toHaveLength(2);
    });
  });

  it('alterations skip an activity of a flowchart whose connections name no outcome, and refuse to end it in silence', async () => {
    await withNodes(1, async ([node], definition) => {
      const failing = (id: string) => ({ type: 'Elsa.Fault', id });
      const flow = (port?: string) => ({
        type: 'Elsa.Flowchart',
        id: 'F',
        activities: [failing('X'), line('L', 'b')],
        connections: [{ source: { activity: 'X', port }, target: { activity: 'L' } }],
      });
      const skipped = async (port: string | undefined, outcomes?: string[]) => {
        await node!.deploy(definition, flow(port));
        const id = await start(node!, definition);
        const alteration: Alteration = { type: 'SkipActivity', activityId: 'X', outcomes };
        const { log } = await node!.get(AlterationRunner).run(id, [alteration]);
        const { subStatus } = (await node!.get(WorkflowPersistence).instances.load(id))!;
        return [subStatus, log.logEntries[0]!.message, node!.lines.splice(0)];
      };
      const done = ['Finished', 'SkipActivity succeeded', ['b']];
      expect(await skipped(undefined)).toEqual(done);
      expect(await skipped(undefined, ['Done'])).toEqual(done);
      expect(await skipped('Done', ['Done'])).toEqual(done);
      expect(await skipped('Paid', ['Paid'])).toEqual(done);
      expect(await skipped('Paid', ['Pay'])).toEqual(['Faulted', expect.stringMatching(/'Pay'.*leave by 'Paid'/), []]);
    });
  });

  it('CancelActivity on a failed activity sets the instance back to Suspended while another branch waits', async () => {
    await withNodes(1, async ([node], definition) => {
      const branches = [sequence('B', { type: 'Elsa.Fault', id: 'X' }, line('L1', 'a')), waitFor('E', 'go')];
      const fork = { type: 'Elsa.Fork', id: 'F', branches, joinMode: literal('WaitAll') };
      await node!.deploy(definition, sequence('S', waitFor('T', 'start'), fork, line('L2', 'b')));
      const id = await start(node!, definition);
      const { instances, bookmarks } = node!.get(WorkflowPersistence);
      await node!.get(AlterationRunner).run(id, [{ type: 'SkipActivity', activityId: 'T' }]);
      expect((await instances.load(id))!.subStatus).toBe('Faulted');
      await node!.get(AlterationRunner).run(id, [{ type: 'CancelActivity', activityId: 'X' }]);
      const { subStatus, state } = (await instances.load(id))!;
      expect([subStatus, state.incidents]).toEqual(['Suspended', []]);
      expect((await bookmarks.findMany({ workflowInstanceId: id })).length).toBe(1);
    });
  });

  it('alterations run a container again that waits, and it repeats what it was at', async () => {
    await withNodes(1, async ([node], definition) => {
      await node!.deploy(definition, sequence('S', line('L1', 'a'), waitFor('E', 'go'), line('L2', 'b')));
      const id = await start(node!, definition);
      const { instances, bookmarks } = node!.get(WorkflowPersistence);
      const { activityExecutionContexts } = (await instances.load(id))!.state;
      const activityInstanceId = activityExecutionContexts.find(({ scheduledActivityNodeId: n }) =>
        n.endsWith('S'),
      )!.id;
      const again: Alteration = { type: 'ScheduleActivity', activityInstanceId };
      await node!.get(AlterationRunner).run(id, [again]);
      expect(node!.lines).toEqual(['a']);
      expect(await bookmarks.findMany({ workflowInstanceId: id })).toHaveLength(1);
    });
  });

  it('alterations skip the container of a failed activity, and nothing is left to repair', async () => {
    await withNodes(1, async ([node], definition) => {
      const failing = sequence('B', { type: 'Elsa.Fault', id: 'X' }, line('L1', 'a'));
      await node!.deploy(definition, sequence('S', failing, line('L2', 'b'), waitFor('E', 'go')));
      const id = await start(node!, definition);
      await node!.get(AlterationRunner).run(id, [{ type: 'SkipActivity', activityId: 'B' }]);
      const { subStatus, state } = (await node!.get(WorkflowPersistence).instances.load(id))!;
      expect([subStatus, state.incidents, node!.lines]).toEqual(['Suspended', [], ['b']]);
      expect(state.activityExecutionContexts.map(({ faultCount }) => faultCount)).toEqual([0, 0, 0]);
    });
  });

  it('alterations skip the last activity, and the workflow ends', async () => {
    await withNodes(1, async ([node], definition) => {
      await node!.deploy(definition, sequence('S', waitFor('E', 'go')));
      const id = await start(node!, definition);
      await node!.get(AlterationRunner).run(id, [{ type: 'SkipActivity', activityId: 'E' }]);
      expect((await node!.get(WorkflowPersistence).instances.load(id))!.subStatus).toBe('Finished');
    });
  });

  it('all nodes execute the alterations of a plan, and every node shows the result', async () => {
    await withNodes(2, async ([first, second], definition) => {
      const ids = await Promise.all(Array.from({ length: 30 }, () => start(first!, definition)));
      first!.get(RuntimeGate).pause();
      const filter = { definitionIds: [definition] };
      const planId = await first!.get(AlterationPlans).submit({ alterations: [setTo(5)], filter });
      await first!.settled();
      expect((await find(second!, planId)).plan.status).not.toBe('Completed');
      first!.get(RuntimeGate).resume();
      await advance(second!);
      const { plan, jobs } = await find(first!, planId);
      expect(plan).toMatchObject({ status: 'Completed', workflowInstanceFilter: filter });
      expect(jobs.map((job) => job.workflowInstanceId).toSorted()).toEqual(ids.toSorted());
      expect(new Set(jobs.map(({ status }) => status))).toEqual(new Set(['Completed']));
      for (const job of jobs)
        expect(await logOf(second!, job.workflowInstanceId)).toEqual([
          expect.objectContaining({
            message: 'ModifyVariable v',
            payload: { Alteration: setTo(5), PlanId: planId, JobId: job.id },
          }),
        ]);
    });
  });

  it('a plan for many instances is made part by part, by another node if one dies', async () => {
    const clock = new VirtualClock('2026-03-01T00:00:00Z');
    const shared = await backend.create();
    const survivor = await startNode(shared, { clock });
    const definition = `altered-${++definitions}`;
    await survivor.deploy(definition, sequence('S', waitFor('E', 'go')), MORE);
    const ids = await Promise.all(
      Array.from({ length: 450 }, async () => {
        const client = await survivor.get(IWorkflowRuntime).createClient();
        await client.createInstance({ definition });
        return client.workflowInstanceId;
      }),
    );
    const limits: (number | undefined)[] = [];
    const { findIds } = shared.instances;
    shared.instances.findIds = (filter, page) => {
      if (filter.definitionIds?.[0] === definition) limits.push(page?.limit);
      return findIds.call(shared.instances, filter, page);
    };
    const points = new FaultPoints({ at: 'alterations.cut#2', fault: 'dies before' });
    const seen = Object.assign(Object.create(shared) as WorkflowPersistence, { close: async () => {} });
    // It is dead in the end, and cannot be closed.
    const doomed = await startNode(withFaultPoints(seen, points), { clock: new VirtualClock('2026-03-01T00:00:00Z') });
    const filter = { definitionIds: [definition] };
    const planId = await doomed.get(AlterationPlans).submit({ alterations: [{ type: 'Cancel' }], filter });
    await points.died;
    const { plan, jobs } = await find(survivor, planId);
    expect([plan.status, jobs.length]).toEqual(['Running', 200]);
    const dryRun: string[] = [];
    for await (const some of survivor.get(AlterationTargets).find(filter)) dryRun.push(...some);
    expect(dryRun.toSorted(byText)).toEqual(ids.toSorted(byText));
    // Started later than the plan: not one of its instances, which would never end.
    await clock.advance(5);
    const late = await survivor.get(IWorkflowRuntime).createClient();
    await late.createInstance({ definition });
    survivor.get(AlterationSelections).wake();
    await advance(survivor);
    shared.instances.findIds = findIds;
    const ended = await find(survivor, planId);
    expect(ended.plan.status).toBe('Completed');
    expect(ended.jobs.map((job) => job.workflowInstanceId).toSorted(byText)).toEqual(ids.toSorted(byText));
    const running = await shared.instances.count({ ...filter, statuses: ['Running'] });
    expect([running, limits.length > 0, limits.every((limit) => limit === 200)]).toEqual([1, true, true]);
    expect(await shared.instances.count({ ids: [late.workflowInstanceId], statuses: ['Running'] })).toBe(1);
    await survivor.close();
  });

  it('a node takes over plans and lists of ids of the previous version', async () => {
    await withNodes(1, async ([node], definition) => {
      const ids = [await start(node!, definition), await start(node!, definition), await start(node!, definition)];
      const { alterations, outbox } = node!.get(WorkflowPersistence);
      const plan = {
        id: `older plan of ${definition}`,
        alterations: [setTo(5)],
        submitted: [],
        workflowInstanceFilter: { workflowInstanceIds: [ids[0]!, ids[2]!, ids[0]!, 'none'] },
        status: 'Pending' as const,
        createdAt: new Date(0),
      };
      await alterations.submit(plan);
      const at = new Date(0);
      const payload = { planId: plan.id };
      const id = `message of ${plan.id}`;
      await outbox.add([{ id, kind: 'alteration-plan', payload, createdAt: at, availableAt: at, attempts: 0 }]);
      await advance(node!);
      const { jobs, plan: ended } = await find(node!, plan.id);
      expect([ended.status, await outbox.count()]).toEqual(['Completed', { waiting: 0, deadLetters: 0 }]);
      expect(jobs.map((job) => job.workflowInstanceId)).toEqual([ids[0], ids[2]].toSorted(byText));
    });
  });

  it('a plan whose instances cannot be found fails in the end, without delaying others', async () => {
    await withNodes(1, async ([node], definition) => {
      const id = await start(node!, definition);
      const { instances } = node!.get(WorkflowPersistence);
      const { findIds } = instances;
      instances.findIds = async (filter, page) => {
        if (filter.names?.[0] === definition) throw new Error('unreadable');
        return findIds.call(instances, filter, page);
      };
      const plans = node!.get(AlterationPlans);
      const broken = await plans.submit({ alterations: [setTo(5)], filter: { names: [definition] } });
      const fine = await plans.submit({ alterations: [setTo(5)], filter: { workflowInstanceIds: [id] } });
      for (let n = 0; n < resolveRuntimeOptions().maxDeliveryAttempts; n++) {
        // It is left alone for longer each time.
        const clock = node!.get(WorkflowClock) as VirtualClock;
        await clock.setTime(clock.now() + 300_000);
        node!.get(AlterationSelections).wake();
        await node!.get(AlterationSelections).settled();
      }
      await advance(node!);
      instances.findIds = findIds;
      const statuses = [(await find(node!, broken)).plan.status, (await find(node!, fine)).plan.status];
      expect(statuses).toEqual(['Failed', 'Completed']);
    });
  });

  it('an alteration that is impossible fails its own job only', async () => {
    await withNodes(1, async ([node], definition) => {
      await node!.deploy(`${definition}-other`, waitFor('E', 'go'));
      const [good, gone, other] = [
        await start(node!, definition),
        await start(node!, definition),
        await start(node!, `${definition}-other`),
      ];
      const store = node!.get(WorkflowPersistence);
      const { findIds } = store.instances;
      // Deleted between the making of the plan's jobs and the job itself.
      store.instances.findIds = async (filter, page) => {
        const found = await findIds.call(store.instances, filter, page);
        await store.instances.delete([gone]);
        return found;
      };
      const filter = { workflowInstanceIds: [good, gone, other] };
      const planId = await node!.get(AlterationPlans).submit({ alterations: [setTo(5)], filter });
      await advance(node!);
      store.instances.findIds = findIds;
      const { plan, jobs } = await find(node!, planId);
      expect(plan.status).toBe('Completed');
      const byId = (a: unknown[], b: unknown[]) => (String(a[0]) < String(b[0]) ? -1 : 1);
      const results = jobs.map((job) => [job.workflowInstanceId, job.status, job.log?.[0]?.message]);
      expect(results.toSorted(byId)).toEqual(
        [
          [good, 'Completed', 'ModifyVariable succeeded'],
          [gone, 'Failed', expect.stringContaining(gone)],
          [other, 'Failed', 'Variable with ID v not found'],
        ].toSorted(byId),
      );
      expect(await logOf(node!, other)).toEqual([]);
    });
  });

  it('alterations of one instance are one commit, with a journal entry for each', async () => {
    await withNodes(1, async ([node], definition) => {
      const id = await start(node!, definition);
      const before = await node!.get(WorkflowPersistence).instances.load(id);
      const result = await node!.get(AlterationRunner).run(id, [{ type: 'Cancel' }, setTo(7)]);
      expect(result).toMatchObject({ isSuccessful: true, workflowHasScheduledWork: false });
      const after = await node!.get(WorkflowPersistence).instances.load(id);
      expect([after?.subStatus, after?.revision]).toEqual(['Cancelled', before!.revision + 1]);
      expect((await logOf(node!, id)).map(({ message }) => message)).toEqual(['ModifyVariable v', 'Cancel']);
    });
  });

  it('alterations cancel an instance again without harm, and say so once', async () => {
    await withNodes(1, async ([node], definition) => {
      const id = await start(node!, definition);
      for (let n = 0; n < 2; n++)
        expect((await node!.get(AlterationRunner).run(id, [{ type: 'Cancel' }])).isSuccessful).toBe(true);
      expect((await logOf(node!, id)).map(({ message }) => message)).toEqual(['Cancel']);
      await expect(node!.get(AlterationRunner).run('none', [{ type: 'Cancel' }])).rejects.toMatchObject({
        code: 'WM3001',
      });
    });
  });

  it('a plan whose id is in use is not stored', async () => {
    await withNodes(1, async ([node], definition) => {
      const plan = { id: `plan of ${definition}`, alterations: [setTo(2)], filter: { names: ['nobody'] } };
      expect(await node!.get(AlterationPlans).submit(plan)).toBe(plan.id);
      expect(await node!.get(AlterationPlans).submit(plan)).toBeUndefined();
      await advance(node!);
      expect((await find(node!, plan.id)).plan.status).toBe('Completed');
    });
  });
});

const byText = (left: string | undefined, right: string | undefined) => (left! < right! ? -1 : 1);

/** Past the head start of messages, and the pause after a refusal. */
async function advance(node: RuntimeNode): Promise<void> {
  for (let n = 0; n < 3; n++) {
    await (node.get(WorkflowClock) as VirtualClock).advance(6000);
    await node.settled();
  }
}
