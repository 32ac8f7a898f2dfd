import { afterAll, expect, it } from '@jest/globals';
import {
  IUserTaskService,
  IWorkflowRuntime,
  type TaskPerson,
  type UserTaskRecord,
  WorkflowPersistence,
} from '@waymark/runtime';
import { BurstExecutor } from '@waymark/runtime/adapter';
import { FaultPoints, VirtualClock, withFaultPoints } from '@waymark/testing';
import { EVERY_STORE, testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, literal, type RuntimeNode, sequence, startNode } from '../support/runtime-node.js';

const ann: TaskPerson = { user: 'ann', groups: ['clerks'] };
const bob: TaskPerson = { user: 'bob', groups: ['clerks'] };
const task = (id: string) => ({
  type: 'Waymark.UserTask',
  id,
  taskName: literal('check'),
  candidateGroups: literal(['clerks'], 'List<String>'),
});

describeOn(await testBackends(...EVERY_STORE), 'tasks of several nodes on $name', (backend) => {
  afterAll(() => backend.drop());

  async function withNodes(body: (nodes: [RuntimeNode, RuntimeNode]) => Promise<void>): Promise<void> {
    const clock = new VirtualClock('2026-03-01T00:00:00Z');
    const nodes = [
      await startNode(await backend.create(), { clock }),
      await startNode(await backend.create(), { clock }),
    ] as const;
    try {
      await nodes[0].deploy('ask', sequence('S', task('Ask'), line('After', 'after')));
      await nodes[0].deploy('many', {
        ...sequence('P', ...Array.from({ length: 12 }, (_, n) => task(`T${n}`))),
        type: 'Elsa.Parallel',
      });
      await body([...nodes]);
    } finally {
      for (const node of nodes) await node.close();
    }
  }
  async function start(node: RuntimeNode, definition = 'ask'): Promise<UserTaskRecord[]> {
    const client = await node.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition });
    const { items } = await node
      .get(IUserTaskService)
      .list(
        { user: 'root', groups: [], isManager: true },
        { scope: 'All', workflowInstanceIds: [client.workflowInstanceId] },
      );
    return items as UserTaskRecord[];
  }
  const complete = (node: RuntimeNode, person: TaskPerson, id: string) =>
    node.get(IUserTaskService).complete(person, id);
  const codesOf = async (attempts: Promise<unknown>[]): Promise<string[]> => {
    const results = await Promise.allSettled(attempts);
    return results
      .map((r) => (r.status === 'fulfilled' ? 'done' : String((r.reason as { code?: string }).code)))
      .sort();
  };

  it('tasks of several nodes are completed by one of many, and the instance continues once', async () => {
    await withNodes(async (nodes) => {
      for (let round = 0; round < 5; round++) {
        const [asked] = await start(nodes[0]);
        const attempts = Array.from({ length: 10 }, (_, n) => complete(nodes[n % 2]!, n % 3 ? ann : bob, asked!.id));
        expect(await codesOf(attempts)).toEqual([...Array.from({ length: 9 }, () => 'WM2072'), 'done']);
        const { journal, instances, userTasks } = nodes[1].get(WorkflowPersistence);
        const log = await journal.readLog(asked!.workflowInstanceId);
        expect(log.filter((e) => e.activityId === 'After' && e.eventName === 'Completed')).toHaveLength(1);
        expect((await instances.load(asked!.workflowInstanceId))?.subStatus).toBe('Finished');
        const { events } = await userTasks.findEvents(asked!.id, { limit: 10 });
        expect(events.map(({ kind }) => kind)).toEqual(['Created', 'Completed']);
      }
    });
  });

  it('tasks of several nodes are completed or claimed by another, never both', async () => {
    await withNodes(async (nodes) => {
      for (let round = 0; round < 8; round++) {
        const [asked] = await start(nodes[0]);
        const claim = nodes[1].get(IUserTaskService).claim(bob, asked!.id);
        const codes = await Promise.allSettled([complete(nodes[0], ann, asked!.id), claim]);
        const stored = await nodes[0].get(WorkflowPersistence).userTasks.find(asked!.id);
        if (stored?.status === 'Completed') {
          expect([stored.completedBy, stored.assignee]).toEqual(['ann', undefined]);
          expect((codes[1] as PromiseRejectedResult).reason).toMatchObject({ code: 'WM2072' });
        } else {
          expect([stored?.status, stored?.assignee]).toEqual(['Open', 'bob']);
          expect((codes[0] as PromiseRejectedResult).reason).toMatchObject({ code: 'WM2073' });
        }
      }
    });
  });

  it('both nodes complete all tasks of one instance at the same time', async () => {
    await withNodes(async (nodes) => {
      const asked = await start(nodes[0], 'many');
      expect(asked).toHaveLength(12);
      const attempts = asked.flatMap(({ id }, n) => [
        complete(nodes[n % 2]!, ann, id),
        complete(nodes[n % 2]!, bob, id),
      ]);
      const codes = await codesOf(attempts);
      expect(codes.filter((code) => code === 'done')).toHaveLength(12);
      expect(codes.filter((code) => code === 'WM2072')).toHaveLength(12);
      const stored = await nodes[1].get(WorkflowPersistence).instances.load(asked[0]!.workflowInstanceId);
      expect(stored?.subStatus).toBe('Finished');
    });
  });

  it('tasks of several nodes are completed or cancelled with their instance, never both', async () => {
    await withNodes(async (nodes) => {
      for (let round = 0; round < 5; round++) {
        const [asked] = await start(nodes[0]);
        const { workflowInstanceId, id } = asked!;
        await Promise.allSettled([complete(nodes[0], ann, id), nodes[1].get(BurstExecutor).cancel(workflowInstanceId)]);
        const { instances, userTasks } = nodes[0].get(WorkflowPersistence);
        const ends = [(await instances.load(workflowInstanceId))?.subStatus, (await userTasks.find(id))?.status];
        expect([
          ['Finished', 'Completed'],
          ['Cancelled', 'Cancelled'],
        ]).toContainEqual(ends);
      }
    });
  });

  it('tasks of several nodes are escalated once, also when the answer of the store is lost', async () => {
    const points = new FaultPoints({ at: 'userTasks.update#1', fault: 'loses the answer' });
    const clock = new VirtualClock('2026-03-01T00:00:00Z');
    const node = await startNode(withFaultPoints(await backend.create(), points), { clock });
    try {
      const more = {
        escalateAfter: literal('01:00:00', 'TimeSpan'),
        escalateToUsers: literal(['eve'], 'List<String>'),
      };
      await node.deploy('late', sequence('S', { ...task('Ask'), ...more }));
      const [asked] = await start(node, 'late');
      const { bookmarks, userTasks } = node.get(WorkflowPersistence);
      const waiting = await bookmarks.findMany({ workflowInstanceId: asked!.workflowInstanceId });
      const client = await node.get(IWorkflowRuntime).createClient(asked!.workflowInstanceId);
      await client.runInstance({ bookmarkId: waiting.find(({ dueAt }) => dueAt)!.id });
      await node.settled();
      expect(points.isMet).toBe(true);
      for (let round = 0; round < 5; round++) {
        await clock.advance(60_000);
        await node.settled();
      }
      const kinds = (await userTasks.findEvents(asked!.id, { limit: 9 })).events.map(({ kind }) => kind);
      expect(kinds).toEqual(['Created', 'Escalated']);
      expect((await userTasks.find(asked!.id))?.candidateUsers).toEqual(['eve']);
      expect((await node.get(WorkflowPersistence).outbox.count()).waiting).toBe(0);
    } finally {
      await node.close();
    }
  });
});
