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
import { HTTP_ENDPOINT, type HttpEndpointPayload } from '../endpoint/endpoint-payload.js';

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
   * Starts the newest version that this node has, after the published one could not be started.
   * @param request of the published version
   * @param error of its start: anything but missing code is thrown again
   * @throws WorkflowCodeMissingError no version of this node answers there
   */
  async startOwn(
    trigger: StoredTrigger,
    request: StartWorkflowRequest,
    error: unknown,
  ): Promise<StartWorkflowResponse> {
    const own = isWaymarkError(error, 'WM2040') && (await this.findOwn(trigger));
    if (!own) throw error;
    return this.starter.start({ ...request, ...own });
  }

  /** The endpoint of this node's own version that answers the same requests. */
  private async findOwn({ workflowDefinitionId, exclusiveKey, payload }: StoredTrigger) {
    for (const definitionVersionId of this.code.versionsOf(workflowDefinitionId)) {
      const graph = await this.definitions.graph(definitionVersionId);
      const triggers = await evaluateTriggers(graph, this.engine.runner);
      const found = triggers.find(
        (t) => t.name === HTTP_ENDPOINT && t.exclusiveKey === exclusiveKey && isAdmittedAs(t.payload, payload),
      );
      if (found) return { definition: { definitionVersionId }, triggerActivityId: graph.triggerIdOf(found.node) };
    }
    return undefined;
  }
}

/** The request was admitted by the published version: one that asks for another user or policy must not serve it. */
function isAdmittedAs(own: unknown, published: unknown): boolean {
  const [{ authorize, policy }, admitted] = [own as HttpEndpointPayload, published as HttpEndpointPayload];
  return authorize === admitted.authorize && policy === admitted.policy;
}
