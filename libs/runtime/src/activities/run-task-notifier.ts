import { Injectable, type OnModuleInit } from '@nestjs/common';
import { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import { RunTaskRequest, WorkflowEvent } from '../events/workflow-events.js';
import type { OutboxMessage } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import type { RunTaskMessage } from '../bursts/messages.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';

/** Tells the host about tasks, after the commit that waits for them: at least once. */
@Injectable()
export class RunTaskNotifier implements OnModuleInit {
  constructor(
    private readonly outbox: OutboxProcessor,
    private readonly events: WorkflowEventEmitter,
    private readonly persistence: WorkflowPersistence,
  ) {}

  onModuleInit(): void {
    this.outbox.register({ kind: 'run-task', handle: (message) => this.notify(message) });
  }

  private async notify(message: OutboxMessage): Promise<void> {
    const { taskId, taskName, payload, workflowInstanceId, activityInstanceId, correlationId } =
      message.payload as RunTaskMessage;
    await this.events.emit(
      WorkflowEvent.RunTaskRequested,
      new RunTaskRequest(taskId, taskName, payload, workflowInstanceId, activityInstanceId, correlationId),
    );
    await this.persistence.outbox.delete(message.id);
  }
}
