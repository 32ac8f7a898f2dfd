import { Inject, Injectable } from '@nestjs/common';
import type { WorkflowGraph } from '@waymark/core';
import { IWorkflowDefinitionService, type OpenApiDocument, WorkflowEngine, type StoredTrigger } from '@waymark/runtime';
import { OPEN_API_METHODS, OPEN_API_VERSION, StoreOutages } from '@waymark/runtime/adapter';
import { readEndpointPayload } from '../endpoint/endpoint-payload.js';
import { decodeLiterals, pathOfWritten } from '../endpoint/written-path.js';
import { IdempotentStarts } from '../idempotency/idempotent-starts.js';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../module/http-options.js';
import { PendingRequests } from '../pending/pending-requests.js';
import { RouteTable } from '../routing/route-table.js';
import { HttpMountPath } from '../serving/mount-path.js';
import { WebhookSignatures } from '../signatures/webhook-signatures.js';
import { ENDPOINT_SECURITY, type EndpointFacts, tagOf } from './describe-endpoint.js';
import { ENDPOINT_SCHEMAS, STATUS_TAG } from './endpoint-components.js';
import { PathCollector } from './path-collector.js';
import { WorkflowOpenApi } from './workflow-open-api.js';

/** Endpoints of one document; each takes a look at its compiled workflow. */
const MOST_ENDPOINTS = 2_000;

interface Built {
  readonly document: OpenApiDocument;
  /** Of the route table that it shows. */
  readonly revision: number;
  /** If false, some workflows could not be looked at, and may be at another time. */
  readonly isComplete: boolean;
}

/** Made from the route table, and from the compiled workflows that it leads to. */
@Injectable()
export class EndpointDocuments extends WorkflowOpenApi {
  private built: Built | undefined;
  private building: Promise<Built> | undefined;

  constructor(
    private readonly routes: RouteTable,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly engine: WorkflowEngine,
    private readonly outages: StoreOutages,
    private readonly mount: HttpMountPath,
    private readonly pending: PendingRequests,
    private readonly idempotent: IdempotentStarts,
    private readonly signatures: WebhookSignatures,
    @Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions,
  ) {
    super();
  }

  async document(): Promise<OpenApiDocument> {
    if (this.isFresh(this.built)) return this.built.document;
    const { revision } = this.routes;
    // One that was begun before the last change may not show it.
    do {
      this.building ??= this.build().finally(() => (this.building = undefined));
      this.built = await this.building;
    } while (this.built.revision < revision);
    return this.built.document;
  }

  latest(): OpenApiDocument | undefined {
    if (!this.isFresh(this.built)) this.document().catch((error: unknown) => this.outages.report(error));
    return this.built?.document;
  }

  private isFresh(built: Built | undefined): built is Built {
    return built?.revision === this.routes.revision && built.isComplete;
  }

  private async build(): Promise<Built> {
    const { revision } = this.routes;
    const triggers = [...this.routes.listTriggers()].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
    const paths = new PathCollector(this.mount.described);
    const tags = new Map<string, string | undefined>();
    let isComplete = true;
    let isAnyKept = false;
    for (const trigger of triggers.slice(0, MOST_ENDPOINTS)) {
      const facts = await this.factsOf(trigger);
      if (!facts) continue;
      isComplete &&= facts.graph !== undefined;
      isAnyKept ||= facts.isKept;
      tags.set(tagOf(facts), facts.definition.description);
      paths.add(facts, this.templateOf(facts));
    }
    if (isAnyKept) paths.addStatus();
    if (isAnyKept) tags.set(STATUS_TAG, undefined);
    return { document: this.compose(paths, tags, triggers.length), revision, isComplete };
  }

  private compose(
    { paths, omitted }: PathCollector,
    tags: ReadonlyMap<string, string | undefined>,
    count: number,
  ): OpenApiDocument {
    const { title, version, description, securityScheme } = this.options.openApi;
    const missing = Math.max(0, count - MOST_ENDPOINTS) + omitted;
    const notes = [description, missing > 0 ? `${missing} endpoints are not shown here.` : undefined];
    const text = notes.filter((note) => note !== undefined).join('\n\n');
    return {
      openapi: OPEN_API_VERSION,
      info: { title, version, ...(text !== '' && { description: text }) },
      tags: [...tags].map(([name, about]) => ({ name, ...(about && { description: about }) })),
      paths,
      components: {
        schemas: ENDPOINT_SCHEMAS,
        responses: {},
        securitySchemes: { [ENDPOINT_SECURITY]: securityScheme },
      },
    };
  }

  /** Undefined for what is served nowhere. */
  private async factsOf(trigger: StoredTrigger): Promise<EndpointFacts | undefined> {
    const payload = readEndpointPayload(trigger.payload);
    if (!payload) return undefined;
    const graph = await this.graphOf(trigger);
    const { name, description, version } = graph?.definition ?? {};
    return {
      trigger,
      payload,
      graph,
      definition: { ...(name && { name }), ...(description && { description }), ...(version && { version }) },
      bodyType: payload.contentType === undefined ? undefined : this.engine.types.resolve(payload.contentType),
      isKept: this.pending.isKept(payload),
      hasKeys: this.idempotent.areKept(payload),
      isSigned: this.signatures.of(payload) !== undefined,
    };
  }

  /** Another node may have its code, or the version has just gone: what the trigger says is shown all the same. */
  private async graphOf({ workflowDefinitionVersionId }: StoredTrigger): Promise<WorkflowGraph | undefined> {
    try {
      return await this.definitions.graph(workflowDefinitionVersionId);
    } catch (error) {
      this.outages.report(error);
      return undefined;
    }
  }

  /** Payloads have the template in lower case; as its author wrote it, parameters have the names that the workflow sees. */
  private templateOf({ graph, trigger, payload }: EndpointFacts): string {
    const input = graph?.findTrigger(trigger.activityId)?.inputs.find(({ name }) => name === 'Path');
    const written = input?.constant?.value;
    return typeof written === 'string' && pathOfWritten(written) === payload.path
      ? decodeLiterals(written)
      : payload.path;
  }
}

/** The same on every node: ids of triggers are not. */
function placeOf({ payload, workflowDefinitionId, activityId }: StoredTrigger): string {
  const { path = '', method = '' } = readEndpointPayload(payload) ?? {};
  const rank = OPEN_API_METHODS.findIndex((name) => name === method);
  return `${path} ${rank} ${workflowDefinitionId} ${activityId}`;
}
