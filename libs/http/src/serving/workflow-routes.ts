import { Injectable } from '@nestjs/common';
import type { ActivityNode, WorkflowGraph } from '@waymark/core';
import { IWorkflowDefinitionService, WorkflowPersistence } from '@waymark/runtime';
import { BookmarkConsumedError, StoreOutages } from '@waymark/runtime/adapter';
import { AdapterExchange } from '../requests/adapter-exchange.js';
import type { Reachable } from './endpoint-admission.js';
import { errorResponse } from './error-response.js';
import type { Endpoint } from './find-endpoint.js';
import { HttpMountPath } from './mount-path.js';
import { WorkflowEndpoints } from './workflow-endpoints.js';
import { ENDPOINT, type RoutedRequest, ROUTES, type WorkflowRoute } from './workflow-route.js';

/**
 * What requests lead to, for the application and for the controller.
 *
 * 1. Looked up once for a request: what a guard has decided about is what is served.
 * 2. Nothing is asked of the store for a guard that does not ask.
 */
@Injectable()
export class WorkflowRoutes {
  constructor(
    private readonly endpoints: WorkflowEndpoints,
    private readonly path: HttpMountPath,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly persistence: WorkflowPersistence,
    private readonly outages: StoreOutages,
  ) {}

  /** Called for each request to the path of workflows, before any guard. */
  note(raw: RoutedRequest): void {
    raw[ROUTES] = this;
  }

  /** At once where it is a trigger. Undefined: no workflow is there. */
  endpointOf(exchange: AdapterExchange): Endpoint | undefined | Promise<Endpoint | undefined> {
    const looked = (exchange.request.raw as RoutedRequest)[ENDPOINT];
    return looked ? looked.endpoint : this.endpoints.find(exchange, this.path.below(exchange.request.path));
  }

  async routeOf(raw: RoutedRequest, request: object, response: object): Promise<WorkflowRoute | undefined> {
    const looked = (raw[ENDPOINT] ??= { endpoint: this.endpointOf(new AdapterExchange(request, response)) });
    const endpoint = await looked.endpoint;
    if (endpoint?.kind !== 'start' && endpoint?.kind !== 'resume') return undefined;
    try {
      return await this.describe(endpoint, raw.method ?? 'GET');
    } catch (error) {
      this.outages.report(error);
      if (!errorResponse(error)) throw error;
      // Served all the same, it would run what no guard has seen.
      raw[ENDPOINT] = { endpoint: { kind: 'unknown', error } };
      return undefined;
    }
  }

  private async describe(endpoint: Reachable, method: string): Promise<WorkflowRoute> {
    const { payload, routeValues } = endpoint;
    const { path, authorize, policy, rateLimit } = payload;
    const { graph, node, ...instance } =
      endpoint.kind === 'start' ? await this.started(endpoint) : await this.resumed(endpoint);
    const { definitionId, id, version, name, customProperties } = graph.definition;
    return {
      kind: endpoint.kind,
      definitionId,
      definitionVersionId: id,
      version,
      ...(name ? { name } : {}),
      customProperties: ownProperties(customProperties),
      activity: {
        id: node.id,
        ...(node.name ? { name: node.name } : {}),
        customProperties: ownProperties(node.customProperties),
      },
      path,
      method: method.toUpperCase(),
      routeValues: { ...routeValues },
      authorize,
      ...(policy === undefined ? {} : { policy }),
      ...(rateLimit && { rateLimit: { ...rateLimit } }),
      ...instance,
    };
  }

  private async started({ trigger }: Extract<Endpoint, { kind: 'start' }>): Promise<Located> {
    const graph = await this.definitions.graph(trigger.workflowDefinitionVersionId);
    return { graph, node: graph.requireTrigger(trigger.activityId) };
  }

  /** @throws BookmarkConsumedError it was resumed since it was found */
  private async resumed({ bookmark }: Extract<Endpoint, { kind: 'resume' }>): Promise<Located> {
    const { id, workflowInstanceId, activityInstanceId, correlationId } = bookmark;
    const state = (await this.persistence.instances.load(workflowInstanceId))?.state;
    const context = state?.activityExecutionContexts.find((c) => c.id === activityInstanceId);
    const graph = state && context && (await this.definitions.graph(state.definitionVersionId));
    const node = graph?.findByNodeId(context!.scheduledActivityNodeId);
    if (!graph || !node) throw new BookmarkConsumedError(id, workflowInstanceId);
    return { graph, node, workflowInstanceId, ...(correlationId === undefined ? {} : { correlationId }) };
  }
}

interface Located {
  readonly graph: WorkflowGraph;
  readonly node: ActivityNode;
  readonly workflowInstanceId?: string;
  readonly correlationId?: string;
}

/** A copy: graphs are shared by all requests. */
const ownProperties = (properties: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  structuredClone(Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith('Waymark:'))));
