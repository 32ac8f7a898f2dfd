import { Activity, ActivityBase, type ActivityExecutionContext, type Bookmark, Input, Output } from '@waymark/core';
import { recordOutput, valueNow } from '@waymark/core/adapter';
import type { RunTaskMessage } from '../bursts/messages.js';
import { RUN_TASK_INPUT } from '../stimuli/event-publisher.js';

/** Asks the host to do something and waits until it is reported as done. */
@Activity({
  type: 'Elsa.RunTask',
  category: 'Primitives',
  description: 'Asks the application to carry out a task and waits until it is reported as complete.',
})
export class RunTask extends ActivityBase {
  /** Name of the task, by which the application recognises it. */
  @Input({ type: 'String', isNonBlank: true, description: 'Name of the task, by which the application recognises it.' })
  taskName!: string;

  /** Data for the task. */
  @Input({ type: 'ObjectDictionary', uiHint: 'dropdown', description: 'Data for the task.' })
  payload?: Record<string, unknown> | null;

  /** Id under which the task is reported as complete. */
  @Output({ type: 'String', description: 'Id under which the task is reported as complete.' })
  taskId?: string;

  /** The reported result of the task. */
  @Output({ type: 'Object', description: 'The reported result of the task.' })
  result?: unknown;

  execute(ctx: ActivityExecutionContext): void {
    const taskId = ctx.workflow.engine.newId();
    this.taskId = taskId;
    const { taskName, payload } = this;
    ctx.createBookmark({ stimulus: { taskId, taskName }, hashInput: { taskId }, callback: this.onCompleted });
    const message: RunTaskMessage = {
      taskId,
      taskName,
      payload: valueNow(payload ?? null),
      workflowInstanceId: ctx.workflow.id,
      activityInstanceId: ctx.id,
      correlationId: ctx.correlationId,
    };
    ctx.workflow.send({ kind: 'run-task', payload: message });
  }

  /** Called by the engine when the result has been reported. */
  onCompleted(ctx: ActivityExecutionContext, { payload }: Bookmark): unknown {
    // A resumed execution has no outputs of its first burst: without this, the record of a completed task has no id.
    recordOutput(ctx, 'TaskId', (payload as { readonly taskId?: string }).taskId);
    this.result = ctx.workflow.getInput(RUN_TASK_INPUT);
    return ctx.complete();
  }
}
