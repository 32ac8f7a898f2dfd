import { Inject, Injectable } from '@nestjs/common';
import type { WorkflowDefinition } from '@waymark/core';
import {
  type DefinitionProblem,
  type StoredTrigger,
  WorkflowPersistence,
  TriggerPayloadValidator,
} from '@waymark/runtime';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../module/http-options.js';
import { HttpEndpointAuthorizer, RequestUserAuthorizer } from '../serving/endpoint-authorizer.js';
import { exclusiveKeyOf, HTTP_ENDPOINT, type HttpEndpointPayload, readEndpointPayload } from './endpoint-payload.js';

/** Refuses endpoints that another published workflow serves already, paths that are not templates, and unknown policies. */
@Injectable()
export class HttpEndpointTriggerPayloadValidator extends TriggerPayloadValidator {
  readonly names = [HTTP_ENDPOINT];

  constructor(
    private readonly persistence: WorkflowPersistence,
    @Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions,
    private readonly authorizer: HttpEndpointAuthorizer,
  ) {
    super();
  }

  async validate(
    payload: unknown,
    context: { definition: WorkflowDefinition; activityId: string },
  ): Promise<DefinitionProblem[]> {
    const endpoint = readEndpointPayload(payload);
    if (!endpoint) return [];
    const unknown = this.unknownPolicy(endpoint);
    if (unknown !== undefined) return [problem(unknown, context)];
    try {
      const holder = await this.holderOf(endpoint, context.definition.definitionId);
      return holder === undefined ? [] : [problem(conflictMessage(endpoint, holder), context)];
    } catch (error) {
      if ((error as { code?: unknown }).code === 'WM5001') return [problem((error as Error).message, context)];
      throw error;
    }
  }

  /** Paths are below the base path: one that repeats it is likely the whole path of a request. */
  override warn({ payload, activityId }: StoredTrigger): DefinitionProblem[] {
    const endpoint = readEndpointPayload(payload);
    const { basePath } = this.options;
    if (!endpoint || basePath === '' || !`${endpoint.path}/`.startsWith(`${basePath.toLowerCase()}/`)) return [];
    const { path, method } = endpoint;
    const served = `${method.toUpperCase()} ${basePath}${path}`;
    const message = `The path "${path}" of HTTP Endpoint '${activityId}' begins with the base path, so it is served at ${served}. Leave ${basePath} out of the Path input unless that is meant.`;
    return [{ message, activityId }];
  }

  /** What policies an authorizer of the application knows is its own matter. */
  private unknownPolicy({ policy }: HttpEndpointPayload): string | undefined {
    const { policies } = this.options;
    if (policy === undefined || Object.hasOwn(policies, policy)) return undefined;
    if (!(this.authorizer instanceof RequestUserAuthorizer)) return undefined;
    const known = Object.keys(policies).map((name) => `"${name}"`);
    const names = known.length > 0 ? `Defined: ${known.join(', ')}.` : 'It defines none.';
    return `Policy "${policy}" is not defined in the HTTP option 'policies', so every request would be refused. ${names}`;
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
