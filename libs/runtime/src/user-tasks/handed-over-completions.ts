import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { BookmarkResumer, isGone } from '../bookmarks/bookmark-resumer.js';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import type { OutboxMessage } from '../persistence/records.js';
import type { CompletedUserTask, UserTaskRecord } from '../persistence/user-task.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import type { WorkflowCodeMissingError } from '../services/definition-errors.js';
import { USER_TASK_COMPLETION } from './user-task.activity.js';
import { sensitiveValues, withoutSensitive } from './user-task-form.js';

/** Kind of the messages. A node that does not know it leaves them to others. */
const COMPLETE_USER_TASK = 'complete-user-task';

/** Payload of kind `complete-user-task`. */
interface CompletionMessage {
  readonly completed: CompletedUserTask;
  /** As the task shows them. */
  readonly shownValues?: unknown;
  readonly workflowInstanceId: string;
  readonly at: Date;
}

/**
 * Completions of tasks whose workflow a node cannot run, because it lacks the code. The task is ended here, and a node that has
 * the code lets the workflow continue.
 *
 * 1. The message is stored first, and then the task: a node that dies in between has answered no one.
 * 2. The task decides. Its history has an entry with the id of the message that has ended it; of others, none continues.
 */
@Injectable()
export class HandedOverCompletions implements OnModuleInit {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly outbox: OutboxProcessor,
    private readonly resumer: BookmarkResumer,
    private readonly engine: WorkflowEngine,
    private readonly clock: WorkflowClock,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {}

  onModuleInit(): void {
    this.outbox.register({ kind: COMPLETE_USER_TASK, handle: (message) => this.serve(message) });
  }

  /**
   * Returns false if the task was changed since it was read, and nothing has happened.
   * @throws WorkflowCodeMissingError as it was given, when sensitive values would be stored in clear
   */
  async handOver(
    { form, workflowInstanceId }: UserTaskRecord,
    completed: CompletedUserTask,
    error: WorkflowCodeMissingError,
  ): Promise<boolean> {
    const { redaction, encryption } = this.options;
    if (!encryption && sensitiveValues(form, completed.values).length > 0) throw error;
    const harmless = withoutSensitive(form, completed.values);
    const payload: CompletionMessage = {
      completed,
      shownValues: redaction ? redaction.shown(harmless) : harmless,
      workflowInstanceId,
      at: new Date(this.clock.now()),
    };
    const id = this.engine.newId();
    await this.outbox.handOver({ kind: COMPLETE_USER_TASK, payload, workflowInstanceId }, error, id);
    if (await this.isEndedBy(id, payload)) return true;
    await this.persistence.outbox.delete(id);
    return false;
  }

  /** Ends the task, unless that is done. If false, others have changed it. @param id of the message */
  private async isEndedBy(
    id: string,
    { completed, shownValues, workflowInstanceId, at }: CompletionMessage,
  ): Promise<boolean> {
    const { id: taskId, by, outcome } = completed;
    const event = { id, taskId, workflowInstanceId, kind: 'Completed', at, by, outcome } as const;
    const answer = await this.persistence.userTasks.complete({ ...completed, values: shownValues }, event);
    return answer !== 'changed';
  }

  private async serve(message: OutboxMessage): Promise<void> {
    const payload = message.payload as CompletionMessage;
    const { completed, workflowInstanceId } = payload;
    if (await this.isEndedBy(message.id, payload)) {
      const bookmark = { id: completed.id, workflowInstanceId };
      const stored: CompletedUserTask = { ...completed, isStored: true };
      try {
        const transient = [[USER_TASK_COMPLETION, stored]] as const;
        return void (await this.resumer.resumeRow(bookmark, { transient }, { consumedMessageIds: [message.id] }));
      } catch (error) {
        // The instance was cancelled meanwhile.
        if (!isGone(error)) throw error;
      }
    }
    await this.persistence.outbox.delete(message.id);
  }
}
