import { Param } from '@nestjs/common';
import type { ActivityExecutionRecord } from '@waymark/core';
import type { ValueBudget } from '@waymark/runtime/adapter';
import { JournalValues } from '../instances/journal-values.js';
import { ResourceNotFoundError } from '../answers/api-errors.js';
import { HidesSecrets } from '../answers/hides-secrets.js';
import { listAnswer, windowOf } from '../answers/lists.js';
import { ApiController, ApiGet, ApiPost } from '../module/api-controller.js';
import { FromBody, FromQuery } from '../requests/bind.js';
import * as read from '../requests/readers.js';
import { ActivityExecutions, type FoundRecord } from './activity-executions.js';
import { CallStacks } from './call-stacks.js';
import { recordEntity, recordSummary } from './record-answers.js';
import { StatedInputs } from './stated-inputs.js';

const listRequest = read.members({
  workflowInstanceId: read.required(read.name),
  activityId: read.name,
  activityNodeId: read.name,
  completed: read.flag,
  page: read.integerFrom(0),
  pageSize: read.integerFrom(1),
  skip: read.integerFrom(0),
  take: read.integerFrom(0),
});
/** Large, because clients of Elsa do not page, and a loop has a record for each iteration. */
const DEFAULT_RECORDS = 1000;
type ListRequest = read.ReadBy<typeof listRequest>;

const idRequest = read.members({ id: read.required(read.name) });
const reportRequest = read.members({
  workflowInstanceId: read.required(read.name),
  activityNodeIds: read.names,
});

const MAX_CALLERS = 1000;
const stackRequest = read.members({
  includeCrossWorkflowChain: read.withDefault(read.flag, true),
  skip: read.withDefault(read.integerFrom(0), 0),
  take: read.withDefault(read.integerFrom(0), 100),
});
type StackRequest = read.ReadBy<typeof stackRequest>;

const READ = 'read:activity-execution';

/** What activities did: their inputs, outputs and outcomes. */
@ApiController()
@HidesSecrets()
export class ActivityExecutionsController {
  constructor(
    private readonly executions: ActivityExecutions,
    private readonly stacks: CallStacks,
    private readonly values: JournalValues,
    private readonly stated: StatedInputs,
  ) {}

  @ApiGet('activity-executions/list', READ)
  list(@FromQuery(listRequest) { workflowInstanceId: id, ...request }: ListRequest) {
    return this.page(id, request, 'root', (records) => this.entities(id, records, this.values.answerBudget()));
  }

  @ApiGet('activity-execution-summaries/list', READ)
  summaries(@FromQuery(listRequest) { workflowInstanceId: id, ...request }: ListRequest) {
    return this.page(id, request, 'all', (records) => records.map((record) => recordSummary(id, record)));
  }

  @ApiGet('activity-executions/count', READ)
  async count(@FromQuery(listRequest) { workflowInstanceId, ...filter }: ListRequest) {
    return { count: await this.executions.count(workflowInstanceId, filter) };
  }

  @ApiGet('activity-executions/by-id', READ)
  byId(@FromQuery(idRequest) { id }: read.ReadBy<typeof idRequest>) {
    return this.one(id);
  }

  @ApiPost('activity-executions/report', READ)
  async report(@FromBody(reportRequest) { workflowInstanceId, activityNodeIds }: read.ReadBy<typeof reportRequest>) {
    const nodes = activityNodeIds?.length ? activityNodeIds : undefined;
    return { stats: await this.executions.statistics(workflowInstanceId, nodes) };
  }

  @ApiGet('activity-executions/:id', READ)
  async one(@Param('id') id: string) {
    const [shown] = await this.shown([await this.require(id)]);
    return shown;
  }

  @ApiGet('activity-executions/:id/call-stack', READ)
  async callStack(@Param('id') id: string, @FromQuery(stackRequest) request: StackRequest) {
    const { skip, take, includeCrossWorkflowChain } = request;
    const page = { skip, take: Math.min(take, MAX_CALLERS) };
    const { items, totalCount } = await this.stacks.find(await this.require(id), includeCrossWorkflowChain, page);
    return { activityExecutionId: id, items: await this.shown(items), totalCount };
  }

  /** A chain goes through few instances, one after the other. Each of them is read once, for its part of the answer. */
  private async shown(found: readonly FoundRecord[]): Promise<object[]> {
    const shown: object[] = [];
    const budget = this.values.answerBudget();
    for (let from = 0, to = 0; from < found.length; from = to) {
      const { workflowInstanceId } = found[from]!;
      while (found[to]?.workflowInstanceId === workflowInstanceId) to++;
      const records = found.slice(from, to).map(({ record }) => record);
      shown.push(...(await this.entities(workflowInstanceId, records, budget)));
    }
    return shown;
  }

  private async entities(
    workflowInstanceId: string,
    records: readonly ActivityExecutionRecord[],
    budget: ValueBudget,
  ): Promise<object[]> {
    const filled = await this.values.shown(workflowInstanceId, records, budget);
    const complete = await this.stated.addTo(workflowInstanceId, filled, budget);
    return complete.map((record) => recordEntity(workflowInstanceId, record));
  }

  /** `count` is that of the page, as in the reference; `totalCount` is there when the page is not all. */
  private async page(
    id: string,
    request: Omit<ListRequest, 'workflowInstanceId'>,
    ended: 'root' | 'all',
    shape: (records: readonly ActivityExecutionRecord[]) => object[] | Promise<object[]>,
  ) {
    const window = windowOf(request, DEFAULT_RECORDS);
    const { items: records, totalCount } = await this.executions.list(id, request, window, ended);
    const items = await shape(records);
    const answer = listAnswer(items);
    return items.length === totalCount ? answer : { ...answer, totalCount };
  }

  private async require(id: string): Promise<FoundRecord> {
    const found = await this.executions.find(id);
    if (!found) throw new ResourceNotFoundError('activity execution', id);
    return found;
  }
}
