import { HttpCode, Param } from '@nestjs/common';
import { IWorkflowRuntime, WorkflowPersistence } from '@waymark/runtime';
import { type LoadedInstance } from '@waymark/runtime/adapter';
import { StatedInputs } from '../activity-executions/stated-inputs.js';
import { PageTooDeepError, ResourceNotFoundError } from '../answers/api-errors.js';
import { HidesSecrets } from '../answers/hides-secrets.js';
import { COUNTED_ROWS, DEEPEST_PAGE, DEFAULT_PAGE, pageAnswer, SEARCHED_ROWS, windowOf } from '../answers/lists.js';
import { Audited } from '../audit/audited.js';
import { AnswersWhole } from '../answers/whole-answers.interceptor.js';
import { ApiController, ApiDelete, ApiGet, ApiPost } from '../module/api-controller.js';
import { FromOptionalBody } from '../requests/bind.js';
import { instanceEntity, instanceRow } from './instance-answers.js';
import { instanceFilter, instanceListRequest, instanceOrder, type InstanceListRequest } from './instance-filters.js';
import { JournalValues } from './journal-values.js';

const READ = 'read:workflow-instances';

/** Looks instances up and deletes them. */
@ApiController('workflow-instances')
@HidesSecrets()
export class InstancesController {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly runtime: IWorkflowRuntime,
    private readonly stated: StatedInputs,
    private readonly values: JournalValues,
  ) {}

  @ApiGet('', READ)
  get(@FromOptionalBody(instanceListRequest) request: InstanceListRequest) {
    return this.list(request);
  }

  @ApiPost('', READ)
  post(@FromOptionalBody(instanceListRequest) request: InstanceListRequest) {
    return this.list(request);
  }

  @AnswersWhole()
  @ApiGet(':id', READ)
  async one(@Param('id') id: string) {
    const found = await this.require(id);
    return instanceEntity(await this.stated.addToState(found, this.values.answerBudget()));
  }

  /** Cheap enough to be asked every few seconds. */
  @ApiGet(':id/execution-state', READ)
  async executionState(@Param('id') id: string) {
    const { items } = await this.persistence.instances.findMany({ ids: [id] });
    const [found] = items;
    if (!found) throw new ResourceNotFoundError('workflow instance', id);
    return { status: found.status, subStatus: found.subStatus, updatedAt: found.updatedAt };
  }

  @Audited('instances.delete', { target: 'instance', param: 'id' })
  @ApiDelete(':id', 'delete:workflow-instances')
  @HttpCode(204)
  async delete(@Param('id') id: string): Promise<void> {
    const client = await this.runtime.createClient(id);
    if (!(await client.delete())) throw new ResourceNotFoundError('workflow instance', id);
  }

  private async list(request: InstanceListRequest) {
    const { after } = request;
    const { skip, take } = windowOf(request, DEFAULT_PAGE);
    if (after === undefined && skip > DEEPEST_PAGE) throw new PageTooDeepError(skip, DEEPEST_PAGE);
    const page = { skip: after === undefined ? skip : 0, take, after };
    const { items, totalCount, isTotalLowerBound, ...bounds } = await this.persistence.instances.findMany(
      instanceFilter(request),
      instanceOrder(request),
      { ...page, countUpTo: COUNTED_ROWS, searchAmong: SEARCHED_ROWS },
    );
    return {
      ...pageAnswer(items.map(instanceRow), totalCount, isTotalLowerBound),
      // `next`, `searchedSince` and `searchedUntil`, where there are any.
      ...bounds,
    };
  }

  private async require(id: string): Promise<LoadedInstance> {
    const found = await this.persistence.instances.load(id);
    if (!found) throw new ResourceNotFoundError('workflow instance', id);
    return found;
  }
}
