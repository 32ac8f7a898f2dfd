import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Input, Trigger, TriggerBase } from '@waymark/core';
import {
  IBookmarkQueue,
  IBookmarkResumer,
  IEventPublisher,
  IStimulusDispatcher,
  IStimulusSender,
  ITaskReporter,
  IWorkflowDefinitionPublisher,
  IWorkflowDispatcher,
  IWorkflowRuntime,
  IWorkflowStarter,
  MemoryPersistence,
  WorkflowPersistence,
} from '@waymark/runtime';
import { BookmarkResumer, OutboxProcessor, WorkflowLogger } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { line, literal, type RuntimeNode, sequence, startedBy, startNode, waitFor } from '../support/runtime-node.js';

@Trigger({ type: 'Harbour.Sighted' })
class ShipSighted extends TriggerBase {
  @Input() sector!: string;

  getTriggerPayloads(): { sector: string }[] {
    return [{ sector: this.sector }];
  }
  execute(): void {}
}

let node: RuntimeNode;
beforeEach(async () => {
  node = await startNode(new MemoryPersistence());
});
afterEach(() => node.close());

const run = async (definition: string, more = {}) => {
  const client = await node.get(IWorkflowRuntime).createClient();
  return client.createAndRunInstance({ definition, ...more });
};

