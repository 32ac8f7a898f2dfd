import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { input } from '@waymark/core';
import {
  IWorkflowRuntime,
  IWorkflowTransactions,
  MemoryPersistence,
  stimulusType,
  type TransactionalWorkflows,
  Workflow,
  workflowEvent,
  WorkflowPersistence,
} from '@waymark/runtime';
import { OutboxProcessor } from '@waymark/runtime/adapter';
import { createWaymarkDataSource, TypeOrmPersistence } from '@waymark/typeorm';
import { DataSource, type DataSourceOptions, type EntityManager } from 'typeorm';
import { type TestBackend, testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, type RuntimeNode, sequence, startedBy, startNode, waitFor } from '../support/runtime-node.js';

const databases = await testBackends('sqlite', 'mysql', 'postgres');

/** How an application connects: with TypeORM's own settings, not with ours. */
function applicationDataSource({ name, url }: TestBackend): DataSource {
  if (name === 'sqlite') return createWaymarkDataSource(url!);
  return new DataSource({ type: name, url, entities: [], poolSize: 5 } as DataSourceOptions);
}

/** Its definition is deployed by the tests; the class gives the id and the types of its inputs. */
@Workflow({ id: 'ship-typed' })
class Ship {
  readonly inputs = { order: input<string>({ type: 'String' }) };
  build(): void {}
}

const TIMED_OUT = 'the caller changed its mind';

