import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import {
  IWorkflowDefinitionService,
  IWorkflowScheduler,
  IWorkflowSchedules,
  IWorkflowStarter,
  IWorkflowTransactions,
  WorkflowPersistence,
} from '@waymark/runtime';
import { resolveSchedulingOptions, SCHEDULING_OPTIONS, schedulingProviders } from '@waymark/scheduling/adapter';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { literal, line, type RuntimeNode, sequence, startNode } from '../support/runtime-node.js';

/** Connections of the application, which the store shares. */
const POOL = 2;
const far = new Date('2999-01-01T00:00:00Z');

describeOn(await testBackends('mysql', 'postgres'), 'transactions that hold all connections on $name', (backend) => {
  let application: DataSource;
  let node: RuntimeNode;

  beforeEach(async () => {
    const { name, url, tablePrefix } = backend;
    await (await backend.create()).close?.();
    application = new DataSource({ type: name, url, entities: [], poolSize: POOL } as DataSourceOptions);
    await application.initialize();
    const providers = [
      ...schedulingProviders,
      { provide: SCHEDULING_OPTIONS, useValue: resolveSchedulingOptions({ enabled: false }) },
    ];
    node = await startNode(TypeOrmPersistence.fromDataSource(application, { tablePrefix }), { providers });
    await node.deploy(
      'remind',
      sequence('S', line('L', 'remember'), { type: 'Elsa.Event', id: 'E', eventName: literal('go') }),
    );
  });
  afterEach(async () => {
    await node.close();
    await application.destroy();
  });
  afterAll(() => backend.drop());

  /** One transaction for each connection of the pool; all of them have theirs before the first continues. */
  async function atOnce(work: (manager: object, n: number) => Promise<unknown>): Promise<void> {
    node.get(IWorkflowDefinitionService).evict();
    let open = 0;
    let letGo = (): void => {};
    const allOpen = new Promise<void>((resolve) => (letGo = resolve));
    const transactions = Array.from({ length: POOL }, (_, n) =>
      application.transaction(async (manager) => {
        await manager.query('SELECT 1');
        if (++open === POOL) letGo();
        await allOpen;
        await work(manager, n);
      }),
    );
    await Promise.all(transactions);
  }

  it('transactions that hold all connections schedule what they start', async () => {
    const scheduler = node.get(IWorkflowScheduler);
    await atOnce((transaction, n) => scheduler.scheduleAt(`once-${n}`, far, { definition: 'remind' }, { transaction }));
    await atOnce((transaction, n) =>
      scheduler.scheduleRecurring(`beat-${n}`, '1 day', { definition: 'remind' }, { transaction, overlap: 'skip' }),
    );
    const { result } = await node.get(IWorkflowStarter).start({ definition: 'remind' });
    const { workflowInstanceId } = result!;
    const [bookmark] = await node.get(WorkflowPersistence).bookmarks.findMany({ workflowInstanceId });
    await atOnce((transaction, n) =>
      scheduler.scheduleCron(`wake-${n}`, '@daily', { bookmarkId: bookmark!.id }, { transaction }),
    );
    const { items } = await node.get(IWorkflowSchedules).list({ origin: 'Application' });
    expect(items.map(({ id }) => id).toSorted()).toEqual(['beat-0', 'beat-1', 'once-0', 'once-1', 'wake-0', 'wake-1']);
    for (const { id } of items) await scheduler.unschedule(id);
  });

  it('transactions that hold all connections start workflows', async () => {
    const transactions = node.get(IWorkflowTransactions);
    const ids: string[] = [];
    await atOnce(async (manager) => ids.push(await transactions.within(manager).start({ definition: 'remind' })));
    expect(ids).toHaveLength(POOL);
    await node.settled();
  });
});
