import { Param } from '@nestjs/common';
import { ResourceNotFoundError } from '../answers/api-errors.js';
import { listAnswer } from '../answers/lists.js';
import { ApiController, ApiGet, ApiPost } from '../module/api-controller.js';
import { FromBody, FromQuery } from '../requests/bind.js';
import * as read from '../requests/readers.js';
import { ActivityExecutions, type FoundRecord } from './activity-executions.js';
import { nodeStatistics, recordEntity, recordSummary } from './record-answers.js';

const listRequest = read.members({
  workflowInstanceId: read.required(read.name),
  activityId: read.name,
  activityNodeId: read.name,
  completed: read.flag,
});
type ListRequest = read.ReadBy<typeof listRequest>;

const idRequest = read.members({ id: read.required(read.name) });
const reportRequest = read.members({
  workflowInstanceId: read.required(read.name),
  activityNodeIds: read.list(read.name),
});

const MAX_CALLERS = 1000;
const stackRequest = read.members({
  includeCrossWorkflowChain: read.flag,
  skip: read.withDefault(read.integerFrom(0), 0),
  take: read.withDefault(read.integerFrom(0), 100),
});
type StackRequest = read.ReadBy<typeof stackRequest>;

const READ = 'read:activity-execution';

/** What activities did: their inputs, outputs and outcomes. */
@ApiController()
export class ActivityExecutionsController {
  constructor(private readonly executions: ActivityExecutions) {}

  @ApiGet('activity-executions/list', READ)
  async list(@FromQuery(listRequest) { workflowInstanceId, ...filter }: ListRequest) {
    const records = await this.executions.list(workflowInstanceId, filter);
    return listAnswer(records.map((r) => recordEntity(workflowInstanceId, r)));
  }

  @ApiGet('activity-execution-summaries/list', READ)
  async summaries(@FromQuery(listRequest) { workflowInstanceId, ...filter }: ListRequest) {
    const records = await this.executions.list(workflowInstanceId, filter);
    return listAnswer(records.map((r) => recordSummary(workflowInstanceId, r)));
  }

  @ApiGet('activity-executions/count', READ)
  async count(@FromQuery(listRequest) { workflowInstanceId, ...filter }: ListRequest) {
    return { count: (await this.executions.list(workflowInstanceId, filter)).length };
  }

  @ApiGet('activity-executions/by-id', READ)
  byId(@FromQuery(idRequest) { id }: read.ReadBy<typeof idRequest>) {
    return this.one(id);
  }

  @ApiPost('activity-executions/report', READ)
  async report(@FromBody(reportRequest) { workflowInstanceId, activityNodeIds }: read.ReadBy<typeof reportRequest>) {
    const nodes = activityNodeIds?.length ? new Set(activityNodeIds) : undefined;
    const records = await this.executions.list(workflowInstanceId);
    return { stats: nodeStatistics(nodes ? records.filter((r) => nodes.has(r.activityNodeId)) : records) };
  }

  @ApiGet('activity-executions/:id', READ)
  async one(@Param('id') id: string) {
    return shown(await this.require(id));
  }

  @ApiGet('activity-executions/:id/call-stack', READ)
  async callStack(@Param('id') id: string, @FromQuery(stackRequest) request: StackRequest) {
    const chain = await this.executions.callStack(await this.require(id), request.includeCrossWorkflowChain ?? false);
    const { skip, take } = request;
    const items = chain.slice(skip, skip + Math.min(take, MAX_CALLERS)).map(shown);
    return { activityExecutionId: id, items, totalCount: chain.length };
  }

  private async require(id: string): Promise<FoundRecord> {
    const found = await this.executions.find(id);
    if (!found) throw new ResourceNotFoundError('activity execution', id);
    return found;
  }
}

const shown = ({ workflowInstanceId, record }: FoundRecord): object => recordEntity(workflowInstanceId, record);
