import { isWaymarkError } from '@waymark/core';
import { Inject, Res } from '@nestjs/common';
import { IWorkflowDefinitionPublisher, IWorkflowDefinitionService, type PlanRequester } from '@waymark/runtime';
import { afterCommit, DefinitionPlans } from '@waymark/runtime/adapter';
import { Audited, type AuditedRequest, type AuditNote, textIn, textsIn } from '../audit/audited.js';
import { distinctIds } from '../bulk/bulk-answers.js';
import { accepted, bulkPlanPath } from '../bulk/plan-answers.js';
import { RequestedBy } from '../bulk/requested-by.js';
import { ApiController, ApiPost } from '../module/api-controller.js';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';
import { ApiPath } from '../requests/api-path.js';
import { FromBody, FromOptionalBody } from '../requests/bind.js';
import { EditableDefinitions } from './editable-definitions.js';
import { errorsOf } from './definition-files.js';
import type { HttpReply } from '../requests/http-request.js';
import * as read from '../requests/readers.js';

/** Published before the answer, or fewer with a lower `synchronousBulkLimit`: half a second. More are published by a plan. */
const PUBLISHED_AT_ONCE = 100;

const idsRequest = read.members({ definitionIds: read.required(read.list(read.name)) });
type IdsRequest = read.ReadBy<typeof idsRequest>;

const refreshRequest = read.members({ definitionIds: read.list(read.name) });

/** Publishes, retracts and refreshes several definitions; what fails for one does not keep the others from it. */
@ApiController()
export class DefinitionBulkController {
  constructor(
    private readonly publisher: IWorkflowDefinitionPublisher,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly plans: DefinitionPlans,
    private readonly editable: EditableDefinitions,
    private readonly path: ApiPath,
    @Inject(API_OPTIONS) private readonly options: ResolvedApiOptions,
  ) {}

  @Audited('definitions.publish', { target: 'definition', note: countedOrPlanned('published', 'failed') })
  @ApiPost('bulk-actions/publish/workflow-definitions/by-definition-ids', 'publish:workflow-definitions')
  async publish(
    @FromBody(idsRequest) { definitionIds }: IdsRequest,
    @RequestedBy() by: PlanRequester,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    const lists = { published: [], alreadyPublished: [], notFound: [], skipped: [], updatedConsumers: [], failed: [] };
    const answer: Record<keyof typeof lists, string[]> = lists;
    const warnings: Record<string, string[]> = {};
    const consumerPlanIds: string[] = [];
    const ids = distinctIds(definitionIds, 'definitionIds') ?? [];
    if (ids.length > Math.min(PUBLISHED_AT_ONCE, this.options.synchronousBulkLimit)) {
      const planId = await this.plans.submit('PublishDefinitions', ids, by);
      return { ...answer, ...this.planned(planId, reply), warnings };
    }
    const publishOf = async (definitionId: string): Promise<PublishedOne> => {
      const latest = await this.definitions.find({ definitionId, versionOptions: 'Latest' });
      if (!latest) return { list: 'notFound' };
      return latest.isReadonly ? { list: 'skipped' } : this.publishOne(definitionId, by);
    };
    for (const definitionId of ids) {
      const one = await afterCommit(
        () => publishOf(definitionId),
        () => answer.published.length > 0,
      );
      const { list, consumers = [], planId, messages } = one;
      answer[list].push(definitionId);
      answer.updatedConsumers.push(...consumers);
      if (planId !== undefined) consumerPlanIds.push(planId);
      if (messages) Object.defineProperty(warnings, definitionId, { value: messages, enumerable: true });
    }
    // Unknown to Elsa: left out unless there are any.
    return { ...answer, ...(consumerPlanIds.length > 0 && { consumerPlanIds }), warnings };
  }