describeOn(databases, "W1: in the caller's own transaction on $name", (backend) => {
  const orders = `orders_${backend.tablePrefix}`;
  let application: DataSource;
  let nodes: RuntimeNode[];
  let one: RuntimeNode;
  let two: RuntimeNode;
  /** Tests share the store: each has its own event to wait for. */
  let paid: string;
  let tests = 0;

  const place = (manager: EntityManager, id: string) =>
    manager.query(`INSERT INTO ${orders} (id) VALUES ('${id}')`) as Promise<unknown>;
  const placed = async () =>
    ((await application.query(`SELECT id FROM ${orders}`)) as { id: string }[]).map(({ id }) => id).sort();
  const messages = async () => (await one.get(WorkflowPersistence).outbox.count()).waiting;
  const loaded = async (id: string) => one.get(WorkflowPersistence).instances.load(id);
  const waiting = async (definition: string) => {
    const client = await one.get(IWorkflowRuntime).createClient();
    return client.createAndRunInstance({ definition });
  };
  const transactions = () => one.get(IWorkflowTransactions);

  beforeAll(async () => {
    application = await applicationDataSource(backend).initialize();
    await application.query(`CREATE TABLE ${orders} (id VARCHAR(40) PRIMARY KEY)`);
  });
  beforeEach(async () => {
    paid = `paid ${tests++}`;
    one = await startNode(await backend.create());
    two = await startNode(await backend.create());
    nodes = [one, two];
    await application.query(`DELETE FROM ${orders}`);
    await one.deploy('ship', sequence('S', line('L', 'shipped')));
    await one.deploy('waits', sequence('S', waitFor('E', paid), line('L', 'paid')));
  });
  afterEach(async () => {
    for (const node of nodes) await node.close();
  });
  afterAll(async () => {
    await application.query(`DROP TABLE ${orders}`);
    await application.destroy();
    await backend.drop();
  });

  it('starts what was committed with the rows, and nothing before', async () => {
    const id = await transactions().run(application, async (manager: EntityManager, workflows) => {
      await place(manager, 'o1');
      const started = await workflows.start({ definition: 'ship', correlationId: 'o1' });
      // Neither this node nor another one sees it yet.
      if (backend.name !== 'sqlite') for (const node of nodes) expect(await node.get(OutboxProcessor).poll()).toBe(0);
      expect(await loaded(started)).toBeUndefined();
      return started;
    });
    await one.settled();
    expect(await loaded(id)).toMatchObject({ subStatus: 'Finished', correlationId: 'o1' });
    expect([await placed(), one.lines]).toEqual([['o1'], ['shipped']]);
  });

  it('starts, resumes and publishes nothing when the caller rolls back', async () => {
    const { workflowInstanceId, bookmarks } = await waiting('waits');
    let id: string | undefined;
    const attempt = transactions().run(application, async (manager: EntityManager, workflows) => {
      await place(manager, 'o2');
      id = await workflows.start({ definition: 'ship' });
      await workflows.resumeById(bookmarks[0]!.id);
      await workflows.resume('Elsa.Event', { eventName: paid });
      await workflows.publishEvent(paid);
      throw new Error(TIMED_OUT);
    });
    await expect(attempt).rejects.toThrow(TIMED_OUT);
    await one.settled();
    expect([await placed(), await messages(), await loaded(id!), one.lines]).toEqual([[], 0, undefined, []]);
    expect((await loaded(workflowInstanceId))!.subStatus).toBe('Suspended');
  });

  it('is served by any node when the caller dies after its commit', async () => {
    let id: string | undefined;
    await application.transaction(async (manager) => {
      await place(manager, 'o3');
      id = await transactions().within(manager).start({ definition: 'ship' });
    });
    // Clocks of two nodes agree to about a millisecond: what one has just sent may lie in the other's future.
    do await two.settled();
    while ((await messages()) > 0);
    expect([(await loaded(id!))!.subStatus, one.lines, two.lines]).toEqual(['Finished', [], ['shipped']]);
  });

  it('resumes one bookmark once, however often it is asked to', async () => {
    const { workflowInstanceId, bookmarks } = await waiting('waits');
    for (const order of ['o4', 'o5'])
      await transactions().run(application, async (manager: EntityManager, workflows) => {
        await place(manager, order);
        await workflows.resumeById(bookmarks[0]!.id, { input: { order } });
      });
    await one.settled();
    expect([(await loaded(workflowInstanceId))!.subStatus, one.lines, await messages()]).toEqual([
      'Finished',
      ['paid'],
      0,
    ]);
  });

  it('resumes all that wait for a stimulus, and keeps it when none does', async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => (await waiting('waits')).workflowInstanceId));
    const pay = () =>
      transactions().run(application, (_: EntityManager, workflows) =>
        workflows.resume('Elsa.Event', { eventName: paid }),
      );
    await pay();
    await one.settled();
    for (const id of ids) expect((await loaded(id))!.subStatus).toBe('Finished');
    await pay();
    await one.settled();
    const { workflowInstanceId } = await waiting('waits');
    await one.settled();
    expect((await loaded(workflowInstanceId))!.subStatus).toBe('Finished');
    expect(one.lines).toHaveLength(4);
  });

  it('takes workflow classes, typed stimuli and typed events', async () => {
    const Waited = stimulusType<{ eventName: string }, { order: string }>('Elsa.Event');
    const Paid = workflowEvent<{ id: string }>(paid);
    const inputs = [{ name: 'order', type: 'String', isRequired: true }];
    await one.deploy('ship-typed', sequence('S', line('L', 'shipped')), { inputs });
    const [byStimulus, byEvent] = [await waiting('waits'), await waiting('waits')];
    const id = await transactions().run(application, async (manager: EntityManager, workflows) => {
      await place(manager, 'o9');
      const { workflowInstanceId } = byStimulus;
      await workflows.resume(Waited, { eventName: paid }, { workflowInstanceId, input: { order: 'o9' } });
      await workflows.publishEvent(Paid, { workflowInstanceId: byEvent.workflowInstanceId, payload: { id: 'o9' } });
      return workflows.start(Ship, { order: 'o9' }, { correlationId: 'o9', requestKey: 'order o9' });
    });
    await one.settled();
    const ended = await Promise.all([byStimulus, byEvent].map(({ workflowInstanceId }) => loaded(workflowInstanceId)));
    expect(ended.map((state) => state!.subStatus)).toEqual(['Finished', 'Finished']);
    expect(await loaded(id)).toMatchObject({ subStatus: 'Finished', correlationId: 'o9' });
    class Plain {
      build(): void {}
    }
    const attempt = (start: (workflows: TransactionalWorkflows) => Promise<string>) =>
      transactions().run(application, (_: EntityManager, workflows) => start(workflows));
    await expect(attempt((workflows) => workflows.start(Plain))).rejects.toMatchObject({ code: 'WM1039' });
    const untyped = attempt((workflows) => workflows.start({ definition: 'ship-typed' }));
    await expect(untyped).rejects.toMatchObject({ code: 'WM1036' });
  });

  it('publishes an event once', async () => {
    await one.deploy('on-order', sequence('S', waitFor('E', 'ordered', startedBy), line('L', 'seen')));
    await transactions().run(application, async (manager: EntityManager, workflows) => {
      await place(manager, 'o6');
      await workflows.publishEvent('ordered', { payload: { id: 'o6' } });
    });
    await one.settled();
    await two.settled();
    expect([...one.lines, ...two.lines]).toEqual(['seen']);
  });

  it('starts once per request key', async () => {
    const start = () =>
      transactions().run(application, (_: EntityManager, workflows) =>
        workflows.start({ definition: 'ship', requestKey: 'order o7' }),
      );
    const ids = [await start(), await start()];
    await one.settled();
    // Both messages are served at the same time: either may be the one that takes the key.
    const started = (await Promise.all(ids.map(loaded))).flatMap((instance) => instance?.subStatus ?? []);
    expect([started, one.lines]).toEqual([['Finished'], ['shipped']]);
  });

  it('refuses a definition that does not exist, so that the caller can roll back', async () => {
    const attempt = transactions().run(application, async (manager: EntityManager, workflows) => {
      await place(manager, 'o8');
      await workflows.start({ definition: 'no-such' });
    });
    await expect(attempt).rejects.toMatchObject({ code: 'WM1020' });
    expect(await placed()).toEqual([]);
  });

  it('W10: refuses a value that is not an open transaction', async () => {
    const { within } = { within: (given: object) => () => transactions().within(given) };
    expect(within(application.manager)).toThrow(expect.objectContaining({ code: 'WM7021' }));
    expect(within({ some: 'object' })).toThrow(expect.objectContaining({ code: 'WM7021' }));
    let ended: EntityManager | undefined;
    let workflows = {} as ReturnType<IWorkflowTransactions['within']>;
    await application.transaction(async (manager) => {
      ended = manager;
      workflows = transactions().within(manager);
    });
    expect(within(ended!)).toThrow(expect.objectContaining({ code: 'WM7021' }));
    await expect(workflows.resumeById('b1')).rejects.toMatchObject({ code: 'WM7021' });
  });

  it('W10: refuses a transaction on another database', async () => {
    const other = await createWaymarkDataSource('sqlite::memory:').initialize();
    try {
      const attempt = transactions().run(other, (_: EntityManager, workflows) => workflows.publishEvent(paid));
      await expect(attempt).rejects.toMatchObject({ code: 'WM7022' });
    } finally {
      await other.destroy();
    }
  });

  it("takes the application's own data source as the store, too", async () => {
    if (backend.name === 'sqlite') return;
    const options = { tablePrefix: backend.tablePrefix };
    const shared = await startNode(TypeOrmPersistence.fromDataSource(application, options));
    nodes.push(shared);
    await shared.get(IWorkflowTransactions).run(application, async (manager: EntityManager, workflows) => {
      await place(manager, 'o9');
      await workflows.start({ definition: 'ship' });
    });
    await shared.settled();
    expect([await placed(), shared.lines]).toEqual([['o9'], ['shipped']]);
  });
});

it('W10: says of a store without transactions that it has none', async () => {
  const node = await startNode(new MemoryPersistence());
  expect(() => node.get(IWorkflowTransactions).within({})).toThrow(expect.objectContaining({ code: 'WM7020' }));
  await node.close();
});
