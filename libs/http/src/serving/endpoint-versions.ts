import { Injectable } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { evaluateTriggers } from '@waymark/core/adapter';
import {
  IWorkflowDefinitionService,
  IWorkflowStarter,
  type StartWorkflowRequest,
  type StartWorkflowResponse,
  WorkflowEngine,
  type StoredTrigger,
} from '@waymark/runtime';
import { CodeWorkflows } from '@waymark/runtime/adapter';
import { HTTP_ENDPOINT } from '../endpoint/endpoint-payload.js';

/**
 * Which version a request starts. Clients wait for an answer, so on a node that lacks the code of the published version, such
 * as one that is about to be replaced, it is the newest that the node has.
 */
@Injectable()
export class EndpointVersions {
  constructor(
    private readonly starter: IWorkflowStarter,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly code: CodeWorkflows,
    private readonly engine: WorkflowEngine,
  ) {}

  /**
   * @param request of the published version
   * @throws WorkflowCodeMissingError no version of this node answers there
   */
  start(trigger: StoredTrigger, request: StartWorkflowRequest): Promise<StartWorkflowResponse> {
    return this.starter.start(request).catch((error: unknown) => this.startOwn(trigger, request, error));
  }

  private async startOwn(
    trigger: StoredTrigger,
    request: StartWorkflowRequest,
    error: unknown,
  ): Promise<StartWorkflowResponse> {
    const own = isWaymarkError(error, 'WM2040') && (await this.findOwn(trigger));
    if (!own) throw error;
    return this.starter.start({ ...request, ...own });
  }

  /** The endpoint of this node's own version that answers the same requests. */
  private async findOwn({ workflowDefinitionId, exclusiveKey }: StoredTrigger) {
    for (const definitionVersionId of this.code.versionsOf(workflowDefinitionId)) {
      const graph = await this.definitions.graph(definitionVersionId);
      const triggers = await evaluateTriggers(graph, this.engine.runner);
      const found = triggers.find((t) => t.name === HTTP_ENDPOINT && t.exclusiveKey === exclusiveKey);
      if (found) return { definition: { definitionVersionId }, triggerActivityId: found.node.id };
    }
    return undefined;
  }
}