  /** One that is not published stands in two lists, as in the reference. */
  @Audited('definitions.retract', { target: 'definition', note: countedOrPlanned('retracted') })
  @ApiPost('bulk-actions/retract/workflow-definitions/by-definition-ids', 'retract:workflow-definitions')
  async retract(
    @FromBody(idsRequest) { definitionIds }: IdsRequest,
    @RequestedBy() by: PlanRequester,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    const ids = distinctIds(definitionIds, 'definitionIds') ?? [];
    const none = { retracted: [], alreadyRetracted: [], skipped: [], notPublished: [], notFound: [] };
    if (ids.length > this.options.synchronousBulkLimit)
      return { ...none, ...this.planned(await this.plans.submit('RetractDefinitions', ids, by), reply) };
    const editable = new Set(await this.editable.among(ids));
    const { retracted, notPublished, notFound, failures } = await this.publisher.retractMany([...editable]);
    const skipped = ids.filter((id) => !editable.has(id));
    const lists = { retracted, alreadyRetracted: notPublished, skipped, notPublished, notFound };
    // Unknown to Elsa: left out unless there are any.
    return failures.length > 0 ? { ...lists, failures } : lists;
  }

  @Audited('definitions.refresh', { target: 'definition', note: countedOrPlanned('refreshed', 'failed') })
  @ApiPost('actions/workflow-definitions/refresh', 'actions:workflow-definitions:refresh')
  async refresh(
    @FromOptionalBody(refreshRequest) { definitionIds }: read.ReadBy<typeof refreshRequest>,
    @RequestedBy() by: PlanRequester,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    return this.refreshOrPlan(distinctIds(definitionIds, 'definitionIds'), by, reply);
  }

  @Audited('definitions.reload', { target: 'definition', note: countedOrPlanned('refreshed', 'failed') })
  @ApiPost('actions/workflow-definitions/reload', 'actions:workflow-definitions:reload')
  async reload(@RequestedBy() by: PlanRequester, @Res({ passthrough: true }) reply: HttpReply) {
    this.definitions.evict();
    return this.refreshOrPlan(undefined, by, reply);
  }

  private async refreshOrPlan(ids: readonly string[] | undefined, by: PlanRequester, reply: HttpReply) {
    const result = await this.plans.refresh(ids, this.options.synchronousBulkLimit, by);
    if (result.planId === undefined) return result;
    return { refreshed: [], notFound: [], failed: [], ...this.planned(result.planId, reply) };
  }

  private planned(planId: string, reply: HttpReply): { readonly planId: string } {
    accepted(reply, bulkPlanPath(this.path, planId));
    return { planId };
  }

  private async publishOne(definitionId: string, requestedBy: PlanRequester): Promise<PublishedOne> {
    try {
      const result = await this.publisher.publish(definitionId, { requestedBy });
      if (!result.succeeded) return { list: 'failed', messages: result.problems.map((p) => p.message) };
      const consumers = result.updatedConsumers.map((d) => d.definitionId);
      const failures = result.failedConsumers?.map(({ message }) => message);
      return {
        list: result.alreadyPublished ? 'alreadyPublished' : 'published',
        consumers,
        planId: result.consumerPlanId,
        ...(failures?.length && { messages: failures }),
      };
    } catch (error) {
      // Deleted since, or being deleted. The ones before it are published: their lists are what the client needs.
      if (isWaymarkError(error, 'WM1020')) return { list: 'notFound' };
      const errors = errorsOf(error);
      if (!errors) throw error;
      return { list: 'failed', messages: Object.values(errors).flat() };
    }
  }
}

interface PublishedOne {
  readonly list: 'published' | 'alreadyPublished' | 'notFound' | 'skipped' | 'failed';
  readonly consumers?: readonly string[];
  readonly planId?: string | undefined;
  readonly messages?: readonly string[];
}

/** The definitions that the request names, and how many stand in each of these lists of the answer. */
function counted(...lists: readonly string[]): (request: AuditedRequest) => AuditNote {
  return ({ body, answer }) => ({
    targetIds: textsIn(body, 'definitionIds'),
    details: Object.fromEntries(lists.map((list) => [list, lengthOf(answer[list])])),
  });
}

/** A plan knows later how many there are. */
function countedOrPlanned(...lists: readonly string[]): (request: AuditedRequest) => AuditNote {
  return (request) => {
    const { targetIds, details } = counted(...lists)(request);
    return { targetIds, details: { ...details, planId: textIn(request.answer, 'planId') } };
  };
}

const lengthOf = (list: unknown): number | undefined => (Array.isArray(list) ? list.length : undefined);
