import { Injectable } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { isGone } from '../bookmarks/bookmark-resumer.js';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import type { CompletedUserTask, UserTaskRecord } from '../persistence/user-task.js';
import { UserTaskEndedError, UserTaskFormError, UserTaskOutcomeError } from '../persistence/user-task-errors.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import type { WorkflowCodeMissingError } from '../services/definition-errors.js';
import { IWorkflowRuntime } from '../services/instance-services.js';
import type { CompleteUserTask } from '../services/user-task-services.js';
import { HandedOverCompletions } from './handed-over-completions.js';
import { USER_TASK_COMPLETION } from './user-task.activity.js';
import { formProblems } from './user-task-form.js';

/**
 * Completes tasks: checks what was filled in, and resumes the instance; the commit of that burst ends the task. Where this node
 * lacks the code of the workflow, the task is ended at once, and another node resumes the instance.
 */
@Injectable()
export class TaskCompletion {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly runtime: IWorkflowRuntime,
    private readonly clock: WorkflowClock,
    private readonly engine: WorkflowEngine,
    private readonly handedOver: HandedOverCompletions,
  ) {}

  /**
   * Undefined: the task was changed since it was read, and nothing has happened.
   * @param task open, as it was read when the person was authorised
   * @throws UserTaskFormError, UserTaskOutcomeError, UserTaskEndedError
   */
  async complete(task: UserTaskRecord, by: string, given: CompleteUserTask): Promise<UserTaskRecord | undefined> {
    const { id, revision, workflowInstanceId } = task;
    const outcome = outcomeOf(task, given.outcome);
    const values = jsonOf(id, given.values);
    const problems = formProblems(task.form, values);
    if (problems.length > 0) throw new UserTaskFormError(id, problems);
    const completed: CompletedUserTask = { id, revision, by, outcome, values };
    try {
      const client = await this.runtime.createClient(workflowInstanceId);
      await client.runInstance({ bookmarkId: id, transient: [[USER_TASK_COMPLETION, completed]] });
    } catch (error) {
      if (isWaymarkError(error, 'WM2076')) return undefined;
      if (isWaymarkError(error, 'WM2040')) {
        const missing = error as unknown as WorkflowCodeMissingError;
        if (!(await this.handedOver.handOver(task, completed, missing))) return undefined;
      } else if (isGone(error)) {
        await this.requireWaiting(task);
        return undefined;
      } else throw error;
    }
    const ended = await this.persistence.userTasks.find(id);
    if (ended?.status === 'Cancelled') throw new UserTaskEndedError(id, ended.status);
    if (ended?.status === 'Open') return undefined;
    // The instance ended, and is not kept.
    return ended ?? { ...task, status: 'Completed', completedBy: by, outcome, endedAt: new Date(this.clock.now()) };
  }

  /** @throws UserTaskEndedError when nothing waits for it any more. A node that knew nothing of tasks may have left it behind. */
  private async requireWaiting({ id, workflowInstanceId }: UserTaskRecord): Promise<void> {
    const waiting = await this.persistence.bookmarks.findMany({ ids: [id] });
    // It was there all along, or is again.
    if (waiting.length > 0) return;
    const now = await this.persistence.userTasks.find(id);
    if (now && now.status !== 'Open') throw new UserTaskEndedError(id, now.status, now.completedBy);
    if (now) {
      const at = new Date(this.clock.now());
      const event = { id: this.engine.newId(), taskId: id, workflowInstanceId, kind: 'Cancelled', at } as const;
      await this.persistence.userTasks.discard(id, event);
    }
    throw new UserTaskEndedError(id, 'Cancelled');
  }
}

/** What forms are filled in with is JSON, also where code fills them in. @throws UserTaskFormError */
function jsonOf(id: string, values: unknown): unknown {
  if (values === undefined) return undefined;
  try {
    return JSON.parse(JSON.stringify(values)) as unknown;
  } catch {
    throw new UserTaskFormError(id, [{ field: '', message: 'The values are not JSON' }]);
  }
}

/** @throws UserTaskOutcomeError */
function outcomeOf({ id, outcomes }: UserTaskRecord, given: string | undefined): string {
  const outcome = given ?? (outcomes.length === 1 ? outcomes[0] : undefined);
  if (outcome !== undefined && outcomes.includes(outcome)) return outcome;
  throw new UserTaskOutcomeError(id, given, outcomes);
}
