import { Injectable, type OnModuleInit } from '@nestjs/common';
import { USER_TASK_MESSAGE, type UserTaskMessage } from '../bursts/user-task-changes.js';
import { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import { UserTaskChanged, WorkflowEvent } from '../events/workflow-events.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import type { OutboxMessage } from '../persistence/records.js';
import type { UserTaskRecord, UserTaskEventKind } from '../persistence/user-task.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/** Those that the commit of their burst has not written. */
const UNWRITTEN: ReadonlySet<UserTaskEventKind> = new Set(['Reminded', 'Due', 'Escalated']);

/**
 * Tells the host what workflows do with tasks, after the commit that did it: at least once. What timers do to a task is written
 * here: once, as the entry of the history has the id of the message.
 */
@Injectable()
export class UserTaskNotifier implements OnModuleInit {
  constructor(
    private readonly outbox: OutboxProcessor,
    private readonly events: WorkflowEventEmitter,
    private readonly persistence: WorkflowPersistence,
  ) {}

  onModuleInit(): void {
    this.outbox.register({ kind: USER_TASK_MESSAGE, handle: (message) => this.handle(message) });
  }

  private async handle(message: OutboxMessage): Promise<void> {
    const told = message.payload as UserTaskMessage;
    const { kind, taskId, workflowInstanceId, at, completed } = told;
    const isMoot = UNWRITTEN.has(kind) && !(await this.write(message.id, told));
    const event = WorkflowEvent[`UserTask${kind}`];
    if (!isMoot && this.events.isHeard(event)) {
      const task = await this.persistence.userTasks.find(taskId);
      if (task?.unreadable) throw task.unreadable;
      await this.events.emit(event, new UserTaskChanged(kind, taskId, workflowInstanceId, at, completed?.by, task));
    }
    await this.persistence.outbox.delete(message.id);
  }

  /** Returns false if the task has ended before. */
  private async write(id: string, told: UserTaskMessage): Promise<boolean> {
    const { kind, taskId, workflowInstanceId, at } = told;
    for (;;) {
      const task = await this.persistence.userTasks.find(taskId);
      if (task?.status !== 'Open') return false;
      if (task.unreadable) throw task.unreadable;
      const changed = kind === 'Escalated' ? escalated(task, told) : task;
      const event = { id, taskId, workflowInstanceId, kind, at };
      const answer = await this.persistence.userTasks.update({ ...changed, updatedAt: at }, event);
      if (answer !== 'changed') return true;
    }
  }
}

/** Others may take it from now on; so its claim is taken back. */
function escalated(
  task: UserTaskRecord,
  { candidateUsers = [], candidateGroups = [], priority = 0, at }: UserTaskMessage,
): UserTaskRecord {
  const hasTargets = candidateUsers.length + candidateGroups.length > 0;
  return {
    ...task,
    candidateUsers: [...new Set([...task.candidateUsers, ...candidateUsers])],
    candidateGroups: [...new Set([...task.candidateGroups, ...candidateGroups])],
    assignee: hasTargets ? undefined : task.assignee,
    priority: Math.max(task.priority, priority),
    escalatedAt: at,
  };
}
