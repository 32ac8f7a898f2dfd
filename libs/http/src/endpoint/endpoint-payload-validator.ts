import { Injectable } from '@nestjs/common';
import type { WorkflowDefinition } from '@waymark/core';
import { type DefinitionProblem, TriggerPayloadValidator, WorkflowPersistence } from '@waymark/runtime';
import { exclusiveKeyOf, HTTP_ENDPOINT, type HttpEndpointPayload, readEndpointPayload } from './endpoint-payload.js';

/** Refuses endpoints that another published workflow serves already, and paths that are no templates. */
@Injectable()
export class HttpEndpointTriggerPayloadValidator extends TriggerPayloadValidator {
  readonly names = [HTTP_ENDPOINT];

  constructor(private readonly persistence: WorkflowPersistence) {
    super();
  }

  async validate(
    payload: unknown,
    context: { definition: WorkflowDefinition; activityId: string },
  ): Promise<DefinitionProblem[]> {
    const endpoint = readEndpointPayload(payload);
    if (!endpoint) return [];
    try {
      const holder = await this.holderOf(endpoint, context.definition.definitionId);
      return holder === undefined ? [] : [problem(conflictMessage(endpoint, holder), context)];
    } catch (error) {
      if ((error as { code?: unknown }).code === 'WM5001') return [problem((error as Error).message, context)];
      throw error;
    }
  }

  /** Asks the store and not the route table, which may not know yet what another node has just published. */
  private async holderOf(endpoint: HttpEndpointPayload, definitionId: string): Promise<string | undefined> {
    const exclusiveKeys = [exclusiveKeyOf(endpoint)];
    const triggers = await this.persistence.triggers.findMany({ names: [HTTP_ENDPOINT], exclusiveKeys });
    return triggers.find((trigger) => trigger.workflowDefinitionId !== definitionId)?.workflowDefinitionId;
  }
}

/** @param holder id of the other definition */
const conflictMessage = ({ path, method }: HttpEndpointPayload, holder: string): string =>
  `The ${path} path and ${method} method are already in use by another workflow! It is "${holder}".`;

const problem = (message: string, { activityId }: { activityId: string }): DefinitionProblem => ({
  message,
  activityId,
});
