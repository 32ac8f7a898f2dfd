import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { activity, EnvironmentKeys, type WorkflowModuleOptions } from '@waymark/nestjs';
import {
  IUserTaskService,
  IWorkflowRuntime,
  MissingCode,
  type TaskPerson,
  UserTask,
  WorkflowEvent,
} from '@waymark/runtime';
import type { TestApplication } from '../support/application.js';
import { Fleet } from './fleet.js';

const ann: TaskPerson = { user: 'ann', groups: ['clerks'] };
const bob: TaskPerson = { user: 'bob', groups: ['clerks'] };
const form = {
  type: 'object',
  required: ['note'],
  properties: { note: { type: 'string' }, pin: { type: 'string', format: 'password' } },
};

let fleet: Fleet;

const asking = (release: number) =>
  fleet.workflow('ask', release, () => [
    activity(
      UserTask,
      { taskName: 'check', candidateGroups: ['clerks'], possibleOutcomes: ['Approve', 'Reject'], form },
      { id: 'ask' },
    ),
  ]);

/** An old node and a new one. */
interface Pair {
  readonly old: TestApplication;
  readonly fresh: TestApplication;
}

async function pairOfNodes(options: WorkflowModuleOptions = {}): Promise<Pair> {
  const old = await fleet.node(1, [asking(1)], options);
  return { old, fresh: await fleet.node(2, [asking(2)], options) };
}

/** A task of a workflow that only the new node can run. */
async function ask({ fresh }: Pair) {
  const client = await fresh.get(IWorkflowRuntime).createClient();
  await client.createAndRunInstance({ definition: 'ask' });
  const { workflowInstanceId: instanceId } = client;
  const { items } = await fresh.get(IUserTaskService).list(ann);
  return { taskId: items.find((task) => task.workflowInstanceId === instanceId)!.id, instanceId };
}

const approve = (node: TestApplication, taskId: string, person = ann, values: object = { note: 'ok' }) =>
  node.get(IUserTaskService).complete(person, taskId, { outcome: 'Approve', values });

const kinds = async (taskId: string) =>
  (await fleet.persistence.userTasks.findEvents(taskId, { limit: 9 })).events.map(({ kind, by }) => [kind, by]);

