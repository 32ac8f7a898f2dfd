import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { IWorkflowDefinitionService } from '../definitions/definition-services.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { BurstExecutor } from '../instances/burst-executor.js';
import type { OutboxMessage } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { type DispatchDefinitionRequest, IWorkflowDispatcher } from './dispatch-services.js';
import { isGone } from '../bookmarks/bookmark-resumer.js';
import {
  childReport,
  type ParentBookmark,
  type ResumeMessage,
  type RunMessage,
  type StartMessage,
} from './messages.js';
import { OutboxProcessor } from './outbox-processor.js';

@Injectable()
export class WorkflowDispatcher extends IWorkflowDispatcher implements OnModuleInit {
  constructor(
    private readonly outbox: OutboxProcessor,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly executor: BurstExecutor,
    private readonly persistence: WorkflowPersistence,
    private readonly engine: WorkflowEngine,
  ) {
    super();
  }

  onModuleInit(): void {
    this.outbox.register({ kind: 'start', handle: (message) => this.serve(message) });
    this.outbox.register({ kind: 'run', handle: (message) => this.run(message) });
  }

  async dispatch(request: DispatchDefinitionRequest): Promise<string> {
    const definition = await this.definitions.require(request.definition);
    const workflowInstanceId = request.workflowInstanceId ?? this.engine.newId();
    // The version is fixed now: what is published between dispatch and start does not change what was asked for.
    const payload: StartMessage = {
      ...request,
      definition: { definitionVersionId: definition.id },
      workflowInstanceId,
    };
    await this.outbox.send([{ kind: 'start', payload }]);
    return workflowInstanceId;
  }

  private async serve(message: OutboxMessage): Promise<void> {
    const request = message.payload as StartMessage;
    try {
      await this.executor.create(
        request.workflowInstanceId,
        request,
        { triggerActivityId: request.triggerActivityId },
        { consumedMessageIds: [message.id] },
      );
    } catch (error) {
      // Started by an earlier delivery, refused by the activation strategy, or its definition is gone: no delivery helps.
      if (!['WM3002', 'WM7005', 'WM1020'].some((code) => isWaymarkError(error, code))) throw error;
      if (!isWaymarkError(error, 'WM3002')) await this.tellParent(request);
      await this.persistence.outbox.delete(message.id);
    }
  }

  /** A parent that waits for a child which cannot start would wait for ever. */
  private async tellParent({ properties, parentWorkflowInstanceId, workflowInstanceId }: StartMessage): Promise<void> {
    const waiting = properties?.ParentBookmark as ParentBookmark | undefined;
    if (!waiting || !parentWorkflowInstanceId) return;
    const payload: ResumeMessage = {
      workflowInstanceId: parentWorkflowInstanceId,
      ...waiting,
      idempotencyKey: `child:${workflowInstanceId}`,
      input: childReport(workflowInstanceId, 'Finished', 'Faulted', {}),
    };
    await this.outbox.send([{ kind: 'resume', payload }]);
  }

  /** An instance whose first burst was cut off by a crash. */
  private async run(message: OutboxMessage): Promise<void> {
    const { workflowInstanceId, triggerActivityId, input } = message.payload as RunMessage;
    try {
      await this.executor.resume(
        workflowInstanceId,
        { triggerActivityId, input },
        { consumedMessageIds: [message.id] },
      );
    } catch (error) {
      if (!isGone(error)) throw error;
      await this.persistence.outbox.delete(message.id);
    }
  }
}
