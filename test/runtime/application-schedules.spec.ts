import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import {
  IStimulusSender,
  IWorkflowScheduler,
  IWorkflowSchedules,
  IWorkflowStarter,
  type WorkflowPersistence,
} from '@waymark/runtime';
import { resolveSchedulingOptions, SCHEDULING_OPTIONS, schedulingProviders } from '@waymark/scheduling/adapter';
import { VirtualClock } from '@waymark/testing';
import { createWaymarkDataSource } from '@waymark/typeorm';
import { DataSource, type DataSourceOptions, type EntityManager } from 'typeorm';
import { type TestBackend, testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

const T0 = '2026-03-01T10:00:00Z';
const SECOND = 1000;
/** Nodes that write to a server may be behind the clock: it is moved on by a little, this often at most. */
const STEPS = 40;

const at = (time: string): Date => new Date(`2026-03-01T${time}Z`);

describeOn(await testBackends(), 'schedules of the application on $name', (backend) => {
  let clock: VirtualClock;
  let nodes: RuntimeNode[];
  let store: WorkflowPersistence;
  let workflow: string;
  let counter = 0;

  async function startOne(): Promise<RuntimeNode> {
    store = await backend.create();
    const options = resolveSchedulingOptions({ pollIntervalMs: SECOND });
    const providers = [...schedulingProviders, { provide: SCHEDULING_OPTIONS, useValue: options }];
    const node = await startNode(store, { clock, providers });
    nodes.push(node);
    return node;
  }
  afterAll(() => backend.drop());
  beforeEach(async () => {
    clock = new VirtualClock(T0);
    nodes = [];
    workflow = `scheduled-${++counter}`;
    await startOne();
    await startOne();
    await nodes[0]!.deploy(workflow, line('L', 'hello'));
  });
  afterEach(async () => {
    const { items } = await nodes[0]!.get(IWorkflowSchedules).list({ origin: 'Application' });
    for (const { id } of items) await nodes[0]!.get(IWorkflowScheduler).unschedule(id);
    for (const node of nodes) await node.close();
  });

  const scheduler = (node = nodes[0]!) => node.get(IWorkflowScheduler);
  const schedules = () => nodes[1]!.get(IWorkflowSchedules);
  const names = async (): Promise<string[]> => {
    const { items } = await store.instances.findMany({ definitionIds: [workflow] });
    return items.map(({ name = '' }) => name).toSorted();
  };
  async function expectAfter(ms: number, expected: readonly string[]): Promise<void> {
    await clock.advance(ms);
    for (let i = 0; i < STEPS && (await names()).length < expected.length; i++) await clock.advance(10);
    // What comes too often comes with the next look.
    await clock.advance(2 * SECOND);
    expect(await names()).toEqual(expected);
  }

  it('schedules of the application start a workflow once on one of two nodes, and are listed until then', async () => {
    const input = { when: at('09:00:00'), tags: new Set(['a']) };
    await scheduler().scheduleAt('once', at('10:00:30'), { definition: workflow, name: 'one', input });
    expect(await schedules().find('once')).toEqual({
      id: 'once',
      origin: 'Application',
      kind: 'StartAt',
      stimulus: 'Elsa.StartAt',
      expression: '2026-03-01T10:00:30.000Z',
      workflowDefinitionId: workflow,
      nextTimes: [at('10:00:30')],
    });
    await expectAfter(30 * SECOND, ['one']);
    await expect(schedules().find('once')).rejects.toMatchObject({ code: 'WM4030' });
  });

  it('schedules of the application survive that all nodes are restarted', async () => {
    await scheduler().scheduleAt('once', at('10:00:30'), { definition: workflow, name: 'one' });
    await scheduler().scheduleRecurring('beat', '00:00:40', { definition: workflow, name: 'beat' });
    for (const node of nodes.splice(0)) await node.close();
    await clock.advance(60 * SECOND);
    await startOne();
    await startOne();
    await expectAfter(SECOND, ['beat', 'one']);
    await expectAfter(20 * SECOND, ['beat', 'beat', 'one']);
  });

  it.each([
    ['skip', { refusals: true }],
    ['cancelPrevious', { refusals: true }],
    ['queue', { refusals: false }],
  ] as const)(
    "schedules of the application with the overlap policy '%s' heed an activation strategy that their workflow gets later",
    async (overlap, { refusals }) => {
      const wait = sequence('S', waitFor('E', `end of ${workflow}`));
      await nodes[0]!.deploy(workflow, wait);
      await scheduler().scheduleRecurring('beat', '00:00:10', { definition: workflow, name: 'beat' }, { overlap });
      await nodes[0]!.deploy(workflow, wait, { options: { activationStrategyType: 'Singleton' } });
      // Not of the schedule, so its policy has nothing to say about it.
      await nodes[1]!.get(IWorkflowStarter).start({ definition: workflow, name: 'other' });
      await clock.advance(11 * SECOND);
      const lastResult = async () => (await schedules().find('beat')).lastFiring?.result;
      for (let i = 0; refusals && i < STEPS && (await lastResult()) === undefined; i++) await clock.advance(10);
      expect([await names(), await lastResult()]).toEqual([['other'], refusals ? 'Refused' : undefined]);
      const byHand = schedules().fire('beat');
      await expect(byHand).rejects.toMatchObject({ code: 'WM4032', overlap: undefined });
      await expect(byHand).rejects.toThrow(`the activation strategy of workflow "${workflow}" refuses`);
      await nodes[1]!.get(IStimulusSender).send('Elsa.Event', { eventName: `end of ${workflow}` });
      await expectAfter(10 * SECOND, ['beat', 'other']);
      // Its own instance, which holds the key of the strategy, is not cancelled either.
      await expectAfter(10 * SECOND, ['beat', 'other']);
      const { items } = await store.instances.findMany({ definitionIds: [workflow], statuses: ['Running'] });
      expect(items.map(({ name, subStatus }) => [name, subStatus])).toEqual([['beat', 'Suspended']]);
    },
  );

  it('schedules of the application are paused for all nodes, and replaced by whichever schedules last', async () => {
    await scheduler().scheduleRecurring('beat', '00:00:10', { definition: workflow, name: 'first' });
    await schedules().pause('beat');
    await expectAfter(30 * SECOND, []);
    await scheduler(nodes[1]).scheduleRecurring('beat', '00:00:10', { definition: workflow, name: 'second' });
    expect((await schedules().find('beat')).pausedAt).toBeInstanceOf(Date);
    await schedules().resume('beat');
    await expectAfter(10 * SECOND, ['second']);
  });
});

/** How an application connects: with TypeORM's own settings, not with ours. */
function applicationDataSource({ name, url }: TestBackend): DataSource {
  if (name === 'sqlite') return createWaymarkDataSource(url!);
  return new DataSource({ type: name, url, entities: [], poolSize: 5 } as DataSourceOptions);
}

describeOn(
  await testBackends('sqlite', 'mysql', 'postgres'),
  "schedules in the caller's transaction on $name",
  (backend) => {
    let application: DataSource;
    let node: RuntimeNode;
    beforeEach(async () => {
      const providers = [...schedulingProviders, { provide: SCHEDULING_OPTIONS, useValue: resolveSchedulingOptions() }];
      node = await startNode(await backend.create(), { providers });
      application = await applicationDataSource(backend).initialize();
      await node.deploy('remind', line('L', 'remember'));
    });
    afterEach(async () => {
      await application.destroy();
      await node.close();
    });
    afterAll(() => backend.drop());
    const far = new Date('2999-01-01T00:00:00Z');
    const ids = async () =>
      (await node.get(IWorkflowSchedules).list({ origin: 'Application' })).items.map(({ id }) => id).toSorted();

    it("schedules in the caller's transaction are changed with the transaction, or stay unchanged", async () => {
      const scheduler = node.get(IWorkflowScheduler);
      const schedule = (id: string, transaction: EntityManager) =>
        scheduler.scheduleAt(id, far, { definition: 'remind', input: { text: `it's "q" \\ \n` } }, { transaction });
      await application.transaction((manager) => schedule('kept', manager));
      await scheduler.scheduleAt('old', far, { definition: 'remind' });
      const failed = application.transaction(async (manager) => {
        await schedule('new', manager);
        await schedule('kept', manager);
        expect(await scheduler.unschedule('old', { transaction: manager })).toBe(true);
        expect(await scheduler.unschedule('absent', { transaction: manager })).toBe(false);
        throw new Error('the caller changed its mind');
      });
      await expect(failed).rejects.toThrow('changed its mind');
      expect(await ids()).toEqual(['kept', 'old']);
      await application.transaction((manager) => scheduler.unschedule('old', { transaction: manager }));
      expect(await ids()).toEqual(['kept']);
      expect(await node.get(IWorkflowSchedules).fire('kept')).toMatchObject({ subStatus: 'Finished' });
      await scheduler.unschedule('kept');
    });

    it("schedules in the caller's transaction follow what the same transaction has scheduled before", async () => {
      const scheduler = node.get(IWorkflowScheduler);
      const request = { definition: 'remind' };
      const [startAt, until] = [new Date('2998-01-01T00:00:00Z'), new Date('2998-12-01T00:00:00Z')];
      const weekly = (manager: EntityManager, end?: Date) =>
        scheduler.scheduleRecurring('series', '7 days', request, { transaction: manager, startAt, until: end });
      await application.transaction(async (manager) => {
        expect(await weekly(manager, far)).toBe(true);
        expect(await weekly(manager, until)).toBe(true);
        // It would be missed outside: nothing is committed yet.
        expect(await weekly(manager, new Date('2997-01-01T00:00:00Z'))).toBe(false);
        expect(await weekly(manager)).toBe(true);
        expect(await scheduler.scheduleAt('once', far, request, { transaction: manager })).toBe(true);
        expect(await scheduler.scheduleAt('once', new Date(0), request, { transaction: manager })).toBe(false);
      });
      expect(await ids()).toEqual(['series']);
      expect((await node.get(IWorkflowSchedules).find('series')).nextTimes[0]).toEqual(startAt);
      await scheduler.unschedule('series');
    });
  },
);