describe('a task that is completed on a node that lacks the code of its workflow', () => {
  describe('beside a node that has it', () => {
    let pair: Pair;
    beforeAll(async () => {
      fleet = new Fleet();
      pair = await pairOfNodes();
    });
    beforeEach(() => void (fleet.done.length = 0));
    afterAll(() => fleet.close());

    it('is ended, and its workflow continues once, on a node that has the code', async () => {
      const { old, fresh } = pair;
      const { taskId, instanceId } = await ask(pair);
      const told: unknown[] = [];
      fresh.get(EventEmitter2).on(WorkflowEvent.UserTaskCompleted, (event) => told.push(event));
      const completed = await approve(old, taskId);
      expect(completed).toMatchObject({
        id: taskId,
        status: 'Completed',
        completedBy: 'ann',
        outcome: 'Approve',
        values: { note: 'ok' },
      });
      expect((await old.get(IUserTaskService).list(ann, { scope: 'Completed' })).items).toMatchObject([{ id: taskId }]);
      await fleet.pass(2000);
      expect(fleet.done).toEqual(['ask 2', 'ask 2']);
      expect(await fresh.instance(instanceId)).toMatchObject({ status: 'Finished', incidents: [] });
      expect(await kinds(taskId)).toEqual([
        ['Created', undefined],
        ['Completed', 'ann'],
      ]);
      expect(told).toMatchObject([{ kind: 'Completed', taskId, by: 'ann' }]);
      expect(await fleet.persistence.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
    });

    it('is completed once: also for nodes that have the code', async () => {
      const { old, fresh } = pair;
      const { taskId, instanceId } = await ask(pair);
      const attempts = [
        approve(old, taskId),
        approve(old, taskId, bob),
        approve(fresh, taskId, bob),
        approve(old, taskId),
      ];
      const results = await Promise.allSettled(attempts);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'WM2072' });
      await fleet.pass(2000);
      const log = await fleet.persistence.journal.readLog(instanceId);
      const ended = log.filter(({ eventName }) => eventName === 'Completed').map(({ activityId }) => activityId);
      expect(ended.filter((id) => id.startsWith('Inline'))).toEqual(['Inline1', 'Inline2']);
      expect(await kinds(taskId)).toHaveLength(2);
      expect(await fleet.persistence.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
    });

    it('is validated like any other, and changes nothing when it is invalid', async () => {
      const { old } = pair;
      const { taskId } = await ask(pair);
      await expect(approve(old, taskId, ann, {})).rejects.toMatchObject({ code: 'WM2074' });
      await expect(approve(old, taskId, { user: 'eve', groups: [] })).rejects.toMatchObject({ code: 'WM2070' });
      expect((await fleet.persistence.userTasks.find(taskId))?.status).toBe('Open');
      expect((await fleet.persistence.outbox.count()).waiting).toBe(0);
    });

    it('is refused with sensitive values, which would be stored in clear', async () => {
      const { old, fresh } = pair;
      const { taskId } = await ask(pair);
      // On a busy machine, what announces the task may still be in the outbox.
      await fleet.pass(500);
      const values = { note: 'ok', pin: '4711-4711' };
      await expect(approve(old, taskId, ann, values)).rejects.toMatchObject({ code: 'WM2040' });
      expect((await fleet.persistence.outbox.count()).waiting).toBe(0);
      expect((await approve(fresh, taskId, ann, values)).status).toBe('Completed');
    });
  });

  describe('in a fleet of its own', () => {
    beforeEach(() => void (fleet = new Fleet()));
    afterEach(() => fleet.close());

    it('continues after an alarm when there is such a node again', async () => {
      const pair = await pairOfNodes();
      const { old, fresh } = pair;
      const { taskId } = await ask(pair);
      await fleet.close(fresh);
      await approve(old, taskId);
      await expect(approve(old, taskId, bob)).rejects.toMatchObject({ code: 'WM2072' });
      await expect(old.get(IUserTaskService).claim(bob, taskId)).rejects.toMatchObject({ code: 'WM2072' });
      await fleet.pass(70_000);
      expect(old.get(MissingCode).alarms).toMatchObject([{ definitionId: 'ask', version: 2 }]);
      await fleet.node(2, [asking(2)]);
      await fleet.pass(2000);
      expect(fleet.done).toEqual(['ask 2', 'ask 2']);
    });

    it('stays completed when the workflow is cancelled before it continues', async () => {
      const pair = await pairOfNodes();
      const { old, fresh } = pair;
      const { taskId, instanceId } = await ask(pair);
      await fleet.close(fresh);
      await approve(old, taskId);
      await (await old.get(IWorkflowRuntime).createClient(instanceId)).cancel();
      await fleet.node(2, [asking(2)]);
      await fleet.pass(2000);
      expect(fleet.done).toEqual([]);
      expect((await fleet.persistence.userTasks.find(taskId))?.status).toBe('Completed');
      expect(await fleet.persistence.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
    });

    it('takes sensitive values where messages are encrypted', async () => {
      const keys = new EnvironmentKeys('K', { K: `k1:${Buffer.alloc(32, 7).toString('base64')}` });
      const pair = await pairOfNodes({ encryption: { keys } });
      const { old } = pair;
      const { taskId, instanceId } = await ask(pair);
      const completed = await approve(old, taskId, ann, { note: 'ok', pin: '4711-4711' });
      expect(completed.values).toEqual({ note: 'ok', pin: '(redacted)' });
      await fleet.pass(2000);
      expect((await old.instance(instanceId)).status).toBe('Finished');
    });
  });
});