describe('W5: stimuli', () => {
  it('keeps an event that comes before its bookmark and delivers it once', async () => {
    await node.deploy(
      'early',
      sequence('S', waitFor('E1', 'go'), line('A', 'first'), waitFor('E2', 'go'), line('B', 'second')),
    );
    const sent = await node.get(IEventPublisher).publish('go', { workflowInstanceId: 'early-1' });
    expect(sent.queuedItemId).toBeDefined();
    await node.get(IWorkflowDispatcher).dispatch({ definition: 'early', workflowInstanceId: 'early-1' });
    await node.settled();
    expect(node.lines).toEqual(['first']);
  });

  it('does not resume with an event the workflow that the same event started', async () => {
    await node.deploy(
      'both',
      sequence(
        'S',
        waitFor('Start', 'ping', startedBy),
        line('A', 'started'),
        waitFor('Again', 'ping'),
        line('B', 'resumed'),
      ),
    );
    await node.get(IEventPublisher).publish('ping');
    await node.settled();
    expect(node.lines).toEqual(['started']);
    await node.get(IEventPublisher).publish('ping');
    await node.settled();
    expect([...node.lines].sort()).toEqual(['resumed', 'started', 'started']);
  });

  it('warns of an event whose workflow may not start once more', async () => {
    const options = { activationStrategyType: 'Singleton' };
    await node.deploy('single', sequence('S', waitFor('Start', 'ping', startedBy), waitFor('E', 'on')), { options });
    await run('single');
    const warn = jest.spyOn(WorkflowLogger.prototype, 'warn').mockImplementation(() => undefined);
    await node.get(IEventPublisher).dispatch('ping');
    await node.settled();
    const lines = warn.mock.calls.map(([text]) => String(text));
    warn.mockRestore();
    expect(lines).toEqual([expect.stringContaining("was not started by trigger 'Start'")]);
    expect(await node.get(WorkflowPersistence).outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
  });

  it('keeps no repetition of what started a workflow: a later wait for the same would take it', async () => {
    await node.deploy(
      'repeated',
      sequence(
        'S',
        waitFor('Start', 'ping', startedBy),
        waitFor('Between', 'go'),
        line('A', 'waits again'),
        waitFor('Again', 'ping'),
        line('B', 'resumed'),
      ),
    );
    const stimuli = node.get(IStimulusSender);
    const ping = () => stimuli.send('Elsa.Event', { eventName: 'ping' }, { idempotencyKey: 'ping 1' });
    const first = await ping();
    const again = await ping();
    await node.get(IStimulusDispatcher).dispatch('Elsa.Event', { eventName: 'ping' }, { idempotencyKey: 'ping 1' });
    await node.settled();
    await node.get(IEventPublisher).publish('go');
    await node.settled();
    expect(node.lines).toEqual(['waits again']);
    expect([first.started.length, again]).toEqual([
      1,
      { started: [], resumed: [], handedOver: 0, refused: [], queuedItemId: undefined },
    ]);
  });

  it.each(['sent', 'dispatched'] as const)(
    'starts once by one key, also when the workflow was published anew, if %s',
    async (how) => {
      const root = sequence('S', waitFor('Start', 'ping', startedBy), line('A', how));
      const ping = (idempotencyKey: string) =>
        how === 'sent'
          ? node.get(IStimulusSender).send('Elsa.Event', { eventName: 'ping' }, { idempotencyKey })
          : node.get(IStimulusDispatcher).dispatch('Elsa.Event', { eventName: 'ping' }, { idempotencyKey });
      const { triggers } = node.get(WorkflowPersistence);
      const rows = async () => (await triggers.findMany({ workflowDefinitionIds: [how] })).map(({ id }) => id);
      await node.deploy(how, root);
      const before = await rows();
      await ping('1');
      await node.settled();
      await node.get(IWorkflowDefinitionPublisher).retract(how);
      await node.deploy(how, root);
      expect(await rows()).not.toEqual(before);
      await ping('1');
      await node.settled();
      expect(node.lines).toEqual([how]);
      await ping('2');
      await node.settled();
      expect(node.lines).toEqual([how, how]);
    },
  );

  it('keeps each of several events with one key until there is an instance that waits for it', async () => {
    await node.deploy(
      'order',
      sequence('S', waitFor('Paid', 'paid'), waitFor('Shipped', 'shipped'), line('A', 'done')),
    );
    const to = { workflowInstanceId: 'order-1', idempotencyKey: 'order-1' };
    const events = node.get(IEventPublisher);
    for (const name of ['shipped', 'paid', 'paid']) await events.publish(name, to);
    await node.get(IWorkflowDispatcher).dispatch({ definition: 'order', workflowInstanceId: 'order-1' });
    await node.settled();
    expect(node.lines).toEqual(['done']);
  });

  it('counts keys that nodes of the version before have used', async () => {
    await node.deploy('older', sequence('S', waitFor('Start', 'ping', startedBy), line('A', 'older')));
    const { triggers } = node.get(WorkflowPersistence);
    const [row] = await triggers.findMany({ workflowDefinitionIds: ['older'] });
    await node.get(IWorkflowStarter).start({
      definition: { definitionVersionId: row!.workflowDefinitionVersionId },
      triggerActivityId: row!.activityId,
      requestKey: `1/${row!.id}`,
    });
    const ping = (idempotencyKey: string) =>
      node.get(IStimulusSender).send('Elsa.Event', { eventName: 'ping' }, { idempotencyKey });
    expect([await ping('1'), await ping('2')]).toMatchObject([{ started: [] }, { started: [{}] }]);
  });

  it('asks for the keys of all workflows that it starts at the same time', async () => {
    for (const id of ['a', 'b', 'c'])
      await node.deploy(id, sequence('S', waitFor('Start', 'ping', startedBy), line('L', id)));
    const { instances } = node.get(WorkflowPersistence);
    const find = instances.findKeyUser.bind(instances);
    let underWay = 0;
    let most = 0;
    const spied = jest.spyOn(instances, 'findKeyUser').mockImplementation(async (key) => {
      most = Math.max(most, ++underWay);
      const user = await find(key);
      underWay--;
      return user;
    });
    await node.get(IStimulusDispatcher).dispatch('Elsa.Event', { eventName: 'ping' }, { idempotencyKey: '1' });
    await node.settled();
    spied.mockRestore();
    expect([most, node.lines.toSorted()]).toEqual([3, ['a', 'b', 'c']]);
  });

  it('starts the other workflows of a stimulus when one cannot be started', async () => {
    await node.deploy('a', sequence('S', waitFor('Start', 'ping', startedBy), line('A', 'a')));
    await node.deploy('b', sequence('S', waitFor('Start', 'ping', startedBy), line('B', 'b')));
    const starter = node.get(IWorkflowStarter);
    jest.spyOn(starter, 'start').mockRejectedValueOnce(new Error('cannot be started'));
    await expect(node.get(IEventPublisher).publish('ping')).rejects.toThrow('cannot be started');
    expect(node.lines).toHaveLength(1);
  });

  it('resumes waiting instances although a workflow that the stimulus triggers cannot be started', async () => {
    await node.deploy('a', sequence('S', waitFor('Start', 'ping', startedBy), line('A', 'a')));
    await node.deploy('waits', sequence('S', waitFor('E', 'ping'), line('B', 'went on')));
    await run('waits');
    jest.spyOn(node.get(IWorkflowStarter), 'start').mockRejectedValueOnce(new Error('cannot be started'));
    await expect(node.get(IEventPublisher).publish('ping')).rejects.toThrow('cannot be started');
    expect(node.lines).toEqual(['went on']);
  });

  it.each([
    ['dispatched', () => node.get(IStimulusDispatcher).dispatch('Elsa.Event', { eventName: 'ping' })],
    [
      'asked for in a transaction',
      () => {
        const hash = node.get(BookmarkResumer).hashOf('Elsa.Event', { eventName: 'ping' });
        return node.get(OutboxProcessor).send([{ kind: 'resume-waiting', payload: { name: 'Elsa.Event', hash } }]);
      },
    ],
  ])('stimuli are kept when they were %s, and all that waited was resumed by others just now', async (_, ask) => {
    await node.deploy('waits', sequence('S', waitFor('E', 'ping'), line('A', 'went on')));
    for (const _instance of [1, 2]) await run('waits');
    const { outbox, queue } = node.get(WorkflowPersistence);
    const fanOut = outbox.fanOut.bind(outbox);
    const enqueue = queue.enqueue.bind(queue);
    const consumed: unknown[] = [];
    jest.spyOn(outbox, 'fanOut').mockImplementationOnce(async (given) => {
      await node.get(IStimulusSender).send('Elsa.Event', { eventName: 'ping' });
      return fanOut(given);
    });
    // Their node would die right then: what is not used up in the same transaction would be lost.
    jest.spyOn(queue, 'enqueue').mockImplementation(async (item, consumedMessageId) => {
      consumed.push(consumedMessageId);
      return enqueue(item, consumedMessageId);
    });
    await ask();
    await node.settled();
    expect([node.lines.length, consumed]).toEqual([2, [expect.any(String)]]);
    await run('waits');
    await node.settled();
    expect(node.lines).toHaveLength(3);
  });

  it('stimuli are kept when the definition that they would have started is deleted at the same time', async () => {
    const clock = new VirtualClock();
    const other = await startNode(new MemoryPersistence(), { clock });
    await other.deploy('gone', sequence('S', waitFor('Start', 'ping', startedBy), line('A', 'started')));
    const { triggers, outbox } = other.get(WorkflowPersistence);
    const found = await triggers.findMany({ workflowDefinitionIds: ['gone'] });
    await other.get(IWorkflowDefinitionPublisher).delete(['gone']);
    jest.spyOn(triggers, 'findMany').mockResolvedValueOnce(found);
    const warn = jest.spyOn(WorkflowLogger.prototype, 'warn').mockImplementation(() => undefined);
    await other.get(IStimulusDispatcher).dispatch('Elsa.Event', { eventName: 'ping' });
    await other.settled();
    await clock.advance(1000);
    await other.settled();
    warn.mockRestore();
    expect(await outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
    await other.deploy('waits', sequence('S', waitFor('E', 'ping'), line('A', 'went on')));
    await (await other.get(IWorkflowRuntime).createClient()).createAndRunInstance({ definition: 'waits' });
    await other.settled();
    expect(other.lines).toEqual(['went on']);
    await other.close();
  });

  it('stimuli are sent and dispatched by the class of a trigger, whatever the name of the class is', async () => {
    const other = await startNode(new MemoryPersistence(), { providers: [ShipSighted] });
    const sector = literal('north');
    await other.deploy(
      'arrival',
      sequence('S', { type: 'Harbour.Sighted', id: 'T', ...startedBy, sector }, line('A', 'arrived')),
    );
    const { started } = await other.get(IStimulusSender).send(ShipSighted, { sector: 'north' });
    expect(started).toHaveLength(1);
    await other.get(IStimulusDispatcher).dispatch(ShipSighted, { sector: 'north' });
    await other.settled();
    expect(other.lines).toEqual(['arrived', 'arrived']);
    await other.close();
  });

  it('filters by correlation id', async () => {
    await node.deploy('correlated', sequence('S', waitFor('E', 'go'), line('A', 'on')));
    const a = await run('correlated', { correlationId: 'a' });
    const b = await run('correlated', { correlationId: 'b' });
    const { resumed } = await node.get(IEventPublisher).publish('go', { correlationId: 'b' });
    expect(resumed.map((r) => r.workflowInstanceId)).toEqual([b.workflowInstanceId]);
    expect((await node.get(WorkflowPersistence).instances.load(a.workflowInstanceId))?.subStatus).toBe('Suspended');
  });

  it('resumes the waits of one instance in the order in which it began to wait', async () => {
    const names = Array.from({ length: 12 }, (_, i) => `${i}`);
    const branches = names.map((n) =>
      sequence(`S${n}`, { type: 'Elsa.Event', id: `E${n}`, eventName: literal('go') }, line(`L${n}`, n)),
    );
    await node.deploy('many', { type: 'Elsa.Parallel', id: 'P', activities: branches });
    await run('many');
    await node.get(IEventPublisher).publish('go');
    expect(node.lines).toEqual(names);
  });

  it('completes a task once, however often it is reported', async () => {
    const task = (id: string) => ({ type: 'Elsa.RunTask', id, taskName: literal(id) });
    await node.deploy('tasks', sequence('S', task('T1'), line('A', 'one'), task('T2'), line('B', 'two')));
    const { bookmarks } = await run('tasks');
    const { taskId } = bookmarks[0]!.payload as { taskId: string };
    await node.get(ITaskReporter).reportCompletion(taskId, 1);
    await node.get(ITaskReporter).reportCompletion(taskId, 2);
    await node.settled();
    expect(node.lines).toEqual(['one']);
  });

  it('shows the id of a task in the record of its activity, before and after it has been reported', async () => {
    await node.deploy('task', { type: 'Elsa.RunTask', id: 'T', taskName: literal('job') });
    const { workflowInstanceId, bookmarks } = await run('task');
    const { taskId } = bookmarks[0]!.payload as { taskId: string };
    const outputs = async () => {
      const records = await node.get(WorkflowPersistence).journal.readRecords(workflowInstanceId);
      return records.find(({ activityId }) => activityId === 'T')?.outputs;
    };
    expect(await outputs()).toEqual({ TaskId: taskId, Result: null });
    await node.get(ITaskReporter).reportCompletion(taskId, { ok: true });
    expect(await outputs()).toEqual({ TaskId: taskId, Result: { ok: true } });
  });

  it('refuses filters that would mean everything', async () => {
    await expect(node.get(IBookmarkResumer).resumeMany({})).rejects.toMatchObject({ code: 'WM7008' });
    await expect(node.get(IBookmarkQueue).enqueue({ input: { a: 1 } })).rejects.toMatchObject({ code: 'WM7008' });
  });

  it('refuses a recipient without a value, and resumes no instance', async () => {
    await node.deploy('order', sequence('S', waitFor('E', 'paid'), line('L', 'paid')));
    for (const correlationId of ['A', 'B']) await run('order', { correlationId });
    const lost = { correlationId: undefined } as never;
    const stimulus = { eventName: 'paid' };
    const queue = node.get(IBookmarkQueue);
    const resumer = node.get(IBookmarkResumer);
    const item = { activityTypeName: 'Elsa.Event', workflowInstanceId: undefined } as never;
    const calls: readonly (() => Promise<unknown>)[] = [
      () => node.get(IEventPublisher).publish('paid', lost),
      () => node.get(IEventPublisher).dispatch('paid', { correlationId: null } as never),
      () => node.get(IStimulusSender).send('Elsa.Event', stimulus, { workflowInstanceId: undefined } as never),
      () => node.get(IStimulusDispatcher).dispatch('Elsa.Event', stimulus, { bookmarkId: undefined } as never),
      () => resumer.resume('Elsa.Event', stimulus, lost),
      () => resumer.resumeMany({ names: ['Elsa.Event'], activityInstanceId: undefined }),
      () => resumer.resumeById(undefined as never),
      () => queue.enqueue(item),
      () => queue.enqueueOnce(item),
    ];
    for (const call of calls)
      await expect(call()).rejects.toMatchObject({
        code: 'WM1057',
        message: expect.stringMatching(/leave the member out/),
      });
    await node.settled();
    expect(node.lines).toEqual([]);
    await node.get(IEventPublisher).publish('paid', { correlationId: 'B' });
    expect(node.lines).toEqual(['paid']);
    await node.get(IEventPublisher).publish('paid');
    expect(node.lines).toEqual(['paid', 'paid']);
  });
});

describe('child workflows', () => {
  const child = (type: string, definitionId: string, wait: boolean) => ({
    type,
    id: 'Child',
    workflowDefinitionId: literal(definitionId),
    waitForCompletion: literal(wait, 'Boolean'),
  });

  it.each(['Elsa.ExecuteWorkflow', 'Elsa.DispatchWorkflow'])('%s waits for a child that is suspended', async (type) => {
    await node.deploy('kid', sequence('S', waitFor('E', 'grow'), line('K', 'kid')));
    await node.deploy('parent', sequence('S', child(type, 'kid', true), line('P', 'parent')));
    const { workflowInstanceId } = await run('parent');
    await node.settled();
    expect(node.lines).toEqual([]);
    await node.get(IEventPublisher).publish('grow');
    await node.settled();
    expect(node.lines).toEqual(['kid', 'parent']);
    const dead = await node.get(WorkflowPersistence).queue.findDeadLetters({});
    expect(dead.totalCount).toBe(0);
    expect((await node.get(WorkflowPersistence).instances.load(workflowInstanceId))?.subStatus).toBe('Finished');
  });

  it('cancels children with their parent, and resumes a parent whose child was cancelled', async () => {
    await node.deploy('kid', sequence('S', waitFor('E', 'grow')));
    await node.deploy('parent', sequence('S', child('Elsa.DispatchWorkflow', 'kid', true), line('P', 'goes on')));
    const first = await run('parent');
    const second = await run('parent');
    await node.settled();
    const { instances } = node.get(WorkflowPersistence);
    const [kid] = await instances.findIds({ parentWorkflowInstanceIds: [first.workflowInstanceId] });
    await (await node.get(IWorkflowRuntime).createClient(first.workflowInstanceId)).cancel();
    await node.settled();
    expect((await instances.load(kid!))?.subStatus).toBe('Cancelled');
    const [other] = await instances.findIds({ parentWorkflowInstanceIds: [second.workflowInstanceId] });
    await (await node.get(IWorkflowRuntime).createClient(other!)).cancel();
    await node.settled();
    expect(node.lines).toEqual(['goes on']);
  });

  it('faults the parent when the child is not published', async () => {
    await node.deploy('parent', sequence('S', child('Elsa.DispatchWorkflow', 'nobody', true)));
    const result = await run('parent');
    expect([result.subStatus, result.incidents[0]?.message]).toEqual([
      'Faulted',
      expect.stringContaining('No published version'),
    ]);
  });
});
