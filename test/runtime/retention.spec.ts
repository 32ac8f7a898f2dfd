import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import {
  AuditTrail,
  IWorkflowDispatcher,
  IWorkflowRuntime,
  StoreUnavailableError,
  WorkflowPersistence,
} from '@waymark/runtime';
import { OutboxProcessor, resolveRuntimeOptions, Retention, RuntimeMaintenance } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, literal, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const faulty = {
  type: 'Elsa.Fault',
  id: 'F',
  message: { typeName: 'String', expression: { type: 'Literal', value: 'x' } },
};

describeOn(await testBackends(), 'retention on $name', (backend) => {
  let clock: VirtualClock;
  let node: RuntimeNode;

  const start = async (definition: string, id?: string) =>
    (await node.get(IWorkflowRuntime).createClient(id)).createAndRunInstance({ definition });
  const kept = (...definitionIds: string[]) => node.get(WorkflowPersistence).instances.count({ definitionIds });
  const sweep = () => node.get(Retention).sweep();

  beforeEach(async () => {
    clock = new VirtualClock();
    const retentionOf = { audited: false as const, brief: DAY, quick: 0 };
    node = await startNode(await backend.create(), { clock, retentionMs: 30 * DAY, retentionOf });
  });
  afterEach(() => node.close());
  afterAll(() => backend.drop());

  it('deletes finished instances with their journal when their time is over, each definition by its own', async () => {
    const says = sequence('S', line('L', 'said'));
    for (const definition of ['audited', 'brief', 'other']) await node.deploy(definition, says);
    await node.deploy('waits', sequence('S', waitFor('E', 'never')));
    const { workflowInstanceId } = await start('other');
    for (const definition of ['audited', 'brief', 'waits']) await start(definition);
    expect(await sweep()).toBe(0);
    await clock.advance(DAY + 1);
    expect([await sweep(), await kept('brief'), await kept('other')]).toEqual([1, 0, 1]);
    await clock.advance(29 * DAY);
    expect([await sweep(), await kept('other'), await kept('audited'), await kept('waits')]).toEqual([1, 0, 1, 1]);
    const { journal } = node.get(WorkflowPersistence);
    expect(await journal.readLog(workflowInstanceId)).toEqual([]);
  });

  it('deletes entries of the audit trail after ninety days, whatever becomes of instances', async () => {
    const { audit } = node.get(WorkflowPersistence);
    const trail = node.get(AuditTrail);
    const kept = async () => (await audit.find({}, { limit: 10 })).map(({ action }) => action);
    expect(await trail.record({ action: 'things.first' })).toBe(true);
    await clock.advance(DAY);
    await trail.record({ action: 'things.second' });
    await clock.advance(89 * DAY);
    await sweep();
    expect(await kept()).toEqual(['things.second', 'things.first']);
    await clock.advance(1);
    await sweep();
    expect(await kept()).toEqual(['things.second']);
    expect(() => resolveRuntimeOptions({ auditRetentionMs: 5 })).toThrow(
      "'auditRetentionMs' must be a finite number of 3600000 or more, or false",
    );
    expect(resolveRuntimeOptions({ auditRetentionMs: false }).auditRetentionMs).toBe(false);
  });

  it('leaves children behind that their finished parent has dispatched, and which have not started yet', async () => {
    const dispatch = (id: string) => ({
      type: 'Elsa.DispatchWorkflow',
      id,
      workflowDefinitionId: literal('dispatched'),
      waitForCompletion: literal(false, 'Boolean'),
    });
    await node.deploy('dispatched', line('L', 'child'));
    await node.deploy('quick', sequence('S', dispatch('A'), dispatch('B')));
    const { outbox, instances } = node.get(WorkflowPersistence);
    // No node has a place for them meanwhile.
    const { claim } = outbox;
    outbox.claim = async () => [];
    node.get(OutboxProcessor).deliverSoon = () => undefined;
    const { workflowInstanceId } = await start('quick');
    await clock.advance(HOUR + 1);
    await sweep();
    expect([await instances.load(workflowInstanceId), (await outbox.count()).waiting]).toEqual([undefined, 2]);
    outbox.claim = claim;
    await node.settled();
    expect(node.lines).toEqual(['child', 'child']);
  });

  it('deletes dead letters when their time is over, and those of the outbox only if there is one', async () => {
    const { outbox, queue } = node.get(WorkflowPersistence);
    const fail = async (createdAt: Date): Promise<void> => {
      const message = { id: 'letter', kind: 'test', payload: 1, createdAt, availableAt: createdAt, attempts: 0 };
      await outbox.deleteDeadLetters(['letter']);
      await outbox.add([message]);
      await outbox.moveToDeadLetters('letter', 'never');
      const expiresAt = new Date(clock.now() + DAY);
      await queue.deleteDeadLetters(['item']);
      await queue.enqueue({ id: 'item', stimulusHash: 'x', createdAt, expiresAt, attempts: 0 });
      await queue.fail('item', 'never', 1, createdAt);
    };
    const left = async () => [
      (await outbox.findDeadLetters({})).totalCount,
      (await queue.findDeadLetters({})).totalCount,
    ];
    const after = async (days: number, deadLetterRetentionMs: number | false | undefined) => {
      const at = clock.now();
      await fail(new Date(at));
      const options = { deadLetterRetentionMs, nodeName: `kept-${days}`, clock, pollIntervalMs: 2 ** 30 };
      const other = await startNode(node.get(WorkflowPersistence), options);
      await clock.setTime(at + days * DAY + 1);
      await other.get(RuntimeMaintenance).runEverything();
      const found = await left();
      await other.close();
      return found;
    };
    expect(await after(6, undefined)).toEqual([1, 1]);
    expect(await after(7, undefined)).toEqual([1, 0]);
    expect(await after(20, false)).toEqual([1, 1]);
    expect(await after(19, 20 * DAY)).toEqual([1, 1]);
    expect(await after(20, 20 * DAY)).toEqual([0, 0]);
  });

  it('scans kept instances once an hour, and in between only those that have become due', async () => {
    for (const definition of ['audited', 'other']) await node.deploy(definition, line('L', ''));
    await start('audited');
    const before = await kept('audited');
    const { instances } = node.get(WorkflowPersistence);
    const purge = instances.purge.bind(instances);
    const ranges: (number | undefined)[] = [];
    instances.purge = async (filter, limit) => {
      const from = filter.timestamps?.find(({ operator }) => operator === 'GreaterThanOrEqual');
      ranges.push(from && clock.now() - from.timestamp.getTime());
      return purge(filter, limit);
    };
    const look = () =>
      node
        .get(Retention)
        .backlogs.find(({ name }) => name === 'finished instances')!
        .takeBatch();
    await look();
    await clock.advance(60_000);
    await look();
    await start('other');
    await clock.setTime(clock.now() + 30 * DAY + 1);
    await look();
    await clock.advance(60_000);
    await look();
    instances.purge = purge;
    expect(ranges).toEqual([undefined, 30 * DAY + HOUR + 60_000, undefined, 30 * DAY + HOUR + 60_000]);
    expect([await kept('other'), await kept('audited')]).toEqual([0, before]);
  });

  it('deletes in smaller portions what the database cannot delete in time', async () => {
    await node.deploy('brief', line('L', ''));
    for (let n = 0; n < 5; n++) await start('brief');
    await clock.advance(DAY + 1);
    const { instances } = node.get(WorkflowPersistence);
    const purge = instances.purge.bind(instances);
    const asked: number[] = [];
    instances.purge = async (filter, limit) => {
      if (filter.definitionIds?.[0] !== 'brief') return purge(filter, limit);
      asked.push(limit);
      if (limit > 50) throw new StoreUnavailableError('canceling statement due to statement timeout');
      return purge(filter, limit);
    };
    while ((await kept('brief')) > 0 && asked.length < 20) await sweep().catch(() => undefined);
    instances.purge = purge;
    expect([asked, await kept('brief')]).toEqual([[200, 100, 50], 0]);
  });

  it('never writes instances that complete in their first burst if nothing is kept', async () => {
    await node.deploy('quick', sequence('S', line('L', 'said')));
    const { subStatus, workflowInstanceId } = await start('quick');
    expect([subStatus, node.lines, await kept('quick')]).toEqual(['Finished', ['said'], 0]);
    // An id is given once: the instance is written, and the next one with it is refused before it runs.
    await start('quick', workflowInstanceId);
    await expect(start('quick', workflowInstanceId)).rejects.toMatchObject({ code: 'WM3002' });
    await node.get(IWorkflowDispatcher).dispatch({ definition: 'quick' });
    await node.settled();
    expect([node.lines.length, await kept('quick')]).toEqual([3, 2]);
    // A parent that is taken over after a crash looks for its child: it must not find it deleted, and start another.
    await clock.advance(HOUR - 1);
    expect([await sweep(), await kept('quick')]).toEqual([0, 2]);
    await clock.advance(2);
    expect([await sweep(), await kept('quick')]).toEqual([2, 0]);
  });

  it('keeps instances that wait or fault if nothing else is kept', async () => {
    await node.deploy('quick', sequence('S', faulty));
    const faulted = await start('quick');
    await node.deploy('quick', sequence('S', waitFor('E', 'go')));
    const waiting = await start('quick');
    await clock.advance(DAY);
    expect([faulted.subStatus, waiting.subStatus, await sweep(), await kept('quick')]).toEqual([
      'Faulted',
      'Suspended',
      0,
      2,
    ]);
    await clock.advance(29 * DAY + 1);
    expect([await sweep(), await kept('quick')]).toEqual([1, 1]);
  });
});

it('refuses a time below zero', () => {
  expect(() => resolveRuntimeOptions({ retentionOf: { quick: -1 } })).toThrow(
    "'retentionOf.quick' must be a finite number of 0 or more",
  );
});
